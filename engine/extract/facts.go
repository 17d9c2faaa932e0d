package extract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// SameFacts reports whether two texts have the same numbers, dates, names, codes and negations, the
// same words for persons, direction, modality, quantity, frequency and repetition ("out of", "may", "some",
// "again"), which similarity does not see, and their words in the same order (SameOrder). Otherwise
// neither is a repetition of the other. Numbers are equal in any notation (two, 2, 2.0), names in
// any case. What is to be done ("TODO: call Ada") is not what was done. In doubt it reports a difference.
func SameFacts(a, b string) bool {
	if (len(Tasks(a)) > 0) != (len(Tasks(b)) > 0) {
		return false
	}
	x, y := factsOf(a), factsOf(b)
	return slices.Equal(x.numbers, y.numbers) && slices.Equal(x.times, y.times) && x.negations == y.negations &&
		slices.Equal(x.function, y.function) && !replaced(x.replaceable, y.replaceable) && x.question == y.question && x.hasNamesIn(y) && y.hasNamesIn(x) && SameOrder(a, b)
}

// Particulars returns the numbers, dates and names of a text, as lemmas in lower case and numbers in
// the form that SameFacts compares.
func Particulars(text string) []string {
	f := factsOf(text)
	all := slices.Concat(f.numbers, f.times)
	for _, n := range f.names {
		all = append(all, english.Lemma(n))
	}
	return all
}

// facts are the parts of a text that a paraphrase must keep.
type facts struct {
	numbers, times []string // sorted
	negations      int
	function       []string       // words of functionWords, sorted
	replaceable    map[string]int // how often the text has each of replaceableWords
	question       bool
	names          []string        // words with a capital that may be names, and with digits
	words          map[string]bool // all words
}

// hasNamesIn reports whether each name of f is a word of the other text.
func (f facts) hasNamesIn(o facts) bool {
	return !slices.ContainsFunc(f.names, func(n string) bool { return !o.words[n] })
}

// addFunction adds what a word, or the two words of a contraction, is among functionWords and
// replaceableWords. "only" after "not" is none.
func (f *facts) addFunction(ws []Word, i int) {
	base, clitic := english.Contraction(ws[i].Low)
	for _, low := range []string{english.Expand(base), english.Expand(clitic)} {
		low = cmp.Or(sameFunction[low], low)
		switch {
		case replaceableWords[low]:
			f.replaceable[low]++
		case functionWords[low] && (low != "only" || i == 0 || ws[i-1].Low != "not"):
			f.function = append(f.function, low)
		}
	}
}

// replaced reports whether each of two texts has a word that the other lacks, or has less often.
func replaced(a, b map[string]int) bool {
	more := func(x, y map[string]int) bool {
		for w, n := range x {
			if n > y[w] {
				return true
			}
		}
		return false
	}
	return more(a, b) && more(b, a)
}

func factsOf(text string) facts {
	f := facts{words: map[string]bool{}, replaceable: map[string]int{}}
	for _, s := range sentences(text) {
		f.question = f.question || s.Question
		for i, w := range s.Words {
			for part := range strings.FieldsSeq(Canonical(w.Text)) {
				f.words[part] = true
			}
			f.addFunction(s.Words, i)
			switch {
			case isNumber(w.Low):
				f.numbers = append(f.numbers, normalisedNumber(w.Low))
			case numberOf(w.Low) != 0:
				f.numbers = append(f.numbers, strconv.Itoa(numberOf(w.Low)))
			case negates(s.Words, i):
				f.negations++
			case calendar[w.Low] && (w.capital() || len(w.Low) > 3) && w.Low != "fall" && w.Low != "spring" && !(w.Low == "may" || w.Low == "march") || timeWords[w.Low],
				(w.Low == "may" || w.Low == "march") && w.capital() && !w.first:
				f.times = append(f.times, strings.TrimSuffix(w.Low, "s"))
			case strings.ContainsAny(w.Low, "0123456789"): // a code such as INV-1042 or bay12
				f.names = append(f.names, strings.Fields(Canonical(w.Text))...)
			case w.capital() && !isI(w.Low) && (!w.first || !commonWords[w.Low]):
				f.names = append(f.names, strings.Fields(Canonical(w.Text))...)
			}
		}
	}
	slices.Sort(f.numbers)
	slices.Sort(f.times)
	slices.Sort(f.function)
	return f
}

// negates reports a word that negates a statement. "not" before "only" does not.
func negates(ws []Word, i int) bool {
	switch low := ws[i].Low; low {
	case "not":
		return i+1 >= len(ws) || ws[i+1].Low != "only"
	case "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without", "hardly":
		return true
	default:
		return strings.HasSuffix(low, "n't")
	}
}

// normalisedNumber returns a number without grouping: 1,000 and 1000 give the same, so do 2.0 and
// 2, 3rd and 3; 14:30 and 14.30 do not.
func normalisedNumber(low string) string {
	s := strings.ReplaceAll(low, ",", "")
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	if cut, ok := english.CutOrdinal(s); ok {
		if _, err := strconv.Atoi(cut); err == nil {
			return cut
		}
	}
	return s
}

// numberOf returns the number that a word says: 2 for "two", "twice" and "second", 100 for
// "hundred"; 0 if it says none.
func numberOf(low string) int {
	if low == "twice" {
		return 2
	}
	if n, ok := english.NumberWord(low); ok {
		return n
	}
	if n, ok := english.ScaleWord(low); ok {
		return n
	}
	n, _ := english.OrdinalWord(low)
	return n
}

// isNumberWord reports a number in words other than an ordinal.
func isNumberWord(low string) bool {
	if n, ok := english.NumberWord(low); ok {
		return n > 0
	}
	_, ok := english.ScaleWord(low)
	return ok
}
