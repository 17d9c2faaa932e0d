package cluster

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// Text is what a memory says.
type Text struct {
	Content string
	Derived bool // a sleep derived it: it may repeat sentences of its sources, and have headings
}

const (
	repeatedShare = 0.8 // share of the content words of a derived sentence that one sentence of another text has, from which on it repeats that
	distinctShare = 0.5 // share of the texts that must differ, if equal texts are to count once
)

// Statements returns of each text what no other one says, so that each statement counts once: of derived texts as Unrepeated,
// and of equal texts the first one, if at least half of the texts differ. Otherwise the repetition is what they are about.
func Statements(texts []Text) []string {
	out := Unrepeated(texts)
	first, others := map[string]bool{}, 0
	var again []int
	for i, t := range texts {
		if t.Derived || t.Content == "" {
			continue
		}
		others++
		if key := strings.Join(strings.Fields(strings.ToLower(t.Content)), " "); first[key] {
			again = append(again, i)
		} else {
			first[key] = true
		}
	}
	if float64(len(first)) >= distinctShare*float64(others) {
		for _, i := range again {
			out[i] = ""
		}
	}
	return out
}

// Unrepeated returns texts. Of derived ones it leaves out headings, and the sentences that another text has.
func Unrepeated(texts []Text) []string {
	out := make([]string, len(texts))
	said := &saidSentences{of: map[string][]int32{}}
	derived := slices.ContainsFunc(texts, func(t Text) bool { return t.Derived })
	for i, t := range texts {
		if t.Derived {
			continue
		}
		if out[i] = t.Content; derived {
			for _, s := range splitSentences(t.Content) {
				said.add(s)
			}
		}
	}
	for i, t := range texts {
		if t.Derived {
			out[i] = said.news(t.Content)
		}
	}
	return out
}

// saidSentences finds sentences by their content words.
type saidSentences struct {
	n  int32
	of map[string][]int32 // by word: the sentences with it, ascending
}

func (s *saidSentences) add(sentence string) {
	for w := range contentOf(sentence) {
		s.of[w] = append(s.of[w], s.n)
	}
	s.n++
}

// has reports whether one sentence has most content words of another one.
func (s *saidSentences) has(words map[string]bool) bool {
	shared := map[int32]int{}
	for w := range words {
		for _, k := range s.of[w] {
			if shared[k]++; float64(shared[k]) >= repeatedShare*float64(len(words)) {
				return true
			}
		}
	}
	return false
}

// news returns the sentences of a derived text that no other text has, and adds them. In a list, what is no item is a heading.
func (s *saidSentences) news(text string) string {
	list := strings.Contains(text, "\n- ")
	var out []string
	for line := range strings.Lines(text) {
		item, ok := strings.CutPrefix(line, "- ")
		if list && !ok {
			continue
		}
		for _, sentence := range splitSentences(item) {
			if words := contentOf(sentence); len(words) > 0 && !s.has(words) {
				s.add(sentence)
				out = append(out, sentence)
			}
		}
	}
	return strings.Join(out, "\n")
}

// splitSentences returns the sentences of a text, with their signs.
func splitSentences(text string) (out []string) {
	from := 0
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		ends := english.EndsSentence(text, i)
		if i += size; ends {
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// contentOf returns the lemmas of the words of a sentence that are neither stop words nor names of days and months.
func contentOf(sentence string) map[string]bool {
	words := map[string]bool{}
	for t := range english.Tokens(sentence, english.Names) {
		if w, ok := readWord(t); ok && !calendar(w.low) {
			words[w.lemma] = true
		}
	}
	return words
}
