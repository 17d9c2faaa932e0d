// Package plans has the words with which a plan is called off or put off, and those that name what is planned.
package plans

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

//go:embed plans.txt
var file string

// Noun tells which plans a noun names.
type Noun struct {
	Verbs map[string]bool // lemmas of the verbs of such plans
	Weak  map[string]bool // those that need the name of a place: "going to Rome"
	Said  []string        // the nouns and the verbs
}

// late is the class of the forms that call nothing off without a day.
const late = "late"

// Tables of plans.txt.
var (
	Off   = map[string][]lexicon.EndForm{} // forms that call a plan off, or move it, by the lemma of their verb
	Not   = map[string][]string{}          // words after a verb whose denial calls its subject off, by its lemma
	Nouns = map[string]Noun{}              // by the lemma of the noun
)

func init() {
	for line := range lexicon.Lines(file) {
		names, list, _ := strings.Cut(line, ":")
		switch names {
		case "off", late:
			for form := range strings.SplitSeq(strings.TrimSpace(list), ", ") {
				verb, f := lexicon.ReadEnd(names, form)
				Off[verb] = append(Off[verb], f)
			}
		case "not":
			for form := range strings.SplitSeq(strings.TrimSpace(list), ", ") {
				words := strings.Fields(form)
				Not[lexicon.Lemma(words[0])] = append(Not[lexicon.Lemma(words[0])], strings.Join(words[1:], " "))
			}
		default:
			n := Noun{Verbs: map[string]bool{}, Weak: map[string]bool{}, Said: strings.Fields(names)}
			for verb := range strings.FieldsSeq(list) {
				verb, weak := strings.CutPrefix(verb, "~")
				if n.Said = append(n.Said, verb); weak {
					n.Weak[lexicon.Lemma(verb)] = true
				} else {
					n.Verbs[lexicon.Lemma(verb)] = true
				}
			}
			for noun := range strings.FieldsSeq(names) {
				Nouns[lexicon.Lemma(noun)] = n
			}
		}
	}
}
