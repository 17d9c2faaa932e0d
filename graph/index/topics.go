package index

import "math/bits"

// MaxTopics is the number of topics that there may be.
const MaxTopics = 128

// Topics assigns words to topics, so that a search can match texts about the same topic that
// share no word.
// Answers must stay the same while an index is open, those of Of while Sum does.
type Topics interface {
	// Of answers the numbers of the topics of a term, below MaxTopics; at most 16.
	Of(term string) []uint8
	// Sum tells two lists of topics apart.
	Sum() uint64
}

// topicSum tells lists of topics apart, 0 where there is none.
func (o *Options) topicsHash() uint64 {
	if o.Topics == nil {
		return 0
	}
	return o.Topics.Sum()
}

// topicShare is what a topic counts of a word that is asked. A word that is about several
// says less of each.
const topicWeight = 0.5

// topicMark begins the terms that stand for topics: the analyser gives no such term. They
// are counted like words and make a memory no longer.
const topicPrefix = "\x00"

// topicTerms are the terms of the topics, by number.
var topicTerms = func() (terms [MaxTopics]string) {
	for i := range terms {
		terms[i] = topicPrefix + string([]byte{byte(i)})
	}
	return terms
}()

// topicUnit divides what a word says of a topic: of up to 16 topics, and of fields that count
// half, so that the order of words means nothing to the sum.
const topicUnit = 2 * 720720

// topicCounts are the topics of a memory's words, in order.
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

// topicsAmong answers the topics among the terms of a memory.
func topicsOf(words []entry) (topics topicSet) {
	for _, e := range words {
		topics.add(e.list.key)
	}
	return topics
}

// topicSet holds numbers of topics.
type topicSet [MaxTopics / 64]uint64

// add adds the topic that a term stands for, if it stands for one.
func (s *topicSet) add(term string) {
	if len(term) == 2 && term[0] == topicPrefix[0] && term[1] < MaxTopics {
		s[term[1]/64] |= 1 << (term[1] % 64)
	}
}

// matter is what a question is about: how much its words say of each topic.
type topicProfile struct {
	weight  [MaxTopics]float32
	topics  topicSet
	highest float32
}

// matterOf reads a question.
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

// known reports whether the question is about anything that is known.
func (m *topicProfile) hasTopics() bool { return m.highest > 0 }

// shared is how much of its topics a memory is about, against the topic that the question
// says most of, in [0,1].
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

// ask adds the topics to a question, in order.
func (m *topicProfile) expand(q wordQuery) wordQuery {
	for i, set := range m.topics {
		for ; set != 0; set &= set - 1 {
			t := 64*i + bits.TrailingZeros64(set)
			q = append(q, termCount{topicTerms[t], topicWeight * m.weight[t]})
		}
	}
	return q
}
