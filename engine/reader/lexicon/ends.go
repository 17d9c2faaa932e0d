package lexicon

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed ends.txt
var endsFile string

// EndForm is a form of a statement that ends something: relations of somebody to what the statement names, or the state of somebody or a thing.
type EndForm struct {
	Class   string
	Words   []string // after the verb; "X" stands for what ends
	Passive bool
	Object  bool // it has an X
}

// EndRelations is what a class of forms ends.
type EndRelations struct {
	Words  map[string]bool // lemmas of verbs and nouns
	Frames map[string]bool // names of predicates
	Said   []string        // states in words
	States [][]string      // each the lemmas of words that together name a state of the subject, and "." if nothing is acted on; a class with states has nothing else
}

// Ends are the forms of ends.txt by the lemma of their verb, and what they end by class.
var Ends = func() (t struct {
	Forms     map[string][]EndForm
	Relations map[string]EndRelations
}) {
	t.Forms, t.Relations = map[string][]EndForm{}, map[string]EndRelations{}
	for line := range Lines(endsFile) {
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			class, list, _ := strings.Cut(rest, " ")
			t.Relations[class] = readRelations(list)
			continue
		}
		class, list, _ := strings.Cut(line, ": ")
		for form := range strings.SplitSeq(list, ", ") {
			verb, f := ReadEnd(class, form)
			t.Forms[verb] = append(t.Forms[verb], f)
		}
	}
	return t
}()

// ReadEnd reads a form of a class as ends.txt writes it, and returns the lemma of its verb with it.
func ReadEnd(class, form string) (verb string, f EndForm) {
	f.Class = class
	form, f.Passive = strings.CutPrefix(form, "=")
	words := strings.Fields(form)
	f.Words, f.Object = words[1:], slices.Contains(words, "X")
	return Lemma(words[0]), f
}

func readRelations(list string) EndRelations {
	r := EndRelations{Words: map[string]bool{}, Frames: map[string]bool{}}
	for w := range strings.FieldsSeq(list) {
		if name, ok := strings.CutPrefix(w, "#"); ok {
			r.Frames[name] = true
		} else if state, ok := strings.CutPrefix(w, "="); ok {
			var lems []string
			for s := range strings.SplitSeq(state, "_") {
				if s == "." {
					lems = append(lems, s)
					continue
				}
				lems = append(lems, Lemma(s))
			}
			r.States = append(r.States, lems)
			said := strings.TrimPrefix(strings.ReplaceAll(strings.TrimSuffix(state, "_."), "_", " "), "have ")
			if first, _, several := strings.Cut(said, " "); !several || !slices.Contains(r.Said, first) { // it is found by its first word
				r.Said = append(r.Said, said)
			}
		} else {
			r.Words[Lemma(w)] = true
		}
	}
	return r
}
