// Package language tells English from other languages, for texts of a few words.
package language

import (
	_ "embed"
	"iter"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

//go:embed languages.txt
var languagesFile string

// Model holds the words of English and of other languages, and how much likelier each character
// trigram is in English.
type Model struct {
	english, foreign, function map[string]bool
	trigrams                   map[string]float64 // log likelihood ratios
	unseen                     float64            // that of a trigram that is in no word
}

// New makes a model of the words in lists of English. function holds the function words.
func New(lists iter.Seq[string], function map[string]bool) *Model {
	l := &Model{english: map[string]bool{}, foreign: map[string]bool{}, function: function, trigrams: map[string]float64{}}
	for line := range lists {
		for _, w := range letters(line) {
			l.english[w] = true
		}
	}
	for line := range strings.Lines(languagesFile) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		_, list, _ := strings.Cut(line, ": ")
		for _, w := range letters(list) {
			l.foreign[w] = true
		}
	}
	l.foreign[unspaced] = true
	counts := map[string][2]float64{} // in English and in other words
	count := func(words map[string]bool, side int) (total float64) {
		for w := range words {
			for g := range trigrams(w) {
				n := counts[g]
				n[side]++
				counts[g] = n
				total++
			}
		}
		return total
	}
	englishAll, otherAll := count(l.english, 0), count(l.foreign, 1)
	ratio := func(n [2]float64) float64 { return math.Log((n[0] + 0.5) / englishAll * otherAll / (n[1] + 0.5)) }
	for g, n := range counts {
		l.trigrams[g] = ratio(n)
	}
	l.unseen = ratio([2]float64{})
	return l
}

// English reports whether a text is English, and how certain that is, in [0.5, 1]. It adds up
// the evidence of its words: those of the English lists, those of languages.txt,
// and for other words the likelihood ratio of their character trigrams. Without evidence, as in
// short settings, a text counts as English.
func (l *Model) English(text string) (bool, float64) {
	sum, namesOnly := 0.8, l.foreignNamesOnly(text)
	for w := range words(text) {
		en, other := l.listed(w.low), l.foreign[w.low]
		switch {
		case en && other:
		case en && l.function[w.low]:
			sum += 1.5
		case en:
			sum++
		case namesOnly && w.capital && other:
		case other:
			sum -= 1.8
		case w.name:
			sum += nameShare * l.wordRatio(w.low)
		case namesOnly && w.capital:
			sum += max(l.wordRatio(w.low), nameShare*l.wordRatio(w.low))
		default:
			sum += l.wordRatio(w.low)
		}
	}
	return sum >= 0, 1 / (1 + math.Exp(-math.Abs(sum)))
}

// nameShare is how much an unknown name counts beside another unknown word: people and places have names of other
// languages in English texts too.
const nameShare = 0.25

func (l *Model) listed(w string) bool {
	return l.english[w] || l.function[w] || english.StopWord(w)
}

// foreignNamesOnly reports whether all words without a capital are English, also as inflected forms and numbers,
// one of them is in no other language, and they are two or more and at least as many as those with a capital: "Ole is
// eleven". The words with a capital that other languages have are names then, also at the beginning.
func (l *Model) foreignNamesOnly(text string) bool {
	small, capitals, only := 0, 0, false
	for w := range words(text) {
		if w.capital {
			capitals++
			continue
		}
		small++
		_, number := english.NumberWord(w.low)
		if !number && !l.listed(w.low) && !(inflected(w.low) && l.listed(english.Lemma(w.low))) {
			return false
		}
		only = only || !l.foreign[w.low]
	}
	return only && small >= max(2, capitals)
}

func inflected(w string) bool {
	return strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")
}

// wordRatio returns the mean log likelihood ratio of the trigrams of a word, in [-0.8, 0.5];
// letters outside ASCII count against English.
func (l *Model) wordRatio(w string) float64 {
	ratio, n := 0.0, 0.0
	for g := range trigrams(w) {
		r, seen := l.trigrams[g]
		if !seen {
			r = l.unseen
		}
		ratio += r
		n++
	}
	ratio = ratio / max(1, n) / 3
	if len(w) != utf8.RuneCountInString(w) {
		ratio -= 0.6
	}
	return max(-0.8, min(0.5, ratio))
}

// unspaced stands for a run in a script without blanks, which is not English.
const unspaced = "的"

// letters returns the words of a text in lower case that have no digits.
func letters(text string) (all []string) {
	for w := range words(text) {
		all = append(all, w.low)
	}
	return all
}

// word is a word in lower case. A name is a word with a capital that comes after another one of the same sentence.
type word struct {
	low           string
	capital, name bool
}

// words yields the words of a text that have no digits.
func words(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		last := -1 // where the last word ended
		for t := range english.Tokens(text, english.Words) {
			w := word{low: t.Lower()}
			if t.Kind == english.Unspaced {
				w.low = unspaced
			} else if t.Kind != english.Word || strings.ContainsAny(t.Text, "0123456789") {
				continue
			}
			first, _ := utf8.DecodeRuneInString(t.Text)
			w.capital = unicode.IsUpper(first)
			w.name = w.capital && last >= 0 && !strings.ContainsAny(text[last:t.Start], ".!?:\n")
			last = t.End
			if !yield(w) {
				return
			}
		}
	}
}

// trigrams yields the sequences of three characters of a word with its boundaries.
func trigrams(w string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		w := "^" + w + "$"
		for from := 0; ; {
			_, first := utf8.DecodeRuneInString(w[from:])
			_, second := utf8.DecodeRuneInString(w[from+first:])
			third := from + first + second
			if third >= len(w) {
				return
			}
			_, last := utf8.DecodeRuneInString(w[third:])
			if !yield(w[from : third+last]) {
				return
			}
			from += first
		}
	}
}
