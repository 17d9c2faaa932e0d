package conflict

import (
	"slices"
	"strings"
)

// assertion is what a clause states with a functional predicate, one that has a single object at a
// time.
type assertion struct {
	subject   []string // nil for the subject of the clause
	predicate string
	object    []string // lemmas of the object
	name      string   // the object as written, in lower case, with single spaces
	proper    bool     // the object is a name
	ended     bool     // it was so, and no longer is
	past      bool
	nameOnly  bool // the object counts only if it is a name or of a known kind
}

var madeVerbs = lemmas("write build host deploy store develop implement base code program power make")
var byVerbs = lemmas("lead manage own found direct write invent run design maintain paint compose sponsor")
var placeVerbs = lemmas("locate situate base headquarter hold house")

var leadVerbs = lemmas("lead manage own chair coach captain")
var moveVerbs = lemmas("move relocate settle emigrate")

// phrase returns the words of the clause's first phrase with one of the prepositions.
func (c *clause) phrase(preps ...string) []item {
	for i, x := range c.items {
		if slices.Contains(preps, x.prep) && !x.compared {
			j := i
			for j < len(c.items) && !c.items[j].last && c.items[j].prep == x.prep {
				j++
			}
			return c.items[i:min(j+1, len(c.items))]
		}
	}
	return nil
}

// object returns the words of the clause's first phrase without a preposition.
func (c *clause) object() []item {
	from := 0
	if c.passive {
		from = 1
	}
	for i := from; i < len(c.items); i++ {
		if c.items[i].prep == "" {
			j := i
			for j < len(c.items) && !c.items[j].last && c.items[j].prep == "" {
				j++
			}
			return c.items[i:min(j+1, len(c.items))]
		}
	}
	return nil
}

// readAssertions reads what the clause states with functional predicates.
func (p *parser) readAssertions(c *clause, g verbGroup, t []token) {
	if c.modality != asserted || c.hedged || c.tense == future && c.verb != "be" && c.verb != "happen" || c.weak || c.condition != "" {
		return
	}
	was := c.tense == past
	done := c.tense == past || c.tense == perfect // a past event whose result lasts
	over := c.ended
	if c.negated && !c.ended {
		return
	}
	add := func(pred string, items []item, past, ended bool) *assertion {
		a := assertionOf(pred, items)
		if a == nil {
			return nil
		}
		a.past, a.ended = past && !ended, ended
		c.assertions = append(c.assertions, *a)
		return &c.assertions[len(c.assertions)-1]
	}
	person := c.named || slices.ContainsFunc(c.subject, func(s string) bool { return s[0] == '@' })
	switch {
	case c.verb == "liv":
		if a := add("place", c.phrase("in", "at"), was, over); a != nil {
			for _, x := range c.items {
				if x.prep == "in" && x.proper && !slices.Contains(a.object, x.lem) {
					a.object = append(a.object, x.lem) // "in Sweden, in Uppsala"
				}
			}
		}
	case moveVerbs[c.verb] && done && !c.progressive:
		add("place", c.phrase("to", "in"), false, over)
		add("place", c.phrase("from"), false, true)
		if slices.ContainsFunc(c.items, func(x item) bool { return x.low == "out" || x.low == "away" }) {
			add("place", c.phrase("of", "from"), false, true)
		}
	case c.verb == "work" && !c.passive:
		add("employer", c.phrase("at", "for"), was, over)
		if as := c.phrase("as"); len(as) > 0 && occupations[as[len(as)-1].lem] {
			add("role", as[len(as)-1:], was, over)
		}
	case c.verb == "join" && done:
		if o := c.object(); len(o) > 0 && o[0].proper {
			add("employer", o, false, over)
		}
	case (c.verb == leaveKey || c.verb == "quit" || c.verb == "resign") && done:
		o := c.phrase("from", "at")
		if o == nil {
			o = c.object()
		}
		if len(o) > 0 && (o[0].proper || o[0].det == "a") {
			add("employer", o, false, true)
		}
		if len(o) > 0 && (o[0].proper || isPlace(o[0].low)) {
			add("place", o, false, true)
		}
	case c.verb == "report":
		add("manager", c.phrase("to"), was, over)
	case c.verb == "belong":
		add("owner", c.phrase("to"), was, over)
	case c.verb == "major":
		add("major", c.phrase("in"), was, over)
	case c.verb == graduateKey && done:
		add("alma", c.phrase("from"), false, false)
	case c.verb == "grow" && done && len(c.items) > 0 && c.items[0].low == "up":
		if a := add("grew up", c.phrase("in"), false, false); a != nil {
			a.nameOnly = true
		}
	case c.verb == "study":
		if a := add("study in", c.phrase("in"), was, over); a != nil {
			a.nameOnly = true
		}
		add("school", c.phrase("at"), was, over)
	case c.verb == "go" && c.tense == present:
		if s := c.phrase("to"); len(s) > 0 && schoolNouns[s[len(s)-1].lem] {
			add("school", s, was, over)
		}
	case c.verb == marryKey && done:
		add("spouse", c.object(), false, over)
	case c.verb == dateKey && c.progressive:
		add("partner", c.object(), was, over)
	case c.verb == driveKey && c.tense == present && !c.progressive:
		if a := add("car", c.object(), was, over); a != nil {
			a.nameOnly = true
		}
	case c.verb == "run" && !person:
		if o := c.object(); len(o) == 1 && len(kinds[o[0].lem]) > 0 {
			if a := add("run on", o, was, over); a != nil {
				a.nameOnly = true
			}
		}
		add("run on", c.phrase("on"), was, over)
	case c.verb == "use":
		if o, f := c.object(), c.phrase("for", "as"); len(o) == 1 && len(f) > 0 && len(kinds[o[0].lem]) > 0 {
			if a := add("use for "+f[len(f)-1].lem, o, was, over); a != nil {
				a.nameOnly = true
			}
		}
	case c.verb == "deploy" || c.verb == "host":
		if a := add(c.verb+" in", c.phrase("to", "on", "in"), was, over); a != nil {
			a.nameOnly = true
		}
	case leadVerbs[c.verb] && c.named && !c.plural && c.tense == present:
		if o := c.object(); len(o) > 0 && (o[0].det == "the" || o[0].det == "our" || o[0].det == "my") && !isPlural(o[len(o)-1].low, o[len(o)-1].lem) {
			key := append([]string{"#led"}, lemsOf(o)...)
			slices.Sort(key)
			c.assertions = append(c.assertions, assertion{subject: key, predicate: "led by", object: c.subject, name: strings.Join(c.subject, " "), proper: true, ended: over})
		}
	case c.verb == commuteKey:
		if a := add("commute", c.phrase("by"), was, over); a != nil {
			a.nameOnly = true
		}
	case (c.verb == "happen" || c.verb == "occur") && !c.open:
		add("held", c.phrase("in", "at"), false, over)
	case c.verb == "prefer":
		// see comparePreferences
	case c.verb == "be":
		p.readBeAssertions(c, add, was, over, person)
	}
}

// readBeAssertions reads "X is Y" and passives.
func (p *parser) readBeAssertions(c *clause, add func(string, []item, bool, bool) *assertion, was, over, person bool) {
	if c.passive {
		part := c.items[0].lem
		event := was // a past event: "was built in", "was written by"
		switch {
		case placeVerbs[part] && (part != baseKey || c.phrase("on") == nil):
			pl := c.phrase("in", "at")
			pred := "place"
			if part == "hold" {
				pred = "held"
			}
			add(pred, pl, was && pred == "place", over)
		case part == "bear":
			if a := add("born", c.phrase("in", "at"), false, over); a != nil {
				a.nameOnly = true
			}
		case part == "employ":
			add("employer", c.phrase("by", "at"), was, over)
		case part == engageKey:
			add("engaged", c.phrase("to"), was, over)
		case part == marryKey:
			add("spouse", c.phrase("to"), was, over)
		case part == "call" || part == namesKey:
			if o := c.object(); len(o) > 0 {
				if a := add("is", o, was, over); a != nil {
					a.subject = withWord(c.subject, "name")
				}
			}
		case madeVerbs[part] && c.phrase("in", "on", "with", "at") != nil:
			ph := c.phrase("in", "on", "with", "at")
			if a := add(part+" in", ph, false, over); a != nil {
				a.nameOnly = true
				a.past = event && part != writeKey && part != "build"
			}
		}
		if byVerbs[part] {
			add(part+" by", c.phrase("by"), event && (part == "lead" || part == manageKey || part == "own" || part == "run"), over)
		}
		return
	}
	obj := c.object()
	// "the wedding is in Rome"
	if !c.open && len(c.items) > 0 && (c.items[0].prep == "in" || c.items[0].prep == "at") && (c.items[0].proper || isPlace(c.items[0].low)) && containsAny(c.subject, eventNouns) {
		add("held", c.phrase(c.items[0].prep), false, over)
	}
	if ph := c.phrase("on", "at"); !person && !c.open && len(ph) > 0 && streetNouns[ph[len(ph)-1].lem] {
		add("place", ph, was, over)
	}
	// "is in Austin"
	if !person && len(c.items) > 0 && c.items[0].prep == "in" && (c.items[0].proper || isPlace(c.items[0].low)) && !containsAny(c.subject, eventNouns) {
		add("place", c.phrase("in"), was, over)
	}
	// "the keys are in the drawer"
	if !person && !c.open && len(c.items) > 0 && (c.items[0].prep == "in" || c.items[0].prep == "on" || c.items[0].prep == "under" || c.items[0].prep == "at") && c.items[0].det == "the" &&
		!containsAny(c.subject, eventNouns) && len(c.subject) < 4 && len(c.values) == 0 && c.tense == present {
		if ph := c.phrase(c.items[0].prep); !qualifierWords[ph[len(ph)-1].lem] && physicalThings[c.subject[len(c.subject)-1]] {
			add("spot", ph, was, over)
		}
	}
	if len(c.items) > 0 && c.items[0].prep == "from" && person {
		if a := add("origin", c.phrase("from"), false, over); a != nil {
			a.nameOnly = true
		}
	}
	if len(obj) == 0 {
		return
	}
	head := obj[len(obj)-1]
	if (obj[0].det == "a" || obj[0].det == "an") && occupations[head.lem] && !c.plural {
		add("role", obj[len(obj)-1:], was, over)
		if at := c.phrase("at", "for"); len(at) > 0 && at[0].proper {
			add("employer", at, was, over)
		}
	}
	// "Bob is my manager", "Canberra is the capital of Australia"
	if c.named && c.subject != nil && uniqueRoleNouns[head.lem] && (obj[0].det == "the" || obj[0].det == "my" || obj[0].det == "our" || obj[0].det == "her" || obj[0].det == "his" || obj[0].prep == "" && head.lem != obj[0].lem) {
		key := slices.Concat(p.possessorOf(c, obj[0]), lemsOf(obj), lemsOf(c.phrase("of", "at", "for")))
		slices.Sort(key)
		c.assertions = append(c.assertions, assertion{subject: slices.Compact(key), predicate: "is", object: c.subject, name: strings.Join(c.subject, " "), proper: true, past: was, ended: over})
		return
	}
	named := slices.ContainsFunc(obj, func(x item) bool { return x.proper }) && !c.named && !c.open && len(c.subject) > 0 && (len(c.subject) > 1 || c.subject[0][0] != '@') && !slices.ContainsFunc(c.subject, func(s string) bool { return pluralNouns[s] }) && obj[0].det == ""
	head = obj[len(obj)-1]
	plain := slices.ContainsFunc(c.subject, func(s string) bool { return uniqueWords[s] || wordValued[s] }) && oppositesOf(head.lem) == nil && !isIng(head.low) && !isPast(head.low)
	if !c.plural && !c.weak && (named || functionalSubject(c.subject) && (plain || isNameOrKind(obj))) && obj[0].prep == "" && len(obj) <= 4 && c.items[0].prep == "" {
		a := add("is", obj, was, over)
		if a != nil && slices.Contains(c.subject, "name") {
			a.proper = true
		}
	}
}

// isNameOrKind reports whether an object is a name or of a known kind.
func isNameOrKind(obj []item) bool {
	return slices.ContainsFunc(obj, func(x item) bool { return x.proper || isPlace(x.low) }) || len(obj) == 1 && len(kinds[obj[0].lem]) > 0
}

// possessorOf returns the key of "my" or "our" before a role.
func (p *parser) possessorOf(c *clause, x item) []string {
	if x.det == "my" {
		return []string{p.selfKey()}
	}
	if k := pronoun(x.det); k != "" {
		return []string{k}
	}
	return nil
}

func withWord(subj []string, w string) []string {
	out := append(slices.Clone(subj), w)
	slices.Sort(out)
	return slices.Compact(out)
}

func functionalSubject(subj []string) bool {
	return slices.ContainsFunc(subj, func(s string) bool { return functionalNouns[s] || uniqueWords[s] })
}

// assertionOf makes an assertion of an object phrase; nil if the phrase has no words, or too many.
func assertionOf(pred string, items []item) *assertion {
	if len(items) == 0 || len(items) > 5 {
		return nil
	}
	a := assertion{predicate: pred, object: lemsOf(items)}
	var name []string
	for _, x := range items {
		name = append(name, x.low)
		a.proper = a.proper || x.proper
	}
	a.name = strings.Join(name, " ")
	if !a.proper && (isPlace(a.name) || len(kinds[a.object[0]]) > 0 && len(items) == 1) {
		a.proper = true
	}
	return &a
}
