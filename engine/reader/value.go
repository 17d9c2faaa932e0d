package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/graph"
)

// mergeValues merges the words of a value into one word with its normal form: numbers in words
// and digits, clock times ("half past nine", "9:30 am"), money, percent, amounts with a unit,
// dates and telephone numbers. It also inserts "is" or "has" after the words that resolveClitics marked.
func mergeValues(words []word, text string) []word {
	out := words[:0:0]
	plain := make([]quantity.Word, len(words))
	for i := range words {
		plain[i] = quantity.Word{Low: words[i].low, Sign: words[i].sign}
	}
	for i := 0; i < len(words); {
		w := words[i]
		if w.class == cliticIs || w.class == cliticHas {
			low := "is"
			if w.class == cliticHas {
				low = "has"
			}
			w.class, w.end = 0, w.start+len(w.text)
			is := word{text: low, low: low, start: w.end, end: w.end, quoted: w.quoted}
			out = append(out, w, is)
			i++
			continue
		}
		previous, capital := "", false
		if len(out) > 0 {
			previous, capital = out[len(out)-1].low, startsUpper(out[len(out)-1].text)
		}
		lem, kind, n := tables.quantities.Value(plain[i:], previous, capital)
		if n == 0 {
			out = append(out, w)
			i++
			continue
		}
		last := words[i+n-1]
		w.end = last.end
		w.text = text[w.start:w.end]
		w.low = strings.ToLower(w.text)
		w.lem, w.class, w.value = lem, class(kind), true
		out = append(out, w)
		i += n
	}
	return out
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// nameClass returns the class of a word with a capital.
func nameClass(text string, at int) class {
	switch extract.TypeOf(text) {
	case graph.Person:
		return classPerson
	case graph.Place:
		return classPlace
	}
	if at == 0 && !strings.ContainsAny(text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return classNoun
	}
	return className
}
