package reader

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// Classes of statements that end something, by what they end: relations of somebody to what the statement names, or the
// state of a thing.

//go:embed data/ends.txt
var endsFile string

// endForm is a form of a statement that ends something.
type endForm struct {
	class   string
	words   []string // after the verb; "X" stands for what ends
	passive bool
	object  bool // it has an X
}

// endRelations is what a class ends: lemmas of verbs and nouns, and frames.
type endRelations struct {
	words  map[string]bool
	frames map[uint8]bool
}

// ends are the forms by the lemma of their verb, and the relations by class.
var ends = func() (t struct {
	forms     map[string][]endForm
	relations map[string]endRelations
}) {
	t.forms, t.relations = map[string][]endForm{}, map[string]endRelations{}
	for line := range lexicon.Lines(endsFile) {
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			class, list, _ := strings.Cut(rest, " ")
			t.relations[class] = readRelations(list)
			continue
		}
		class, list, _ := strings.Cut(line, ": ")
		for form := range strings.SplitSeq(list, ", ") {
			f := endForm{class: class}
			form, f.passive = strings.CutPrefix(form, "=")
			ws := strings.Fields(form)
			if f.passive && ws[0] == "be" && len(ws) > 1 && !particles[ws[1]] && !tables.preposition[ws[1]] && !english.WordSet("gone dead")[ws[1]] {
				ws = ws[1:]
			}
			f.words, f.object = ws[1:], slices.Contains(ws, "X")
			t.forms[lexicon.Lemma(ws[0])] = append(t.forms[lexicon.Lemma(ws[0])], f)
		}
	}
	return t
}()

func readRelations(list string) endRelations {
	r := endRelations{map[string]bool{}, map[uint8]bool{}}
	for w := range strings.FieldsSeq(list) {
		if name, ok := strings.CutPrefix(w, "#"); ok {
			at := slices.IndexFunc(tables.frames, func(f frame) bool { return f.name == name })
			r.frames[uint8(at)] = true
		} else {
			r.words[lexicon.Lemma(w)] = true
		}
	}
	return r
}
