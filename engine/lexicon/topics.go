package lexicon

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/internal/english"
)

//go:embed topics.txt
var topicList string

// topicIndex is the list of topics as it was read.
type topicIndex struct {
	names  []string           // by number
	byStem map[string][]uint8 // ascending
	sum    uint64
}

// topics reads the list, once.
var topics = sync.OnceValue(func() *topicIndex {
	t := &topicIndex{byStem: map[string][]uint8{}}
	paragraphs(topicList, func(name string, words []string) {
		t.names = append(t.names, name)
		addWords(t.byStem, words, uint8(len(t.names)-1))
	})
	h := fnv.New64a()
	_, _ = h.Write([]byte(topicList)) // a hash never fails
	t.sum = h.Sum64()
	return t
})

// paragraphs calls do for each paragraph of a list: a name before a colon, and the words
// after it, on as many lines as they take. A line that begins with # says nothing.
func paragraphs(list string, do func(name string, words []string)) {
	name, words := "", []string(nil)
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, begins := strings.Cut(line, ":"); begins {
			if name != "" {
				do(name, words)
			}
			name, words, line = head, nil, rest
		}
		words = append(words, strings.Fields(line)...)
	}
	if name != "" {
		do(name, words)
	}
}

// addWords notes words, by their stems, under a number that is not below those before.
func addWords(byStem map[string][]uint8, words []string, at uint8) {
	for _, w := range words {
		if s := english.Stem(w); !slices.Contains(byStem[s], at) {
			byStem[s] = append(byStem[s], at)
		}
	}
}

// Topics are what words are about, a word under each of them that its everyday meanings
// belong to. "Rent" is about a home, a job's "salary" about money: two texts may speak of
// one matter without a word in common. topics.txt has the list.
type Topics struct{}

// Of answers the numbers of the topics that a term is about, ascending, from 0; nil where
// it is about none, or not in the list. A term is the stem of a word in lower case (Snowball
// "Porter 2", the one the words channel uses). The answer is shared: it must not be changed.
func (Topics) Of(term string) []uint8 { return topics().byStem[term] }

// Sum tells two lists of topics apart.
func (Topics) Sum() uint64 { return topics().sum }

// Names are the names of the topics, by number.
func (Topics) Names() []string { return slices.Clone(topics().names) }
