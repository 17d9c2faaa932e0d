package prompt

import (
	"slices"
	"strings"
	"unicode"
)

// alike is the cosine above which two texts say the same.
const alike = 0.85

// folding collects entries and counts near duplicates at the one that came first.
type folding struct {
	kept  []*entry
	texts map[string]*entry // where each text is counted
	marks map[*entry][]string
}

// newFolding begins with what stands anyway.
func newFolding(kept []*entry) *folding {
	f := &folding{kept: kept, texts: map[string]*entry{}, marks: map[*entry][]string{}}
	for _, e := range kept {
		f.texts[e.text] = e
	}
	return f
}

// add keeps e, or counts it where one that was kept says the same.
func (f *folding) add(e *entry) {
	k := f.like(e)
	if k == nil {
		f.kept = append(f.kept, e)
		k = e
	} else if !k.Core { // a core memory stands as it is
		k.count++
	}
	f.texts[e.text] = k
}

// like is the entry that says what e says, or nil.
func (f *folding) like(e *entry) *entry {
	if k := f.texts[e.text]; k != nil {
		return k
	}
	for _, k := range f.kept {
		if cosine(k.Vector, e.Vector) > alike && slices.Equal(f.marksOf(k), f.marksOf(e)) {
			return k
		}
	}
	return nil
}

func (f *folding) marksOf(e *entry) []string {
	m, ok := f.marks[e]
	if !ok {
		m = marks(e.text)
		f.marks[e] = m
	}
	return m
}

// cosine of two vectors of unit length; 0 where one is missing or of another model.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// marks are the words whose change changes what is said however alike the texts
// are: numbers, names and negations, lower case, sorted, each once.
func marks(text string) []string {
	var out []string
	start := true
	for _, w := range strings.Fields(text) {
		word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(word)
		first := []rune(word + " ")[0]
		switch {
		case strings.ContainsFunc(word, unicode.IsDigit),
			!start && unicode.IsUpper(first) && len(word) > 1,
			negations[lower], strings.HasSuffix(lower, "n't"), strings.HasSuffix(lower, "n’t"):
			out = append(out, lower)
		}
		start = strings.ContainsAny(w[len(w)-1:], ".!?:")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var negations = map[string]bool{
	"no": true, "not": true, "never": true, "none": true, "nobody": true, "nothing": true, "neither": true, "nor": true,
	"without": true, "cannot": true, "dont": true, "doesnt": true, "didnt": true, "isnt": true, "wasnt": true, "wont": true, "cant": true,
}
