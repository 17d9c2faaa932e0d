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

// topicIndex is the list of topics, by number and by word.
type topicIndex struct {
	names  []string           // by number
	byStem map[string][]uint8 // ascending
	sum    uint64
}

// topics reads the list once.
var topics = sync.OnceValue(func() *topicIndex {
	t := &topicIndex{byStem: map[string][]uint8{}}
	paragraphs(topicList, func(name string, words []string) {
		t.names = append(t.names, name)
		addWords(t.byStem, words, uint8(len(t.names)-1))
	})
	h := fnv.New64a()
	_, _ = h.Write([]byte(topicList)) // a hash never returns an error
	t.sum = h.Sum64()
	return t
})

// paragraphs calls do for each paragraph of a list: a name before a colon, and the words after it,
// on one or more lines. A line that begins with # is a comment.
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

// addWords adds a number to the stems of the words. The numbers of one stem must be added in
// ascending order.
func addWords(byStem map[string][]uint8, words []string, at uint8) {
	for _, w := range words {
		if s := english.Stem(w); !slices.Contains(byStem[s], at) {
			byStem[s] = append(byStem[s], at)
		}
	}
}

// Topics maps words to topics, by their everyday meanings: "rent" to home, "salary" to money and
// job. So two texts can share a topic without sharing a word. The list is topics.txt.
type Topics struct{}

// Of returns the numbers of the topics of a term, ascending, from 0; nil if it has none. A term is
// the english.Stem of a word in lower case. The result is shared and must not be changed.
func (Topics) Of(term string) []uint8 { return topics().byStem[term] }

// Sum is a checksum of the list.
func (Topics) Sum() uint64 { return topics().sum }

// Names returns the names of the topics, by number.
func (Topics) Names() []string { return slices.Clone(topics().names) }
