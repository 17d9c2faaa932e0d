package index

import "math/bits"

// MaxTopics and MaxGroups are how many topics and groups there may be.
const (
	MaxTopics = 128
	MaxGroups = 640
)

// Topics says what words are about. Two texts may speak of one matter without a word in
// common; they meet in its topic, and nearer in a group: hot drinks, not food and drink.
// Answers must stay the same while an index is open, those of Of while Sum does.
type Topics interface {
	// Of answers the numbers of the topics of a term, below MaxTopics; at most 16.
	Of(term string) []uint8
	// Groups answers the numbers of the groups of a term, below MaxGroups.
	Groups(term string) []uint16
	// Sum tells two lists of topics apart.
	Sum() uint64
}

// topicSum tells lists of topics apart, 0 where there is none.
func (o *Options) topicSum() uint64 {
	if o.Topics == nil {
		return 0
	}
	return o.Topics.Sum()
}

// topicShare is what a topic counts of a word that is asked. A word that is about several
// says less of each.
const topicShare = 0.5

// topicMark begins the terms that stand for topics: the analyser gives no such term. They
// are counted like words and make a memory no longer.
const topicMark = "\x00"

// topicTerms are the terms of the topics, by number.
var topicTerms = func() (terms [MaxTopics]string) {
	for i := range terms {
		terms[i] = topicMark + string([]byte{byte(i)})
	}
	return terms
}()

// topicUnit divides what a word says of a topic: of up to 16 topics, and of fields that count
// half, so that the order of words means nothing to the sum.
const topicUnit = 2 * 720720

// topicCounts are the topics of a memory's words, in order.
func topicCounts(words []counted, topics Topics) []counted {
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
			units[t] += uint64(w.tf*2) * topicUnit / 2 / uint64(len(of))
		}
	}
	out := make([]counted, 0, n)
	for t, u := range units {
		if u > 0 {
			out = append(out, counted{topicTerms[t], float32(float64(u) / topicUnit)})
		}
	}
	return out
}

// topicsAmong are the topics and groups of the words of a memory.
func topicsAmong(words []entry) (topics topicSet, groups groupSet) {
	for _, e := range words {
		e.list.tell(&topics, &groups)
	}
	return topics, groups
}

// tell adds what a word is about, or the topic that it stands for.
func (l *list) tell(topics *topicSet, groups *groupSet) {
	if key := l.key; len(key) == 2 && key[0] == topicMark[0] && key[1] < MaxTopics {
		topics[key[1]/64] |= 1 << (key[1] % 64)
	}
	for _, g := range l.groups {
		groups[g/64] |= 1 << (g % 64)
	}
}

// topicSet holds numbers of topics, groupSet of groups.
type (
	topicSet [MaxTopics / 64]uint64
	groupSet [MaxGroups / 64]uint64
)

// groupShare is what the groups are of what is about the same matter, [0,1].
const groupShare = 1.0 / 3

// matter is what a question is about: how much its words say of each topic, and the
// groups of each word.
type matter struct {
	weight  [MaxTopics]float32
	topics  topicSet
	most    float32
	words   []grouped
	grouped float32 // sum of the words' weights
}

// grouped is a word of a question that is in groups. One that is in several says less.
type grouped struct {
	groups []uint16
	weight float32
}

// matterOf reads a question.
func matterOf(q question, topics Topics) *matter {
	m := &matter{}
	if topics == nil {
		return m
	}
	for _, w := range q {
		if in := topics.Groups(w.term); len(in) > 0 {
			weight := w.tf / float32(len(in))
			m.words = append(m.words, grouped{in, weight})
			m.grouped += weight
		}
		of := topics.Of(w.term)
		for _, t := range of {
			m.topics[t/64] |= 1 << (t % 64)
			m.weight[t] += w.tf / float32(len(of))
			m.most = max(m.most, m.weight[t])
		}
	}
	return m
}

// known reports whether the question is about anything that is known.
func (m *matter) known() bool { return m.most > 0 || m.grouped > 0 }

// shared is how much of the matter a memory is about, in [0,1].
func (m *matter) shared(d *Doc) float64 {
	return (1-groupShare)*m.inTopics(d) + groupShare*m.inGroups(d)
}

// inGroups is the share of the question's words that a memory has a group with, in [0,1].
func (m *matter) inGroups(d *Doc) float64 {
	sum := float32(0)
	for _, w := range m.words {
		for _, g := range w.groups {
			if d.groups[g/64]&(1<<(g%64)) != 0 {
				sum += w.weight
				break
			}
		}
	}
	if sum == 0 {
		return 0
	}
	return float64(sum / m.grouped)
}

// inTopics is how much of its topics a memory is about, against the topic that the question
// says most of, in [0,1].
func (m *matter) inTopics(d *Doc) float64 {
	sum := float32(0)
	for i, set := range m.topics {
		for both := set & d.topics[i]; both != 0; both &= both - 1 {
			sum += m.weight[64*i+bits.TrailingZeros64(both)]
		}
	}
	if sum == 0 {
		return 0
	}
	return float64(min(1, sum/m.most))
}

// ask adds the topics to a question, in order.
func (m *matter) ask(q question) question {
	for i, set := range m.topics {
		for ; set != 0; set &= set - 1 {
			t := 64*i + bits.TrailingZeros64(set)
			q = append(q, counted{topicTerms[t], topicShare * m.weight[t]})
		}
	}
	return q
}
