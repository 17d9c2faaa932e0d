package conflict

import (
	"slices"
	"strings"
)

// group is a verb group: auxiliaries, negation, adverbs and the main verb.
type group struct {
	verb    string
	part    string // the participle behind "be" or "get"
	got     bool   // "got married"
	be      bool
	ing     bool
	neg     bool
	never   bool
	ended   bool
	hedged  bool
	started bool
	could   bool // "could not"
	freq    int8
	tense   tense
	mood    mood
	end     int // first token behind it
}

var rareWords = words("rarely seldom hardly barely scarcely")
var oftenWords = words("always often frequently constantly regularly usually daily")

// light negations that negate nothing: "not only", "not sure", "not bad".
var notNot = words("only just merely simply sure certain bad necessarily uncommon unusual everyone everything all every quite that exactly too so entirely mention")

var stopVerbs = lemmas("stop quit cease")
var startVerbs = lemmas("start begin keep continue resume")
var failVerbs = lemmas("fail refuse forget neglect decline")
var hedgeVerbs = lemmas("want plan hope intend wish aim try consider think dream imagine pretend promise expect need wonder suggest recommend propose")
var opinionVerbs = lemmas("think believe know guess suppose feel confirm realize say mention hear find remember claim insist argue announce tell doubt wonder assume imagine pretend dream suspect note notice understand admit")
var rawOpinions = lemmas("think believe suppose feel guess")

// readGroup reads the verb group that begins at v.
func readGroup(t []token, v int) group {
	var g group
	i := v
	aux := func() bool { return i > v }
	for ; i < len(t); i++ {
		x := t[i]
		switch {
		case x.mark || x.used:
			g.end = i
			return g.done()
		case x.low == "not" || x.low == "never":
			if next := at(t, i+1); x.low == "not" && notNot[next] {
				if next == "sure" || next == "certain" || next == "necessarily" || next == "everyone" || next == "all" || next == "every" || next == "entirely" || next == "exactly" || next == "always" {
					g.mood = aside
				}
				i++
				continue
			}
			g.neg = !g.neg
			g.never = g.never || x.low == "never"
			continue
		case x.low == "no" && at(t, i+1) == "longer":
			g.neg, g.ended = true, true
			i++
			continue
		case rareWords[x.low]:
			g.freq = -1
			continue
		case oftenWords[x.low] && !(g.be && x.low == "daily"):
			g.freq = 1
			continue
		case x.low == "once" || x.low == "formerly" || x.low == "previously" || x.low == "originally":
			if x.low != "once" || i+1 < len(t) && finite(t[i+1]) {
				g.tense = past
				continue
			}
			g.end = i
			return g.done()
		case x.low == "probably" || x.low == "maybe" || x.low == "perhaps" || x.low == "almost" || x.low == "nearly":
			if x.low != "probably" {
				g.mood = aside
			}
			continue
		case x.low == "used" && at(t, i+1) == "to" && !g.be:
			g.tense = past
			g.verb = "-"
			i++
			continue
		case beForms[x.low]:
			if g.verb != "" && g.verb != "-" {
				g.end = i
				return g.done()
			}
			g.be = true
			if x.low == "was" || x.low == "were" {
				g.tense = past
			}
			if x.low == "been" {
				g.tense = perfect
			}
			continue
		case haveForms[x.low]:
			if g.be && x.low == "having" {
				g.verb, g.ing = "hav", true
				g.end = i + 1
				return g.done()
			}
			if at(t, i+1) == "to" && i+2 < len(t) {
				g.mood = must
				if x.low == "had" {
					g.tense = past
				}
				i++
				continue
			}
			if p := afterAdverbs(t, i+1); p < len(t) && participle(t[p]) && !(nounish[t[p].lem] && !isPast(t[p].low)) {
				g.tense = perfect
				if x.low == "had" {
					g.tense = past
				}
				continue
			}
			if x.low == "had" && g.tense != perfect {
				g.tense = past
			}
			g.verb, g.end = "have", i+1
			return g.done()
		case doForms[x.low]:
			if p := afterAdverbs(t, i+1); p < len(t) && (isVerb(t[p].lem) || haveForms[t[p].low] || beForms[t[p].low]) && baseForm(t[p]) {
				if x.low == "did" {
					g.tense = past
				}
				continue
			}
			if x.low == "did" {
				g.tense = past
			}
			g.verb, g.end = "do", i+1
			return g.done()
		case modals[x.low]:
			switch x.low {
			case "will", "shall":
				g.tense = future
			case "can":
				g.mood = max(g.mood, can)
			case "could":
				if at(t, i+1) != "not" {
					g.mood = aside
				}
				g.could, g.tense = true, past
			case "should", "must":
				g.mood = max(g.mood, must)
			default:
				g.mood = aside
			}
			continue
		case g.be && x.low == "going" && at(t, i+1) == "to" && i+2 < len(t) && isVerb(t[i+2].lem) && baseForm(t[i+2]) && !determiners[at(t, i+2)]:
			g.tense, g.be = future, false
			i++
			continue
		case g.be && (x.low == "able" || x.low == "unable") && at(t, i+1) == "to":
			g.mood = max(g.mood, can)
			g.neg = g.neg != (x.low == "unable")
			g.be = false
			i++
			continue
		case g.be && (x.low == "supposed" || x.low == "required" || x.low == "obliged") && at(t, i+1) == "to":
			g.mood, g.be = max(g.mood, must), false
			i++
			continue
		case g.be && isIng(x.low) && isVerb(x.lem):
			g.ing, g.be, g.verb = true, false, x.lem
		case g.be && isPast(x.low) && isVerb(x.lem):
			g.part, g.verb, g.end = x.lem, "be", i+1
			return g.done()
		case adverbs[x.low] && x.low != "so" && x.low != "both" && x.low != "all" || strings.HasSuffix(x.low, "ly") && len(x.low) > 4 && !isVerb(x.lem) && (x.low != "early" && x.low != "friendly" && x.low != "lonely" && x.low != "family" && x.low != "weekly" && x.low != "monthly" && x.low != "italy"):
			if g.verb != "" && g.verb != "-" {
				g.end = i
				return g.done()
			}
			if g.be && at(t, i+1) == "" && !adverbs[x.low] {
				g.end = i
				return g.done()
			}
			continue
		case g.be:
			g.end = i
			return g.done()
		case isVerb(x.lem) && (!x.upper || i == v):
			if isPast(x.low) && g.tense == present && !aux() {
				g.tense = past
			}
			g.verb = x.lem
			if isIng(x.low) {
				g.ing = true
			}
		default:
			g.end = i
			return g.done()
		}
		// a main verb was read at i: what governs another verb?
		next := i + 1
		if g.ing && !g.be && i == v && g.tense == past {
			g.tense = present
		}
		switch {
		case stopVerbs[g.verb] && next < len(t) && isIng(t[next].low) && isVerb(t[next].lem):
			g.neg, g.ended, g.tense = !g.neg, true, present
			g.verb = t[next].lem
			next++
		case startVerbs[g.verb] && next < len(t) && isIng(t[next].low) && isVerb(t[next].lem):
			g.started, g.tense, g.verb = true, present, t[next].lem
			next++
		case (startVerbs[g.verb] || g.verb == lemma("tend") || g.verb == lemma("manage") || g.verb == lemma("happen")) && at(t, next) == "to" && next+1 < len(t) && isVerb(t[next+1].lem) && baseForm(t[next+1]):
			g.verb = t[next+1].lem
			next += 2
		case g.verb == decideKey && (at(t, next) == "to" || at(t, next) == "not" && at(t, next+1) == "to"):
			if at(t, next) == "not" {
				g.neg = !g.neg
				next++
			}
			if next+1 < len(t) && isVerb(t[next+1].lem) {
				g.verb = t[next+1].lem
				next += 2
				if endings[g.verb] == nil && g.tense != future {
					g.tense = present
				}
			}
		case failVerbs[g.verb] && at(t, next) == "to" && next+1 < len(t) && isVerb(t[next+1].lem):
			g.neg = !g.neg
			g.verb = t[next+1].lem
			next += 2
		case (g.verb == "need" || g.verb == lemma("ought")) && at(t, next) == "to" && next+1 < len(t) && isVerb(t[next+1].lem):
			g.mood = max(g.mood, must)
			g.verb = t[next+1].lem
			next += 2
		case g.verb == "get" && next < len(t) && isPast(t[next].low) && isVerb(t[next].lem):
			g.part, g.got, g.verb, g.tense = t[next].lem, true, "be", present
			next++
		case g.verb == lemma("take") && at(t, next) == "place":
			g.verb = "happen"
			next++
		case hedgeVerbs[g.verb] && (at(t, next) == "to" || next < len(t) && isIng(t[next].low) || at(t, next) == "about" || at(t, next) == "of"):
			g.hedged = true
		}
		g.end = next
		return g.done()
	}
	g.end = i
	return g.done()
}

var decideKey = lemma("decide")

var idle = lemmas("wait help believe imagine complain thank emphasize recommend overstate")

func (g group) done() group {
	if g.could && (idle[g.verb] || g.be || g.verb == "agree" || g.verb == "care") {
		g.mood = aside // "couldn't agree more"
	}
	if g.mood == can && g.neg {
		switch {
		case idle[g.verb]: // "can't wait", "can't help but"
			g.mood = aside
		case g.verb == "stand" || g.verb == "bear":
			g.verb, g.mood, g.neg = "hat", fact, false
		}
	}
	if g.be && (g.verb == "" || g.verb == "-") {
		g.verb = "be"
	}
	if g.verb == "-" {
		g.verb = ""
	}
	return g
}

func at(t []token, i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i].low
}

func afterAdverbs(t []token, i int) int {
	for i < len(t) && (adverbs[t[i].low] || strings.HasSuffix(t[i].low, "ly") && !isVerb(t[i].lem)) {
		i++
	}
	return i
}

func participle(t token) bool {
	return verbs[t.lem] && (isPast(t.low) || t.low == "put" || t.low == "set" || t.low == "cut" || t.low == "read" || t.low == "quit" || t.low == "become" || t.low == "come" || t.low == "run") || t.low == "been"
}

// findVerb is the index of the verb group of a segment, or −1.
func findVerb(t []token, shared bool) int {
	best, lead := -1, 0
	for lead < len(t)-1 && adverbs[t[lead].low] {
		lead++
	}
	for i, x := range t {
		if x.mark && x.low == ":" {
			return -1
		}
		if x.used || !finite(x) {
			continue
		}
		prev := at(t, i-1)
		switch {
		case x.low == "'s":
			if !copula(t, i) {
				continue
			}
			return i
		case i > 0 && (determiners[prev] && !(strongVerb(x) && (prev == "this" || prev == "that" || prev == "these" || prev == "those" || prev == "some" || prev == "her")) || prepositions[prev] && prev != "off" && prev != "up" && prev != "in" || prev == "to"):
			continue
		case i > 0 && prepositions[prev] && !strongVerb(x):
			continue
		case isIng(x.low) && !(i == lead && !shared && !hasVerb(t[1:])):
			continue
		case strongVerb(x):
			if isPast(x.low) && !beForms[x.low] && !haveForms[x.low] && !doForms[x.low] && i+1 < len(t) && i > 0 && strongLater(t, i) && !subjectPronoun[prev] {
				continue // "the meeting scheduled for Monday is"
			}
			return i
		case nounish[x.lem]:
			if i+1 < len(t) && (strongVerb(t[i+1]) || t[i+1].low == "'s") {
				continue
			}
			if i == lead && !shared {
				if n := at(t, i+1); n != "" && (determiners[n] || pronoun(n) != "" || prepositions[n] || !strongLater(t, i)) && !hasColon(t) {
					return i
				}
				continue
			}
			if strongLater(t, i) && !subjectPronoun[prev] {
				continue
			}
			if baseForm(x) && i > 0 && !pluralSubject(t[:i]) && !(i+1 < len(t) && t[i+1].used) {
				continue
			}
			return i
		default:
			if i > 0 && i+1 < len(t) && strongVerb(t[i+1]) && !subjectPronoun[prev] {
				continue // "tax returns are due"
			}
			if baseForm(x) && i > 0 && strongLater(t, i) && !subjectPronoun[prev] && !adverbs[prev] {
				if best < 0 && pluralSubject(t[:i]) {
					best = i
				}
				continue
			}
			return i
		}
	}
	return best
}

func hasColon(t []token) bool {
	return slices.ContainsFunc(t, func(x token) bool { return x.mark && x.low == ":" })
}

// strongLater reports whether an unmistakable verb follows i before the phrase ends.
func strongLater(t []token, i int) bool {
	for j := i + 1; j < len(t) && j < i+8 && !t[j].mark; j++ {
		if low := t[j].low; low == "that" || low == "which" || low == "who" || low == "because" || low == "if" || low == "when" || low == "where" || low == "what" || subjectPronoun[low] {
			return false
		}
		if (beForms[t[j].low] && t[j].low != "'s" && t[j].low != "be" && t[j].low != "being" || modals[t[j].low] && t[j].low != "'d" || t[j].low == "has" || t[j].low == "does" || t[j].low == "did") && at(t, j-1) != "to" {
			return true
		}
	}
	return false
}

func pluralSubject(t []token) bool {
	for j := len(t) - 1; j >= 0; j-- {
		x := t[j]
		if adverbs[x.low] || x.mark || strings.HasSuffix(x.low, "ly") {
			continue
		}
		if x.low == "i" || x.low == "we" || x.low == "you" || x.low == "they" || x.low == "people" || x.low == "who" {
			return true
		}
		if strings.HasSuffix(x.low, "s") && !strings.HasSuffix(x.low, "ss") && x.low != "'s" && !x.upper && !x.first {
			return true
		}
		for _, y := range t[:j] {
			if y.low == "and" {
				return true
			}
		}
		return false
	}
	return false
}

// segment reads one clause.
func (p *parser) segment(t []token) {
	for len(t) > 0 && (t[0].mark || joiners[t[0].low] || interjections[t[0].low] && len(t) > 1 && t[0].low != "now") {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1].mark {
		t = t[:len(t)-1]
	}
	if len(t) < 2 || len(p.out) >= maxClauses || unsure[t[0].low] {
		return
	}
	p.read(t, false)
}

var unsure = words("maybe perhaps possibly hopefully presumably apparently supposedly allegedly potentially")

// read reads a clause; flip is set where it stands under "I don't think".
func (p *parser) read(t []token, flip bool) {
	shared := len(p.subjT) > 0
	vals := values(t, p.at)
	v := findVerb(t, shared)
	c := clause{vals: vals}
	var g group
	var subject []token
	switch {
	case v < 0:
		split := p.fragment(t, vals)
		if split < 1 {
			return
		}
		subject = t[:split]
		g = group{verb: "be", be: true, end: split}
		if at(t, split) == ":" {
			g.end++
		}
		for i := g.end; i < len(t); i++ {
			if t[i].low == "not" || t[i].low == "no" || t[i].low == "never" {
				return
			}
		}
		v = split
	default:
		g = readGroup(t, v)
		subject = t[:v]
		if g.verb == "" {
			return
		}
	}
	for len(subject) > 0 && (subject[0].mark || adverbs[subject[0].low] || subject[0].low == "currently") {
		if subject[0].low == "not" || subject[0].low == "maybe" || subject[0].low == "perhaps" {
			return
		}
		if subject[0].low == "always" || subject[0].low == "never" {
			if subject[0].low == "never" {
				g.neg, g.never = true, true
			} else {
				g.freq = 1
			}
		}
		subject = subject[1:]
	}
	for len(subject) > 0 && (adverbs[subject[len(subject)-1].low] || subject[len(subject)-1].low == "longer") {
		switch w := subject[len(subject)-1].low; {
		case w == "never" || w == "not":
			g.neg, g.never = !g.neg, true
		case w == "longer" && len(subject) > 1:
			g.neg, g.ended = true, true
			subject = subject[:len(subject)-1]
		case w == "almost" || w == "nearly":
			return
		case rareWords[w]:
			g.freq = -1
		case oftenWords[w]:
			g.freq = 1
		case w == "formerly" || w == "previously" || w == "originally" || w == "once":
			g.tense = past
		}
		subject = subject[:len(subject)-1]
	}
	imperative := false
	if len(subject) == 0 {
		switch {
		case shared:
			subject = p.subjT
			if p.prev != nil && g.tense == present && !strongVerb(t[v]) && baseForm(t[v]) {
				if p.prev.hedged || p.prev.mood != fact || p.prev.tense == future {
					g.mood, g.hedged, g.tense = p.prev.mood, p.prev.hedged, p.prev.tense
					if p.prev.hedged {
						g.mood = aside
					}
				}
			}
		case strongVerb(t[v]) && !doForms[t[v].low] || isIng(t[v].low) || ownVerbs[g.verb]:
			if beForms[t[v].low] {
				return
			}
			c.subj = []string{p.selfKey()}
		case baseForm(t[v]) || doForms[t[v].low]:
			imperative = true
			c.subj = []string{"@you"}
			g.mood = max(g.mood, must)
		default:
			return
		}
	}
	if len(subject) > 0 {
		p.subject(&c, subject, vals, &g)
		if len(c.subj) == 0 {
			return
		}
	}
	p.subjT, p.prev = subject, &g
	// opinions: "I think that …" says it, "Ann thinks that …" does not
	if opinionVerbs[g.verb] && !imperative && g.end < len(t) {
		if at(t, g.end) == "that" || subjectPronoun[at(t, g.end)] || hasVerb(t[g.end:]) && !hedgedTo(t, g.end) {
			own := len(c.subj) == 1 && (c.subj[0] == "@i" || c.subj[0] == "@we" || c.subj[0] == p.self)
			if !own || g.mood != fact || g.neg && !rawOpinions[g.verb] || reported[g.verb] {
				p.subjT = nil
				return
			}
			inner := t[g.end:]
			for len(inner) > 0 && (inner[0].low == "that" || inner[0].mark || inner[0].low == "like") {
				inner = inner[1:]
			}
			for i := range inner {
				inner[i].used = false
			}
			p.subjT = nil
			if len(inner) > 1 {
				p.read(inner, flip != g.neg)
			}
			return
		}
	}
	c.verb, c.ing, c.neg, c.never, c.ended, c.freq, c.tense, c.mood = g.verb, g.ing, c.neg != (g.neg != flip), g.never, g.ended, g.freq, g.tense, g.mood
	c.hedged = g.hedged
	if g.part != "" {
		c.passiv = true
	}
	p.complement(&c, t, g, v)
	if len(p.lead) > 0 {
		lead := slices.Clone(p.lead)
		lv := values(lead, p.at)
		c.vals = append(c.vals, lv...)
		p.items(&c, lead)
	}
	if len(p.cond) > 0 {
		c.cond = strings.TrimSpace(c.cond + " " + strings.Join(p.cond, " "))
	}
	for i := range c.vals {
		c.vals[i].before = c.vals[i].at < v
	}
	if c.mood == aside {
		return
	}
	p.assert(&c, g, t)
	p.out = append(p.out, c)
	p.imply(&c)
	if len(c.who) > 1 && len(p.out) < maxClauses {
		p.read(c.who, false)
	}
}

func hedgedTo(t []token, i int) bool {
	w := at(t, i)
	return w == "to" || w == "about" || w == "of" || w == "how"
}

var reported = lemmas("hear doubt wonder assume imagine pretend dream suspect claim say tell")

// ownVerbs begin a note about oneself where the subject is left out: "Love sushi".
var ownVerbs = lemmas("like hate prefer live work have enjoy")

func (p *parser) selfKey() string {
	if p.self != "" {
		return p.self
	}
	return "@i"
}

// fragment is where the subject of a note without a verb ends: before a colon, or
// before its first value or preposition.
func (p *parser) fragment(t []token, vals []value) int {
	if !p.note {
		return -1
	}
	for i, x := range t {
		if x.mark && x.low == ":" {
			return i
		}
	}
	for _, x := range t {
		if finite(x) && !nounish[x.lem] && !isIng(x.low) {
			return -1
		}
	}
	if len(vals) == 0 || len(t) > 10 || vals[0].kind >= valueMoney {
		return -1
	}
	i := vals[0].at
	for i > 0 && (prepositions[t[i-1].low] || t[i-1].mark || vagueWords[t[i-1].low]) {
		i--
	}
	return i
}

// subject reads who or what a clause is about.
func (p *parser) subject(c *clause, t []token, vals []value, g *group) {
	c.named, c.open = true, true
	for i, x := range t {
		if x.mark || x.low == "'s" {
			continue
		}
		if i > 0 && (x.low == "who" || x.low == "which" || x.low == "that" && i+1 < len(t) && (finite(t[i+1]) || subjectPronoun[t[i+1].low])) {
			break
		}
		switch x.low {
		case "some", "most", "many", "few", "part", "half", "several", "certain", "one":
			c.weak = true
		case "no", "none", "nobody", "neither", "nothing":
			g.neg = !g.neg
			if x.low == "nobody" || x.low == "none" || x.low == "nothing" {
				c.subj = append(c.subj, "@any")
			}
			c.open = false
			continue
		case "everyone", "everybody", "someone", "somebody", "anyone", "everything":
			if x.low[0] == 's' {
				c.weak = true
			}
			c.subj = append(c.subj, "@any")
			continue
		case "the", "my", "our", "your", "his", "her", "their", "its", "this", "every", "all":
			c.open = false
		case "and":
			c.plural = true
		}
		if k := pronoun(x.low); k != "" {
			if k == "@i" {
				k = p.selfKey()
			}
			if !(k == "@it" && len(t) > 1) {
				c.subj = append(c.subj, k)
			}
			c.named = c.named && k == p.self
			if subjectPronoun[x.low] {
				c.open = false
			}
			continue
		}
		if x.low == "user" {
			c.subj, c.named, c.open = append(c.subj, p.selfKey()), false, false
			continue
		}
		if x.used || stop[x.low] || strings.HasSuffix(x.low, "ly") && adverbs[x.low] {
			continue
		}
		if i+1 < len(t) && t[i+1].low == "'s" || x.upper {
			c.open = false
		}
		if !x.upper && !x.first {
			c.named = false
			c.plural = c.plural || i == len(t)-1 && plural(x.low, x.lem)
		}
		if x.first && x.raw[0] >= 'a' {
			c.named = false
		}
		c.subj = append(c.subj, x.lem)
	}
	for _, v := range vals {
		if v.at < len(t) && len(t) > 0 && v.kind <= valueYear {
			c.subj = append(c.subj, "#"+string(rune('a'+int(v.kind)))+itoa(int(v.num)))
		}
	}
	if c.named || c.open && !c.plural && !slices.ContainsFunc(c.subj, isEvent) && !slices.ContainsFunc(t, func(x token) bool { return x.low == "a" || x.low == "an" || x.low == "another" || x.low == "any" }) {
		c.open = false
	}
	slices.Sort(c.subj)
	c.subj = slices.Compact(c.subj)
}

func plural(low, lem string) bool {
	return strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && low != lem || low == "children" || low == "people"
}
