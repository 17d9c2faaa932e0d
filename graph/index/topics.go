package index

import (
	"math/bits"
	"slices"
)

// Topics are numbered below MaxTopics, narrow groups of words from there to below MaxGroups.
const (
	MaxTopics = 128
	MaxGroups = 768
)

// Topics assigns words to topics, so that a search can match texts about the same topic that
// share no word. Topics are counted like words; narrow groups (hot drinks, string instruments) are
// only compared. The answers must not change while an index is open.
type Topics interface {
	// Of returns the numbers of the topics and groups of a term, ascending; at most 16 topics.
	Of(term string) []uint16
	// Sum identifies the list of topics. It must change when the topics of a term do.
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
		of, _ := splitGroups(topics.Of(w.term))
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

// splitGroups splits the numbers of a term into topics and groups.
func splitGroups(numbers []uint16) (topics, groups []uint16) {
	i, _ := slices.BinarySearch(numbers, MaxTopics)
	return numbers[:i], numbers[i:]
}

// topicSet is a set of numbers of topics and groups.
type topicSet [MaxGroups / 64]uint64

func (s *topicSet) add(numbers []uint16) {
	for _, n := range numbers {
		s[n/64] |= 1 << (n % 64)
	}
}

func (s *topicSet) has(n uint16) bool { return s[n/64]&(1<<(n%64)) != 0 }

// topicProfile is the weight of the topics and groups of a question.
type topicProfile struct {
	weight      [MaxTopics]float32
	topics      topicSet
	highest     float32
	groups      []wordGroups
	groupWeight float32 // sum over groups
}

// wordGroups holds the groups of a word of the question. A word of several groups has less weight.
type wordGroups struct {
	groups []uint16
	weight float32
}

// newTopicProfile computes the topics and groups of a question.
func newTopicProfile(q wordQuery, topics Topics) *topicProfile {
	m := &topicProfile{}
	if topics == nil {
		return m
	}
	for _, w := range q {
		of, groups := splitGroups(topics.Of(w.term))
		m.topics.add(of)
		for _, t := range of {
			m.weight[t] += w.frequency / float32(len(of))
			m.highest = max(m.highest, m.weight[t])
		}
		if len(groups) > 0 {
			weight := w.frequency / float32(len(groups))
			m.groups = append(m.groups, wordGroups{groups, weight})
			m.groupWeight += weight
		}
	}
	return m
}

// hasTopics reports whether the question has any known topic or group.
func (m *topicProfile) hasTopics() bool { return m.highest > 0 || m.groupWeight > 0 }

// groupShare is the share of the groups in the overlap, [0,1].
const groupShare = 1.0 / 3

// overlap returns how much a memory shares the topics and groups of the question, in [0,1].
func (m *topicProfile) overlap(d *Doc) float64 {
	return (1-groupShare)*m.topicOverlap(d) + groupShare*m.groupOverlap(d)
}

// topicOverlap returns the weights of the shared topics divided by the highest weight, at most 1.
func (m *topicProfile) topicOverlap(d *Doc) float64 {
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

// groupOverlap returns the share of the question's words that have a group of the memory.
func (m *topicProfile) groupOverlap(d *Doc) float64 {
	sum := float32(0)
	for _, w := range m.groups {
		if slices.ContainsFunc(w.groups, d.topics.has) {
			sum += w.weight
		}
	}
	if sum == 0 {
		return 0
	}
	return float64(sum / m.groupWeight)
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
