package english

import (
	_ "embed"
	"iter"
	"strings"
)

// wordLists are the word lists of this package.
var wordLists = ReadLists(words)

//go:embed words.txt
var words string

// Lists are the named lists of a data file. An entry is one line.
type Lists map[string][]string

// ReadLists reads a data file. A line "[name]" begins a list, and the lines up to the next one are
// its entries. Blank lines and lines that begin with "#" are skipped.
func ReadLists(text string) Lists {
	lists, name := Lists{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			lists[name] = append(lists[name], line)
		}
	}
	return lists
}

// Lines returns the entries of a list. A list that is not in the file is a mistake in the program.
func (l Lists) Lines(name string) []string {
	if len(l[name]) == 0 {
		panic("unknown word list " + name)
	}
	return l[name]
}

// Words returns the words of all entries of a list, separated by spaces.
func (l Lists) Words(name string) string { return strings.Join(l.Lines(name), " ") }

// Set returns the words of all entries of a list as a set.
func (l Lists) Set(name string) map[string]bool { return WordSet(l.Words(name)) }

// Keys returns the key of each word of a list whose entries are "key: words".
func (l Lists) Keys(name string) map[string]string {
	keys := map[string]string{}
	for key, w := range l.Keyed(name) {
		keys[w] = key
	}
	return keys
}

// Keyed returns the words of a list whose entries are "key: words", each with its key.
func (l Lists) Keyed(name string) iter.Seq2[string, string] {
	return func(yield func(key, word string) bool) {
		for _, line := range l.Lines(name) {
			key, words, _ := strings.Cut(line, ":")
			for w := range strings.FieldsSeq(words) {
				if !yield(key, w) {
					return
				}
			}
		}
	}
}
