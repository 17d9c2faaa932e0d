package verbgroup

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

// Saying is what of a clause decides the form of its verb group.
type Saying struct {
	Imperative bool
	Past       bool // the finite verb is in the past tense
	Becomes    bool // somebody became a relative, a friend or something else of somebody
}

// Third returns the verb group from aux to the last word in the third person, without its denial, and with the preposition before the value.
func Third(words []syntax.Word, aux int, s Saying, prep string) string {
	var said []string
	at := len(words) - 1
	for i := aux; i <= at; i++ {
		low := strings.ToLower(words[i].Text)
		_, pronoun := english.PronounOf(low)
		if i < at && (low == "used" || low == "to" && i > 0 && words[i-1].Low == "used") {
			continue // the modality says that it is past
		}
		switch {
		case words[i].Low == "not" || low == "never" || i < at && s.Becomes || pronoun || tables.Adverb[low] || i < at && (low == "do" || low == "does" || tables.Relative[low]):
			continue
		case i == at && (words[at].Low == "become" || s.Becomes):
			low = "is"
		case len(said) == 0 && !s.Imperative && !(s.Past && words[i].Form == verb.Base):
			low = tables.Tokens.Verbs.ThirdOf(words[i].Low)
		}
		said = append(said, low)
	}
	if tables.Preposition[strings.Fields(prep + " .")[0]] || lexicon.Particles[prep] || strings.Contains(prep, " ") {
		said = append(said, prep)
	}
	return strings.Join(said, " ")
}

// Present returns the edits of a text that put the verb group of a plan from aux to the verb at an index into the present tense: "I will be
// starting" is then "I am starting". be is the form of "be" after the subject.
func Present(words []syntax.Word, aux, at int, be string) (edits []english.Edit) {
	future := false
	for i := aux; i < at; i++ {
		w := &words[i]
		goes := w.Low == "going" || w.Low == "gonna"
		ahead := i+1 < len(words) && (words[i+1].Low == "going" && i+2 <= at && i+2 < len(words) && words[i+2].Low == "to" || words[i+1].Low == "gonna")
		if w.Low == "will" || w.Low == "shall" || goes && (w.Low == "gonna" || words[i+1].Low == "to") || w.Low == "to" && i > 0 && words[i-1].Low == "going" || w.Lem == "be" && ahead {
			future = true
			by := ""
			if i > 0 && words[i-1].Start == w.Start { // "I'll", "I'm"
				by = words[i-1].Text
			}
			edits = append(edits, english.Edit{Start: w.Start, End: w.End, By: by})
			continue
		}
		if future && w.Low == "be" {
			return append(edits, english.Edit{Start: w.Start, End: w.End, By: be})
		}
	}
	if v := &words[at]; future {
		edits = append(edits, english.Edit{Start: v.Start, End: v.End, By: tables.Tokens.Verbs.Person(v.Low, be)})
	}
	return edits
}
