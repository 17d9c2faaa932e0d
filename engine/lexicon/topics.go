package lexicon

import (
	"embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/internal/english"
)

//go:embed topics.txt
var topicList string

//go:embed groups/*.txt
var groupFiles embed.FS

// topicsRead is the lists of topics and groups as they were read.
type topicsRead struct {
	names  []string           // by number
	byStem map[string][]uint8 // ascending
	sum    uint64

	groups  []string            // by number
	grouped map[string][]uint16 // by stem, ascending
}

// topics reads the lists, once.
var topics = sync.OnceValue(func() *topicsRead {
	t := &topicsRead{byStem: map[string][]uint8{}, grouped: map[string][]uint16{}}
	paragraphs(topicList, func(name string, words []string) {
		t.names = append(t.names, name)
		under(t.byStem, words, uint8(len(t.names)-1))
	})
	h := fnv.New64a()
	_, _ = h.Write([]byte(topicList)) // a hash never fails
	t.sum = h.Sum64()
	for _, list := range groupLists() {
		paragraphs(list, func(name string, words []string) {
			t.groups = append(t.groups, name)
			under(t.grouped, words, uint16(len(t.groups)-1))
		})
	}
	return t
})

// groupLists are the files of groups, in order of their names.
func groupLists() (out []string) {
	files, err := groupFiles.ReadDir("groups")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, f := range files {
		list, err := groupFiles.ReadFile("groups/" + f.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, string(list))
	}
	return out
}

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

// under notes words, by their stems, under a number that is not below those before.
func under[N uint8 | uint16](byStem map[string][]N, words []string, at N) {
	for _, w := range words {
		if s := english.Stem(w); !slices.Contains(byStem[s], at) {
			byStem[s] = append(byStem[s], at)
		}
	}
}

// Topics are what words are about, a word under each of them that its everyday meanings
// belong to. "Rent" is about a home, a job's "salary" about money: two texts may speak of
// one matter without a word in common. topics.txt has the topics, broad ones, and groups
// the groups, narrow ones: hot drinks, string instruments, moving house.
type Topics struct{}

// Of answers the numbers of the topics that a term is about, ascending, from 0; nil where
// it is about none, or not in the list. A term is the stem of a word in lower case (Snowball
// "Porter 2", the one the words channel uses). The answer is shared: it must not be changed.
func (Topics) Of(term string) []uint8 { return topics().byStem[term] }

// Groups answers the numbers of the groups that a term is in, the same way.
func (Topics) Groups(term string) []uint16 { return topics().grouped[term] }

// Sum tells two lists of topics apart. It says nothing of the groups.
func (Topics) Sum() uint64 { return topics().sum }

// Names are the names of the topics, by number.
func (Topics) Names() []string { return slices.Clone(topics().names) }

// GroupNames are the names of the groups, by number.
func (Topics) GroupNames() []string { return slices.Clone(topics().groups) }
