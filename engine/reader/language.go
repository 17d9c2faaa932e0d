package reader

import (
	_ "embed"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

//go:embed data/languages.txt
var languagesFile string

// languages holds the words and the character trigrams of English and of other languages.
var languages = func() (l struct {
	english, foreign     map[string]bool
	trigrams             map[string][2]float64 // counts in English and in other words
	englishAll, otherAll float64
}) {
	l.english, l.foreign, l.trigrams = map[string]bool{}, map[string]bool{}, map[string][2]float64{}
	for line := range lines(wordsFile + setsFile + framesFile + cuesFile) {
		for _, w := range letters(line) {
			l.english[w] = true
		}
	}
	for line := range lines(languagesFile) {
		_, list, _ := strings.Cut(line, ": ")
		for _, w := range letters(list) {
			l.foreign[w] = true
		}
	}
	l.foreign[unspaced] = true
	count := func(words map[string]bool, side int, total *float64) {
		for w := range words {
			for g := range trigrams(w) {
				n := l.trigrams[g]
				n[side]++
				l.trigrams[g] = n
				*total++
			}
		}
	}
	count(l.english, 0, &l.englishAll)
	count(l.foreign, 1, &l.otherAll)
	return l
}()

// English reports whether a text is English, and how certain that is, in [0.5, 1]. It adds up
// the evidence of its words: those of the tables of this package, those of data/languages.txt,
// and for other words the likelihood ratio of their character trigrams. Without evidence, as in
// short settings, a text counts as English.
func English(text string) (bool, float64) {
	sum := 0.8
	for _, w := range letters(bounded(text)) {
		en, other := languages.english[w] || tables.function[w] || english.StopWord(w), languages.foreign[w]
		switch {
		case en && other:
		case en && tables.function[w]:
			sum += 1.5
		case en:
			sum++
		case other:
			sum -= 1.8
		default:
			sum += wordRatio(w)
		}
	}
	return sum >= 0, 1 / (1 + math.Exp(-math.Abs(sum)))
}

// wordRatio returns the mean log likelihood ratio of the trigrams of a word, in [-0.8, 0.5];
// letters outside ASCII count against English.
func wordRatio(w string) float64 {
	ratio, n := 0.0, 0.0
	for g := range trigrams(w) {
		c := languages.trigrams[g]
		ratio += math.Log((c[0] + 0.5) / languages.englishAll * languages.otherAll / (c[1] + 0.5))
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
func letters(text string) []string {
	var words []string
	for t := range english.Tokens(text, english.Words) {
		if t.Kind == english.Unspaced {
			words = append(words, unspaced)
		} else if t.Kind == english.Word && !strings.ContainsAny(t.Text, "0123456789") {
			words = append(words, t.Lower())
		}
	}
	return words
}

// trigrams yields the sequences of three characters of a word with its boundaries.
func trigrams(w string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		r := []rune("^" + w + "$")
		for i := 0; i+3 <= len(r); i++ {
			if !yield(string(r[i : i+3])) {
				return
			}
		}
	}
}
