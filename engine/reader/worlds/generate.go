package worlds

import (
	"math/rand/v2"
	"strings"
)

// generator makes one pair.
type generator struct {
	rng    *rand.Rand
	family *family
	chosen int
}

// situation makes a pair; ok is false if the family lacks a template for it.
type situation struct {
	name   string
	weight int
	make   func(g *generator) (Pair, bool)
}

// situations with their relative frequencies: about two fifths are revisions, and more than a
// third of these have no word of change.
var situations = []situation{
	{"restated", 22, (*generator).restated},
	{"changed", 9, (*generator).changed},
	{"pronoun", 3, (*generator).pronoun},
	{"denied", 6, (*generator).denied},
	{"ended", 4, (*generator).ended},
	{"corrected", 3, (*generator).corrected},
	{"same", 5, (*generator).same},
	{"person", 9, (*generator).otherHolder},
	{"modifier", 7, (*generator).otherModifier},
	{"owner", 4, (*generator).otherOwner},
	{"attribute", 8, (*generator).otherAttribute},
	{"scope", 6, (*generator).otherScope},
	{"detail", 9, (*generator).detail},
	{"topic", 10, (*generator).otherTopic},
	{"trap", 7, (*generator).trap},
	{"bounded", 3, (*generator).boundedStay},
	{"past", 3, (*generator).past},
	{"also", 3, (*generator).also},
}

// pair makes a pair in a random situation.
func (g *generator) pair() (Pair, bool) {
	switch g.family.cardinality {
	case "refine":
		return g.refined(), true
	case "turn":
		return g.turned(), true
	}
	total := 0
	for _, s := range situations {
		total += s.weight
	}
	at := g.rng.IntN(total)
	for _, s := range situations {
		if at -= s.weight; at < 0 {
			p, ok := s.make(g)
			p.Family, p.Situation = g.family.name, s.name
			return p, ok
		}
	}
	return Pair{}, false
}

func (g *generator) pick(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[g.rng.IntN(len(list))]
}

func (g *generator) chance(percent int) bool { return g.rng.IntN(100) < percent }

// one reports a family whose values exclude each other.
func (g *generator) one() bool { return g.family.cardinality == "one" }

// state returns a template of the state, or now and then one that says how it came about.
func (g *generator) state() string {
	if c := g.family.templates['c']; len(c) > 0 && g.chance(12) {
		return g.pick(c)
	}
	return g.pick(g.family.templates['s'])
}

// two returns two different values.
func (g *generator) two() (a, b filling) {
	a = g.fill()
	b = a
	for i := 0; b.v == a.v && i < 9; i++ {
		b.v = g.another(a)
	}
	if g.family.free && g.chance(50) {
		b.x = g.value(g.family.values[1])
	}
	b.u = a.v
	a.u = g.another(a)
	return a, b
}

// restated says another value, without or with a word of change.
func (g *generator) restated() (Pair, bool) {
	f := g.family
	a, b := g.two()
	if a.v == b.v && f.cardinality != "flip" {
		return Pair{}, false
	}
	first := g.state()
	second := first
	if g.chance(45) {
		second = g.pick(f.templates['s'])
	}
	if f.cardinality == "flip" {
		b.v = a.v
		second = g.pick(f.templates['n'])
		if g.chance(50) {
			first, second = second, first
		}
	}
	later := b.text(second)
	if g.chance(25) {
		later = g.wrap("now", later)
	}
	other := f.cardinality != "many" && f.cardinality != "event"
	return g.finish(a.text(first), later, true, true, other), true
}

// changed says that the value has changed.
func (g *generator) changed() (Pair, bool) {
	a, b := g.two()
	c := g.family.templates['c']
	if len(c) == 0 || a.v == b.v {
		return Pair{}, false
	}
	if g.one() && g.chance(20) {
		later := b.text(g.pick(g.family.templates['s']))
		return g.finish(a.text(g.pick(g.family.templates['s'])), strings.ReplaceAll(g.wrap("source", later), "{u}", a.v), true, true, true), true
	}
	later := b.text(g.pick(c))
	if g.chance(25) {
		later += " " + g.pick(values["when"])
	}
	return g.finish(a.text(g.state()), later, true, true, g.one()), true
}

// pronoun says another value of what the earlier statement is about, and why.
func (g *generator) pronoun() (Pair, bool) {
	a, b := g.two()
	first := g.state()
	_, value, ok := strings.Cut(first, " is ")
	if a.v == b.v || !ok || !g.one() || !strings.Contains(value, "{v}") {
		return Pair{}, false
	}
	later := "it is " + b.text(value) + " now"
	if g.chance(70) {
		later = g.pick(values["sidenote"]) + ", " + later
	} else {
		later = g.wrap("now", later)
	}
	return g.finish(a.text(first), later, true, true, true), true
}

// denied denies the value, or another one.
func (g *generator) denied() (Pair, bool) {
	n := g.family.templates['n']
	if len(n) == 0 || g.family.cardinality == "event" {
		return Pair{}, false
	}
	a, b := g.two()
	same := g.chance(65)
	if same {
		b.v = a.v
	}
	first, second := g.state(), g.pick(n)
	if g.chance(25) {
		first, second = second, g.pick(g.family.templates['s'])
		if !same && g.one() {
			return g.finish(a.text(first), b.text(second), true, true, false), true
		}
	}
	return g.finish(a.text(first), b.text(second), true, same || g.one(), same), true
}

// ended says that the state has ended, of the same holder or another.
func (g *generator) ended() (Pair, bool) {
	e := g.family.templates['e']
	if len(e) == 0 {
		return Pair{}, false
	}
	a := g.fill()
	b := a
	same := g.chance(70)
	if !same {
		b.holder = g.otherThan(a.holder)
		if b.holder == a.holder {
			return Pair{}, false
		}
	}
	first, second := g.state(), g.pick(e)
	if !same && (!named(first) || !named(second)) {
		return Pair{}, false
	}
	return g.finish(a.text(first), b.text(second), true, same, true), true
}

// corrected takes the earlier value back.
func (g *generator) corrected() (Pair, bool) {
	a, b := g.two()
	if a.v == b.v || g.family.cardinality == "flip" {
		return Pair{}, false
	}
	later := b.text(g.pick(g.family.templates['s']))
	if g.chance(15) {
		later += ", not " + a.v
	} else {
		later = g.wrap("correct", later)
	}
	return Pair{Earlier: g.style(a.text(g.state())), Later: later, Fact: true, Slot: true, Other: true}, true
}

// same says the same in other words.
func (g *generator) same() (Pair, bool) {
	a := g.fill()
	if g.family.cardinality == "flip" {
		return g.finish(a.text(g.pick(g.family.templates['s'])), a.text(g.pick(g.family.templates['s'])), true, true, false), true
	}
	return g.finish(a.text(g.state()), a.text(g.state()), true, true, false), true
}

// refined says the same more or less exactly, or something else.
func (g *generator) refined() Pair {
	a := g.fill()
	b := a
	list := values[g.family.values[0]]
	x, y := g.pick(list), g.pick(list)
	if g.chance(60) {
		y = x
	}
	var special [2]bool
	special[0], special[1] = x != y && g.chance(30) || g.chance(15), x != y && g.chance(60) || g.chance(95)
	for i, f := range []*filling{&a, &b} {
		general, exact, _ := strings.Cut([]string{x, y}[i], ">")
		f.v = general
		if special[i] {
			f.v = exact
		}
	}
	later := b.text(g.pick(g.family.templates['s']))
	if c := g.family.templates['c']; x != y && len(c) > 0 && g.chance(30) {
		later = b.text(g.pick(c))
	}
	p := g.finish(a.text(g.pick(g.family.templates['s'])), later, true, true, x != y)
	p.Family, p.Situation = g.family.name, "refined"
	return p
}

// turned says what ended a state, or another one.
func (g *generator) turned() Pair {
	list := values[g.family.values[0]]
	x, y := g.pick(list), g.pick(list)
	if g.chance(60) {
		y = x
	}
	first, _, _ := strings.Cut(x, ">")
	_, later, _ := strings.Cut(y, ">")
	if g.chance(20) {
		later = g.wrap("now", later)
	}
	p := g.finish(first, later, true, x == y, x == y)
	p.Family, p.Situation = g.family.name, "turned"
	return p
}

// wrap puts a clause into a frame of wrappers.txt.
func (g *generator) wrap(kind, clause string) string {
	w := g.pick(wrappers[kind])
	w = strings.ReplaceAll(w, "{name}", g.pick(values["person"]))
	return strings.ReplaceAll(w, "{x}", clause)
}

// finish makes a pair of two asserted clauses in a random style.
func (g *generator) finish(earlier, later string, fact, slot, other bool) Pair {
	return Pair{Earlier: g.style(earlier), Later: g.style(later), Fact: fact, Slot: slot, Other: other}
}

// style writes a clause as a user, a note or an agent would.
func (g *generator) style(text string) string {
	if g.chance(25) {
		text = g.wrap("plain", text)
	}
	if g.chance(22) && !strings.HasSuffix(text, "?") {
		text += g.pick(values[[...]string{"reason", "detail"}[g.rng.IntN(2)]])
	}
	text = contract(text, g.chance(60))
	if g.chance(75) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	switch {
	case strings.HasSuffix(text, "?"):
	case g.chance(70):
		text += "."
	case g.chance(10):
		text += "!"
	}
	return text
}
