package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// pattern is one way to state the value of an attribute. It is anchored at a verb. before is what
// comes before the verb: the subject, the value or nothing. after is what follows.
type pattern struct {
	attribute string
	kind      claimKind
	before    byte // 'S', 'V' or 0
	weak      bool // the object must be of a known kind: "is a", "goes to"
	event     bool // a past form states the present: moved, joined, was born
	there     bool // it follows "there"
	after     []patternPart
}

// patternPart is one of some words, or a slot.
type patternPart struct {
	slot     byte // 'S', 'V', 'O', 'Q', 'R', 'P' (a preposition of place follows), or 0 for words
	words    map[string]bool
	optional bool
}

// patterns by the words that anchor them.
var patterns = readPatterns(attributeTable)

// readPatterns reads the table of attributes. A line "name kind" begins an attribute; the lines
// after it are its patterns, indented by one space, or by two if they are weak. S is the subject,
// V the value, O another word for the owner, Q a name that identifies which one (the version of
// what), R an occupation, and P stands before a preposition of place. a|b is one of some words, a
// word with a question mark is optional, and ^ marks a verb for an event whose result lasts.
func readPatterns(table string) map[string][]*pattern {
	m := map[string][]*pattern{}
	name, kind := "", claimKind(0)
	for _, line := range strings.Split(table, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if line[0] != ' ' {
			name, kind = f[0], claimKind(f[1][0])
			continue
		}
		w := &pattern{attribute: name, kind: kind, weak: strings.HasPrefix(line, "  ")}
		if f[0] == "S" || f[0] == "V" {
			w.before, f = f[0][0], f[1:]
		} else if f[0] == "there" {
			w.there, f = true, f[1:]
		}
		anchor, event := strings.CutPrefix(f[0], "^")
		w.event = event
		for _, x := range f[1:] {
			if len(x) == 1 && strings.Contains("SVOQRP", x) {
				w.after = append(w.after, patternPart{slot: x[0]})
				continue
			}
			x, optional := strings.CutSuffix(x, "?")
			w.after = append(w.after, patternPart{words: alternatives(x), optional: optional})
		}
		for a := range alternatives(anchor) {
			m[a] = append(m[a], w)
		}
	}
	return m
}

func alternatives(list string) map[string]bool {
	return lemmas(strings.ReplaceAll(list, "|", " "))
}

// slots are the tokens in the slots of a pattern.
type slots struct{ subject, value, object, qualifier []token }

// set fills a slot; ok is false if the tokens do not suit it.
func (h *slots) set(hole byte, t []token) (ok bool) {
	switch hole {
	case 'S':
		h.subject = t
	case 'V':
		h.value = t
	case 'O':
		h.object = t
	case 'Q':
		h.qualifier = t
		return len(t) == 1 && (t[0].upper || t[0].first)
	case 'R':
		return len(t) < 4 && mayBeOccupation(t[len(t)-1].lem) && !members[t[len(t)-1].lem]
	}
	return true
}

// members are persons at a place that does not employ them.
var members = lemmas("student pupil undergraduate member guest customer patient visitor resident volunteer regular client intern apprentice trainee stranger")

// match reads the parts at t[i:]. Slots take as few tokens as possible, except for the last.
func match(t []token, i int, parts []patternPart, h *slots) bool {
	if len(parts) == 0 {
		return true
	}
	p := parts[0]
	if p.slot == 0 {
		j := i
		for j < len(t) && t[j].is(adverb) && !p.words[t[j].lem] {
			j++
		}
		if j < len(t) && !t[j].punctuation && p.words[t[j].lem] && match(t, j+1, parts[1:], h) {
			return true
		}
		return p.optional && match(t, i, parts[1:], h)
	}
	if p.slot == 'P' {
		return i < len(t) && t[i].is(placePreposition) && match(t, i, parts[1:], h)
	}
	if len(parts) == 1 {
		return i < len(t) && h.set(p.slot, t[i:])
	}
	for j := i + 1; j < len(t) && j <= i+8; j++ {
		if t[j-1].punctuation {
			return false
		}
		if p.slot == 'O' && parts[1].slot == 'V' && !t[j].upper {
			continue // named her parrot | Captain
		}
		if match(t, j, parts[1:], h) && h.set(p.slot, t[i:j]) {
			return true
		}
	}
	return false
}

var placePrepositions = english.WordSet("in on at under behind near inside beneath below above beside outside over next")

// isAuxiliary reports a word between a subject and its verb that does not change the meaning.
func isAuxiliary(x token) bool {
	return x.is(formOfBe) || x.is(formOfHave) || x.is(adverb) || x.low == "can" || x.low == "must" || x.low == "to" || x.low == "will"
}

// claimsOfClause reads the attributes that a clause states, by its patterns. If the clause
// is about a past event, only the results of the event count.
func (p *parser) claimsOfClause(t []token, told bool) []claim {
	var out []claim
	for i, x := range t {
		if x.punctuation {
			continue
		}
		if x.is(anchorWord) {
			for _, w := range patterns[x.lem] {
				if told && !w.event {
					continue
				}
				c, ok := p.claim(t, i, w)
				if ok && !slices.ContainsFunc(out, func(o claim) bool { return o.attribute == c.attribute && slices.Equal(o.owner, c.owner) }) {
					out = append(out, c)
				}
			}
		}
		if c, ok := p.setToClaim(t, i); ok {
			out = append(out, c)
		}
		if told {
			continue
		}
		if x.is(formOfBe) || x.lem == "cost" {
			if c, ok := p.freeClaim(t, i); ok {
				out = append(out, c)
			}
			if c, ok := p.materialClaim(t, i); ok && x.is(formOfBe) {
				out = append(out, c)
			}
		}
		if x.is(formOfBe) && x.low != "'s" || x.lem == "have" {
			if c, ok := p.nounClaim(t, i); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

func (p *parser) claim(t []token, i int, w *pattern) (claim, bool) {
	var h slots
	from := i
	was, linked := false, false
	for from > 0 && isAuxiliary(t[from-1]) {
		from--
		was = was || t[from].low == "was" || t[from].low == "were" || t[from].low == "had"
		linked = linked || t[from].is(formOfBe) || t[from].is(formOfHave)
	}
	if w.there && !(from == 1 && t[0].low == "there") {
		return claim{}, false
	}
	if w.before == 0 && !w.there && from > 0 && !(from == 1 && (t[0].low == "you" || t[0].low == "we" || t[0].low == "i" || t[0].low == "they")) {
		return claim{}, false
	}
	past := was || t[i].past && !linked
	if past && w.before == 0 && !w.event {
		return claim{}, false // an event, which may recur
	}
	if w.before != 0 {
		if from == 0 {
			return claim{}, false
		}
		h.set(w.before, t[:from])
	}
	if w.attribute == "when" && visitVerbs[t[i].lem] && !t[0].is(determiner) {
		return claim{}, false // the plumber comes once, a friend may come again
	}
	if w.attribute == "tool" && w.before != 0 && !slices.ContainsFunc(t[i+1:min(len(t), i+4)], func(x token) bool { return x.upper }) {
		return claim{}, false
	}
	if !match(t, i+1, w.after, &h) {
		return claim{}, false
	}
	if w.event {
		past = false
	}
	c := claim{attribute: w.attribute, kind: w.kind, past: past, weak: w.weak && !p.occupational, copular: beForms[t[i].low] && len(w.after) == 1}
	if w.before != 'S' {
		h.subject = firstPhrase(h.subject)
	}
	if n := len(h.subject); c.attribute == "name" && n > 1 { // my boss is called Ann
		if of, ok := attributeNouns[h.subject[n-1].lem]; ok && of.kind == ofName && personAttributes[of.attribute] {
			c.attribute, h.subject = of.attribute, h.subject[:n-1]
		}
	}
	if len(h.qualifier) > 0 {
		c.attribute += " of " + h.qualifier[0].lem
	}
	if len(h.object) > 0 {
		of := firstPhrase(h.object)
		if len(h.subject) > 0 && len(of) > 1 && pronoun(of[0].low) != "" {
			of = of[1:] // Ann named her dog
		} else if c.attribute == "name" && !of[0].is(determiner) {
			return claim{}, false // "I called Ann Lee"
		}
		h.subject = slices.Concat(h.subject, of)
	}
	c, ok := p.complete(c, h.subject, h.value)
	if ok && beForms[t[i].low] && c.attribute == "where" && !containsAny(c.owner, eventNouns) {
		return claim{}, false // only events take place somewhere
	}
	return c, ok
}

var visitVerbs = lemmas("come call visit")

// firstPhrase returns the tokens before the first mark, conjunction or preposition other than
// "of".
func firstPhrase(t []token) []token {
	for i, x := range t {
		if i > 0 && (x.punctuation || x.is(joining) || x.is(adverb) || x.is(preposition) && x.low != "of") {
			return t[:i]
		}
	}
	return t
}
