package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// pattern is one way to say what an attribute's value is. It is read around its
// anchor, a verb. before is what stands before it: the subject, the value or nothing.
// after are the parts behind it.
type pattern struct {
	attribute string
	kind      claimKind
	before    byte // 'S', 'V' or 0
	weak      bool // needs an object of a known kind: "is a", "goes to"
	event     bool // a past form says what is so now: moved, joined, was born
	there     bool // behind "there"
	after     []patternPart
}

// participle is a word out of some, or a hole.
type patternPart struct {
	slot     byte // 'S', 'V', 'O', 'Q', 'R', 'P': before a preposition of place, or 0: one of words
	words    map[string]bool
	optional bool
}

// patterns by the words that anchor them.
var patterns = readPatterns(attributeTable)

// readPatterns reads the table of attributes. A line "name kind" begins an attribute,
// the lines under it, by one space, or by two if weak, are its wordings: S is the subject, V the value, a|b one of some
// words, O what else says whose it is, Q a name that says which one is meant (the version of what), R an occupation, P where a preposition of place follows, a word with a question mark may be missing, and a verb after ^ tells of an
// event whose outcome stands.
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

// slots are what stands where a wording has its subject and its value.
type slots struct{ subject, value, object, qualifier []token }

// set fills a hole; ok is false where the words are none for it.
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

// members are at a place that does not employ them.
var members = lemmas("student pupil undergraduate member guest customer patient visitor resident volunteer regular client intern apprentice trainee stranger")

// match reads the parts at t[i:]. Holes take as few words as they can but for the last.
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

// isAuxiliary reports a word between a subject and its verb that changes nothing.
func isAuxiliary(x token) bool {
	return x.is(formOfBe) || x.is(formOfHave) || x.is(adverb) || x.low == "can" || x.low == "must" || x.low == "to" || x.low == "will"
}

// claimsOfClause reads the attributes that a clause gives, by its wordings. Of one that tells of
// a time in the past only what then came to be counts.
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
		return claim{}, false // it happened, as it may again
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
	if ok && beForms[t[i].low] && c.attribute == "where" && !slices.ContainsFunc(c.owner, isEvent) {
		return claim{}, false // only what happens is held somewhere
	}
	return c, ok
}

var visitVerbs = lemmas("come call visit")

// firstPhrase is what stands before the first mark, joiner or preposition but "of".
func firstPhrase(t []token) []token {
	for i, x := range t {
		if i > 0 && (x.punctuation || x.is(joining) || x.is(adverb) || x.is(preposition) && x.low != "of") {
			return t[:i]
		}
	}
	return t
}
