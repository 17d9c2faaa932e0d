package attribute

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Care is the attribute of what harm follows from if it is not heeded.
const Care = "care"

// Stated is an attribute that a claim states, with the canonical names of whose it is.
type Stated struct {
	Attribute string
	Names     []string
}

// Of returns the attributes that a state of a claim of a memory states, whatever its modality.
func Of(m *graph.Memory, c *graph.Claim, s graph.ClaimState) (stated []Stated) {
	x := read(c, s)
	for _, a := range tables().attributes {
		if owner := x.owner(a); owner != "" {
			names := namesOf(m, owner)
			if whose, noun := possessed(owner); a.also != nil && whose != "" && len(noun) > 0 && a.also.has(noun[len(noun)-1]) {
				names = append(names, namesOf(m, whose)...)
			}
			stated = append(stated, Stated{a.name, names})
		}
	}
	return stated
}

// reading is a state of a claim, read for all attributes.
type reading struct {
	state           graph.ClaimState
	verb            []string
	tense           tense
	subject, object []word
	qualifiers      []graph.Qualifier
	owner1, owner2  string // who has what the subject, the object names: "I" of "my job"
	noun1, noun2    []word
}

func read(c *graph.Claim, s graph.ClaimState) *reading {
	x := &reading{state: s, subject: headed(s.Subject), object: headed(s.Object), qualifiers: c.Qualifiers}
	x.verb, x.tense = verbOf(s.Predicate)
	if n := len(x.verb); n > 1 && dates[x.verb[n-1]] && len(x.object) > 0 && hasForm("#date", x.object[len(x.object)-1]) {
		x.verb = x.verb[:n-1] // "got married in" 2020
	}
	x.owner1, x.noun1 = possessed(s.Subject)
	x.owner2, x.noun2 = possessed(s.Object)
	return x
}

// owner returns whose attribute the claim states; empty: it does not state it.
func (x *reading) owner(a *attribute) string {
	said := func(ofObject bool) bool {
		return slices.ContainsFunc(a.says, func(f saying) bool { return f.object == ofObject && f.fits(x) })
	}
	verb := strings.Join(x.verb, " ")
	mine := !x.state.Negated && x.tense != past
	switch {
	case mine && x.owner1 != "" && x.state.Object != "" && (copular[verb] && ends(x.noun1, a.nouns) || placing[verb] && ends(x.noun1, a.homes)):
		return x.owner1
	case mine && x.owner2 != "" && verb == "be" && ends(x.noun2, a.nouns):
		return x.owner2
	case len(x.object) > 0 && said(true):
		return objectName(x.object)
	case x.state.Subject != "" && said(false):
		return x.state.Subject
	}
	return ""
}

// objectName returns whom an object names: "I" for "me Birdie".
func objectName(object []word) string {
	if p, ok := english.PronounOf(object[0].low); ok && p.Person == 1 {
		return "I"
	}
	return named(object)
}

// tense is when a claim holds, as its verb says it.
type tense byte

const (
	present tense = iota
	perfect       // "has worked"
	past
)

var (
	beForms   = english.WordSet("am is are be been being was were")
	fillers   = english.WordSet("can could do does just now currently also still already recently always usually originally actually really both")
	objectEnd = english.WordSet("called named who which that with at for of in from since because but so when")
	dates     = english.WordSet("in on since for")
	former    = english.WordSet("old ex former previous last dream ideal next future first")
)

// copular are the verbs that tell what something is, or where; placing only where.
var (
	copular = map[string]bool{"be": true, "in": true, "on": true, "at": true, "be call": true, "be " + english.Lemma("name"): true}
	placing = map[string]bool{"in": true, "on": true, "at": true, "near": true}
)

// verbOf returns the lemmas of a predicate without auxiliaries, and its tense. The copula stays if it
// is the verb, or forms the passive: "be" of "is", "be base in" of "is based in".
func verbOf(predicate string) (verb []string, t tense) {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(predicate, "_", " ")))
	be := false
	for i, w := range words {
		switch {
		case beForms[w]:
			be = true
			if w == "was" || w == "were" {
				t = past
			}
			continue
		case (w == "has" || w == "have") && i+1 < len(words):
			t = perfect
			continue
		case fillers[w]:
			continue
		case w == "had" || w == "did":
			t = past
		case len(verb) == 0 && (strings.HasSuffix(w, "ed") || english.IrregularPast(w)):
			if be {
				verb = append(verb, "be")
			} else if t == present {
				t = past
			}
		}
		verb = append(verb, english.Lemma(w))
	}
	if len(verb) == 0 && be {
		verb = []string{"be"}
	}
	return verb, t
}

// headed returns the words of an object up to its first addition: "beagle" of "beagle called Waffles".
func headed(object string) []word {
	words := wordsOf(object)
	for i, w := range words {
		if i > 0 && objectEnd[w.low] {
			return words[:i]
		}
		if w.end {
			return words[:i+1]
		}
	}
	return words
}

// fits reports whether a claim has the form.
func (f *saying) fits(x *reading) bool {
	if f.denied != x.state.Negated || x.tense == past && !f.past || f.verb[0][0] != "*" && !isVerb(x.verb, f.verb) {
		return false
	}
	if len(f.qualifiers) > 0 && !slices.ContainsFunc(x.qualifiers, func(q graph.Qualifier) bool {
		first, _, _ := strings.Cut(q.Text, " ") // "size" of "size 41"
		return slices.Contains(f.qualifiers, english.Lemma(english.Lower(first)))
	}) {
		return false
	}
	value := x.object
	if f.object {
		value = x.subject
	}
	return len(f.classes) == 0 || slices.ContainsFunc(f.classes, func(c *class) bool { return c.of(value, len(x.verb) > 0 && x.verb[0] == "be") })
}

// isVerb reports whether each lemma of a verb is among those of a form.
func isVerb(verb []string, form [][]string) bool {
	if len(verb) != len(form) {
		return false
	}
	for i, alternatives := range form {
		if !slices.Contains(alternatives, verb[i]) {
			return false
		}
	}
	return true
}

// of reports whether an object is of the class: its last word, or any. Of a class with "#head" it is the last one.
func (c *class) of(object []word, last bool) bool {
	if len(object) == 0 {
		return false
	}
	if slices.Contains(c.forms, "#age") {
		return measures(object, ageWords)
	}
	if slices.Contains(c.forms, "#height") {
		return measures(object, heightWords) && len(object) > 1
	}
	if last || slices.Contains(c.forms, "#head") {
		return c.has(object[len(object)-1])
	}
	return slices.ContainsFunc(object, c.has)
}

var (
	ageWords    = english.WordSet("year years old")
	heightWords = english.WordSet("m cm metre metres meter meters centimetre centimetres centimeter centimeters foot feet ft inch inches in tall")
)

// measures reports a number with units.
func measures(object []word, units map[string]bool) bool {
	number := false
	for _, w := range object {
		switch {
		case numeric(w.low):
			number = true
		case !units[w.low] && !english.StopWord(w.low):
			return false
		}
	}
	return number
}

// possessed splits "Anna's new job" and "my job" into an owner and the noun; the owner is empty if
// there is none, or if it is about what was or may be: "my old job".
func possessed(subject string) (owner string, noun []word) {
	words := wordsOf(subject)
	at := slices.IndexFunc(words, func(w word) bool { return w.possessive })
	switch {
	case len(words) > 1 && (words[0].low == "my" || words[0].low == "our"):
		owner, noun = "I", words[1:]
	case at >= 0 && at < len(words)-1:
		owner, noun = named(words[:at+1]), words[at+1:]
	default:
		return "", nil
	}
	if slices.ContainsFunc(noun, func(w word) bool { return former[w.low] || strings.HasPrefix(w.low, "ex-") || w.possessive }) {
		return "", nil
	}
	return owner, unnamed(noun)
}

// unnamed returns words without a name at the end: "sister" of "sister Mona".
func unnamed(words []word) []word {
	n := len(words)
	for n > 1 && words[n-1].capital() {
		n--
	}
	return words[:n]
}

// ends reports whether words end with one of some nouns.
func ends(words []word, nouns [][]element) bool {
	return slices.ContainsFunc(nouns, func(noun []element) bool {
		if len(words) < len(noun) {
			return false
		}
		for i, e := range noun {
			w := words[len(words)-len(noun)+i]
			if e.kind == aClass && !e.class.has(w) || e.kind == aWord && !slices.Contains(e.lemmas, w.lemma) {
				return false
			}
		}
		return true
	})
}

// namesOf returns the canonical names of a subject of a claim, of each of two that are joined, "Dario
// and I", and of "ana's sister Mona" also "ana's sister".
func namesOf(m *graph.Memory, subject string) (names []string) {
	add := func(name string) {
		if reader.FirstPerson(extract.Canonical(name)) {
			name = reader.User
		}
		for _, name := range claimkey.Names(m, name) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for part := range strings.SplitSeq(subject, " and ") {
		add(part)
		if owner, noun := possessed(part); owner != "" && owner != "I" {
			add(owner + "'s " + textOf(noun))
		}
	}
	return names
}

func textOf(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// States reports whether a state of a claim states an attribute of one of some canonical names.
func States(m *graph.Memory, c *graph.Claim, s graph.ClaimState, attribute string, names []string) bool {
	return slices.ContainsFunc(Of(m, c, s), func(x Stated) bool {
		return x.Attribute == attribute && slices.ContainsFunc(x.Names, func(n string) bool { return slices.Contains(names, n) })
	})
}
