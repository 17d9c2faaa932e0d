package index

import "math/bits"

// MaxTopics is the largest possible number of topics.
const MaxTopics = 128

// Topics assigns words to topics, so that a search can match texts about the same topic that
// share no word. Its answers must not change while an index is open. The answers of Of may
// change only together with Sum.
type Topics interface {
	// Of returns the numbers of the topics of a term, each below MaxTopics; at most 16.
	Of(term string) []uint8
	// Sum identifies the list of topics.
	Sum() uint64
}

// topicsHash identifies the list of topics; it is 0 if there is none.
func (o *Options) topicsHash() uint64 {
	if o.Topics == nil {
		return 0
	}
	return o.Topics.Sum()
}

// topicWeight is the weight of a topic relative to the query word it comes from. A word of
// several topics divides its weight among them.
const topicWeight = 0.5

// topicPrefix begins the terms that represent topics; the analyser returns no such term. Topic
// terms are counted like words but do not add to the length of a memory.
const topicPrefix = "\x00"

// topicTerms are the terms of the topics, by number.
var topicTerms = func() (terms [MaxTopics]string) {
	for i := range terms {
		terms[i] = topicPrefix + string([]byte{byte(i)})
	}
	return terms
}()

// topicUnit makes the topic counts integers: it is divisible by every number of topics up to 16
// and by the 2 of fields with weight one half. So the sum does not depend on the order of the
// words.
const topicUnit = 2 * 720720

// topicCounts returns the topics of a memory's words, by number.
func topicCounts(words []termCount, topics Topics) []termCount {
	if topics == nil {
		return nil
	}
	var units [MaxTopics]uint64
	n := 0
	for _, w := range words {
		of := topics.Of(w.term)
		for _, t := range of {
			if units[t] == 0 {
				n++
			}
			units[t] += uint64(w.frequency*2) * topicUnit / 2 / uint64(len(of))
		}
	}
	out := make([]termCount, 0, n)
	for t, u := range units {
		if u > 0 {
			out = append(out, termCount{topicTerms[t], float32(float64(u) / topicUnit)})
		}
	}
	return out
}

// topicsOf returns the topics among the terms of a memory.
func topicsOf(words []entry) (topics topicSet) {
	for _, e := range words {
		topics.add(e.list.key)
	}
	return topics
}

// topicSet is a set of topic numbers.
type topicSet [MaxTopics / 64]uint64

// add adds the topic that a term represents, if it represents one.
func (s *topicSet) add(term string) {
	if len(term) == 2 && term[0] == topicPrefix[0] && term[1] < MaxTopics {
		s[term[1]/64] |= 1 << (term[1] % 64)
	}
}

// topicProfile is the weight of each topic in a question.
type topicProfile struct {
	weight  [MaxTopics]float32
	topics  topicSet
	highest float32
}

// newTopicProfile computes the topics of a question.
func newTopicProfile(q wordQuery, topics Topics) *topicProfile {
	m := &topicProfile{}
	if topics == nil {
		return m
	}
	for _, w := range q {
		of := topics.Of(w.term)
		for _, t := range of {
			m.topics[t/64] |= 1 << (t % 64)
			m.weight[t] += w.frequency / float32(len(of))
			m.highest = max(m.highest, m.weight[t])
		}
	}
	return m
}

// hasTopics reports whether the question has any known topic.
func (m *topicProfile) hasTopics() bool { return m.highest > 0 }

// overlap returns how much a memory shares the topics of the question, in [0,1]: the weights of
// the shared topics divided by the highest weight, at most 1.
func (m *topicProfile) overlap(d *Doc) float64 {
	sum := float32(0)
	for i, set := range m.topics {
		for both := set & d.topics[i]; both != 0; both &= both - 1 {
			sum += m.weight[64*i+bits.TrailingZeros64(both)]
		}
	}
	if sum == 0 {
		return 0
	}
	return float64(min(1, sum/m.highest))
}

// expand adds the topics to a question, by number.
func (m *topicProfile) expand(q wordQuery) wordQuery {
	for i, set := range m.topics {
		for ; set != 0; set &= set - 1 {
			t := 64*i + bits.TrailingZeros64(set)
			q = append(q, termCount{topicTerms[t], topicWeight * m.weight[t]})
		}
	}
	return q
}
