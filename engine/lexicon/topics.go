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

//go:embed groups.txt
var groupList string

// firstGroup is the number of the first narrow group. Topics have smaller numbers.
const firstGroup = 128

// topicIndex holds the topics and the groups, by number and by word.
type topicIndex struct {
	names  []string            // by number, empty between the topics and the groups
	byStem map[string][]uint16 // ascending
	sum    uint64
}

// topics reads the lists once.
var topics = sync.OnceValue(func() *topicIndex {
	t := &topicIndex{byStem: map[string][]uint16{}}
	t.read(topicList)
	t.names = append(t.names, make([]string, firstGroup-len(t.names))...)
	t.read(groupList)
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

// read adds the paragraphs of a list, with the next numbers.
func (t *topicIndex) read(list string) {
	paragraphs(list, func(name string, words []string) {
		at := uint16(len(t.names))
		t.names = append(t.names, name)
		for _, w := range words {
			if s := english.Stem(w); !slices.Contains(t.byStem[s], at) {
				t.byStem[s] = append(t.byStem[s], at)
			}
		}
	})
}

// Topics maps words to topics, by their everyday meanings: "rent" to home, "salary" to money and
// job. So two texts can share a topic without sharing a word. Groups are narrower: hot drinks, string
// instruments. The lists are topics.txt and groups.txt.
type Topics struct{}

// Of returns the numbers of the topics of a term, below 128, and of its groups, from 128; ascending, nil
// if it has none. A term is the english.Stem of a word in lower case. The result is shared and must
// not be changed.
func (Topics) Of(term string) []uint16 { return topics().byStem[term] }

// Sum is a checksum of the topics, without the groups.
func (Topics) Sum() uint64 { return topics().sum }

// SumOfGroups is a checksum of the topics and the groups.
func (Topics) SumOfGroups() uint64 { return groupSum() }

var groupSum = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(topicList + groupList)) // a hash never returns an error
	return h.Sum64()
})

// Names returns the names of the topics and groups, by number.
func (Topics) Names() []string { return slices.Clone(topics().names) }

// NameOf returns the name of a topic or group.
func NameOf(number uint16) string { return topics().names[number] }

// Narrow reports whether a number is that of a group.
func Narrow(number uint16) bool { return number >= firstGroup }

// OfOccupations reports whether a group lists occupations, which have nothing else in common.
func OfOccupations(number uint16) bool {
	return Narrow(number) && strings.HasPrefix(topics().names[number], "occupations")
}
