// Package frames has the predicates of frames.txt: by which verbs and nouns a clause states each, and how many values it has at a time.
package frames

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// File is the table as it is written.
//
//go:embed frames.txt
var File string

// All are the predicates, Verbs their forms by the lemma of the verb, Nouns by the lemma of the noun, and Kinds the words of each kind that a
// condition may name.
var All, Verbs, Nouns, Kinds = read()

// Cardinality is how many values a predicate has at a time.
type Cardinality uint8

const (
	Many Cardinality = iota // likes, has visited, speaks; and all that the table does not have
	One                     // lives in, is called, log level
	Open                    // undecided: prefers
)

// Frame is a predicate of frames.txt.
type Frame struct {
	Person      bool // its nouns name persons: a value without a name describes them
	Apart       bool // its nouns name different things: a dentist is no physician
	Name, Label string
	Cardinality Cardinality
}

// Use is what a form says about the value of its slot.
type Use uint8

const (
	State  Use = iota
	Change     // the value has changed to this one
	End        // the value has ended
)

// Form is one form of a frame.
type Form struct {
	Frame   uint8
	Use     Use
	Inverse bool   // the value is the subject
	Direct  bool   // the value is the direct object, and the words after prep tell the slot apart
	Thing   bool   // the slot is that of what is acted on: "they moved it to V", "it moved to V"
	Passive bool   // "be" and a participle
	Prep    string // before the value; empty for a direct object or complement
	Noun    string // lemma of the direct object or complement that the form needs
	Label   string // the predicate that the form means instead of that of its frame; "~" is the verb as written
	Takes   []Condition
	Beside  bool // a second value by this form stands beside the first one
}

// Condition is what a form of frames.txt asks of its clause: one of several kinds, or none of them.
type Condition struct {
	Kinds []string
	Not   bool
}

// conditionOf reads a condition of a form, "@home|town" or "!animal|family"; ok is false for any other word.
func conditionOf(word string) (c Condition, ok bool) {
	kinds, not := strings.CutPrefix(word, "!")
	if !not {
		if kinds, ok = strings.CutPrefix(word, "@"); !ok {
			return c, false
		}
	}
	return Condition{strings.Split(kinds, "|"), not}, true
}

// read reads frames.txt.
func read() (frames []Frame, verbs, nouns map[string][]Form, kinds map[string]map[string]bool) {
	verbs, nouns, kinds = map[string][]Form{}, map[string][]Form{}, map[string]map[string]bool{}
	for line := range lexicon.Lines(File) {
		head, forms, _ := strings.Cut(line, ": ")
		if kind, ok := strings.CutPrefix(head, "@"); ok {
			kinds[kind] = lexicon.Lemmas(english.WordSet(forms))
			continue
		}
		name, cardinality, _ := strings.Cut(head, " ")
		cardinality, label, _ := strings.Cut(cardinality, " ")
		f := Frame{Name: name, Label: label}
		switch cardinality {
		case "one":
			f.Cardinality = One
		case "each":
			f.Cardinality, f.Apart = One, true
		case "open":
			f.Cardinality = Open
		}
		f.Person = persons[name]
		at := uint8(len(frames))
		frames = append(frames, f)
		for form := range strings.SplitSeq(forms, ", ") {
			s := Form{Frame: at}
			for ; strings.IndexByte("><^", form[0]) >= 0; form = form[1:] {
				switch form[0] {
				case '>':
					s.Use = Change
				case '<':
					s.Use = End
				case '^':
					s.Inverse = true
				}
			}
			if noun, ok := strings.CutPrefix(form, "#"); ok {
				lem := lexicon.Lemma(noun)
				nouns[lem] = append(nouns[lem], s)
				continue
			}
			form, s.Label, _ = strings.Cut(form, " =")
			ws := strings.Fields(form)
			verb := lexicon.Lemma(ws[0])
			if verb == "be" && len(ws) > 1 && !prepositions[ws[1]] && participles[ws[1]] {
				ws = ws[1:]
				verb, s.Passive = lexicon.Lemma(ws[0]), true
			}
			for _, w := range ws[1:] {
				takes, ok := conditionOf(w)
				switch {
				case ok:
					s.Takes = append(s.Takes, takes)
				case w == "&":
					s.Beside = true
				case w == "it":
					s.Thing = true
				case w == "_":
					s.Direct = true
				case prepositions[w]:
					s.Prep = w
				default:
					s.Noun = lexicon.Lemma(w)
				}
			}
			verbs[verb] = append(verbs[verb], s)
		}
	}
	return frames, verbs, nouns, kinds
}

// persons are the predicates whose nouns name persons.
var persons = english.WordSet("relationship roommate doctor therapist coach landlord boss")

// prepositions are the words of which a form of a frame is told apart; particles are among them.
var prepositions = english.WordSet("in at on with to for by from of as out up down over off until under behind inside next above below beside into per after through back")

// participles are the verbs that frames.txt uses in the passive voice.
var participles = english.WordSet("base bear employ enrol call know name reach marry engage divorce coach manage lead run head own maintain handle assign close block host deploy keep schedule plan collect store insure set use write build track read learn listen divorced do")
