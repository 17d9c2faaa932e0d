package attribute

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

//go:embed attributes.txt
var tableFile string

// attribute is a paragraph of attributes.txt.
type attribute struct {
	name  string
	names []string // its own, and that of the attribute near it
	stays bool
	also  *class    // of whose people it is an attribute too; nil: of nobody's
	named []pattern // questions by a noun
	asks  []pattern // others
	nouns [][]element
	homes [][]element // nouns that state it with a place
	says  []saying
}

// pattern is a form of a question.
type pattern struct {
	past     bool
	elements []element
}

// form is a form of a question for an attribute.
type form struct {
	of *attribute
	pattern
}

// element is a word of a form: one of some lemmas, or a class, or a placeholder.
type element struct {
	kind   byte // one of the constants below
	lemmas []string
	class  *class
}

const (
	aWord       = 'w'
	aClass      = '@'
	aQuestion   = 'q' // a question word
	aSubject    = 's'
	aPossessive = 'p'
)

// saying is a form of a claim.
type saying struct {
	past, denied, object bool
	verb                 [][]string // lemmas, any of each
	classes              []*class   // any of them; none: any object
	qualifiers           []string   // lemmas with one of which a qualifier must begin; none: any
}

// class is a class of words.
type class struct {
	groups map[uint16]bool
	lemmas map[string]bool
	except map[string]bool
	forms  []string
}

// table is attributes.txt.
type table struct {
	attributes []*attribute
	byName     map[string]*attribute
	classes    map[string]*class
	forms      []form           // by attribute, those by a noun first
	byLemma    map[string][]int // forms with the lemma
	wordless   []int            // forms without a word of their own
}

var tables = sync.OnceValue(func() *table {
	t := &table{byName: map[string]*attribute{}, classes: map[string]*class{}}
	var at *attribute
	for line := range strings.Lines(tableFile) {
		line = strings.TrimSpace(line)
		switch kind, rest, _ := strings.Cut(line, " "); {
		case line == "" || line[0] == '#': // a comment
		case line[0] == '[':
			name := strings.Trim(line, "[]")
			at = &attribute{name: name, names: []string{name}}
			t.attributes, t.byName[at.name] = append(t.attributes, at), at
		case kind == "class":
			name, list, _ := strings.Cut(rest, ": ")
			t.classes[name] = readClass(list)
		default:
			t.read(at, line)
		}
	}
	t.indexForms()
	return t
})

// indexForms lists the forms of questions, each by one of its words.
func (t *table) indexForms() {
	t.byLemma = map[string][]int{}
	for _, a := range t.attributes {
		for _, p := range slices.Concat(a.named, a.asks) {
			var rarest []string
			for _, e := range p.elements {
				if e.kind == aWord && (rarest == nil || len(e.lemmas) < len(rarest)) {
					rarest = e.lemmas
				}
			}
			n := len(t.forms)
			for _, lemma := range rarest {
				t.byLemma[lemma] = append(t.byLemma[lemma], n)
			}
			if rarest == nil {
				t.wordless = append(t.wordless, n)
			}
			t.forms = append(t.forms, form{a, p})
		}
	}
}

// candidates returns the forms that words may have, in order.
func (t *table) candidates(words []word) []int {
	found := slices.Clone(t.wordless)
	for _, w := range words {
		found = append(found, t.byLemma[w.lemma]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// nounForms are the questions for what a noun names.
var nounForms = []string{"WH P NOUN", "WH P NOUN name|call", "WH name P NOUN", "WH NOUN S", "WH NOUN S have", "WH NOUN P name"}

// read adds a line of an attribute.
func (t *table) read(at *attribute, line string) {
	cut := func(mark string) bool {
		rest, found := strings.CutPrefix(line, mark)
		line = rest
		return found
	}
	object, past, denied := cut("object "), cut("past "), cut("not ")
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "near":
		at.names = append(at.names, rest)
	case "stays":
		at.stays = true
	case "also":
		at.also = t.classes[rest[1:]]
	case "ask":
		at.asks = append(at.asks, pattern{past, t.elements(strings.Fields(rest))})
	case "noun", "nounat":
		for noun := range strings.FieldsSeq(rest) {
			noun := t.elements(strings.Split(strings.ReplaceAll(noun, "_of_", "_"), "_"))
			if kind == "noun" {
				at.nouns = append(at.nouns, noun)
			} else {
				at.homes = append(at.homes, noun)
			}
			for _, form := range nounForms {
				words := strings.Fields(form)
				n := slices.Index(words, "NOUN")
				at.named = append(at.named, pattern{false, slices.Concat(t.elements(words[:n]), noun, t.elements(words[n+1:]))})
			}
		}
	case "say":
		s := saying{past: past, denied: denied, object: object}
		for w := range strings.FieldsSeq(rest) {
			if list, ok := strings.CutPrefix(w, "%"); ok {
				s.qualifiers = lemmas(list)
			} else if list, ok := strings.CutPrefix(w, "@"); ok {
				for name := range strings.SplitSeq(list, "|") {
					s.classes = append(s.classes, t.classes[name])
				}
			} else {
				s.verb = append(s.verb, lemmas(w))
			}
		}
		at.says = append(at.says, s)
	}
}

// elements reads the words of a form.
func (t *table) elements(words []string) []element {
	out := make([]element, len(words))
	for i, w := range words {
		switch {
		case w == "WH":
			out[i].kind = aQuestion
		case w == "S":
			out[i].kind = aSubject
		case w == "P":
			out[i].kind = aPossessive
		case w[0] == '@':
			out[i].kind, out[i].class = aClass, t.classes[w[1:]]
		default:
			out[i].kind, out[i].lemmas = aWord, lemmas(w)
		}
	}
	return out
}

func lemmas(alternatives string) []string {
	words := strings.Split(alternatives, "|")
	for i, w := range words {
		words[i] = english.Lemma(w)
	}
	return words
}

// readClass reads the list of a class.
func readClass(list string) *class {
	c := &class{groups: map[uint16]bool{}, lemmas: map[string]bool{}, except: map[string]bool{}}
	for i, part := range strings.Split(list, `"`) {
		names := []string{part}
		if i%2 == 0 { // not quoted
			names = strings.Fields(part)
		}
		for _, name := range names {
			switch name[0] {
			case '=':
				c.lemmas[english.Lemma(name[1:])] = true
			case '-':
				c.except[english.Lemma(name[1:])] = true
			case '#':
				c.forms = append(c.forms, name)
			default:
				c.addGroups(name)
			}
		}
	}
	return c
}

func (c *class) addGroups(name string) {
	prefix, all := strings.CutSuffix(name, "*")
	for at, group := range (lexicon.Topics{}).Names() {
		if group != "" && (group == name || all && strings.HasPrefix(group, prefix)) {
			c.groups[uint16(at)] = true
		}
	}
}
