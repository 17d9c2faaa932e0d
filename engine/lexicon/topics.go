package lexicon

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
)

//go:embed topics.txt
var topicList string

// topicsRead is the list of topics as it was read.
type topicsRead struct {
	names  []string           // by number
	byStem map[string][]uint8 // ascending
	sum    uint64
}

// topics reads the list, once.
var topics = sync.OnceValue(func() *topicsRead {
	t := &topicsRead{byStem: map[string][]uint8{}}
	for line := range strings.Lines(topicList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, begins := strings.Cut(line, ":"); begins {
			t.names, line = append(t.names, head), rest
		}
		for _, w := range strings.Fields(line) {
			s, at := stem(w), uint8(len(t.names)-1)
			if !slices.Contains(t.byStem[s], at) {
				t.byStem[s] = append(t.byStem[s], at)
			}
		}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(topicList)) // a hash never fails
	t.sum = h.Sum64()
	return t
})

// Topics is the list topics.txt: what words are about, a word under every topic that its
// everyday meanings belong to. "Rent" is about a home, a job's "salary" about money: two
// texts may speak of one matter without a word in common.
type Topics struct{}

// Of answers the numbers of the topics that a term is about, ascending, from 0; nil where
// it is about none, or not in the list. A term is the stem of a word in lower case (Snowball
// "Porter 2", the one the words channel uses). The answer is shared: it must not be changed.
func (Topics) Of(term string) []uint8 { return topics().byStem[term] }

// Sum tells two lists apart.
func (Topics) Sum() uint64 { return topics().sum }

// Names are the names of the topics, by number.
func (Topics) Names() []string { return slices.Clone(topics().names) }
