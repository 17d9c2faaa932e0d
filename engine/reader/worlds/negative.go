package worlds

import "strings"

// otherHolder says it of another person or thing, with or without a word of change.
func (g *generator) otherHolder() (Pair, bool) {
	a, b := g.two()
	b.holder = g.otherThan(a.holder)
	if b.holder == a.holder {
		return Pair{}, false
	}
	first := g.state()
	second := first
	if g.chance(50) {
		second = g.state()
	}
	if !named(first) || !named(second) {
		return Pair{}, false
	}
	later := b.text(second)
	if g.chance(20) {
		later = g.wrap("now", later)
	}
	return g.finish(a.text(first), later, true, false, true), true
}

// named reports a template that says of whom or what it is.
func named(template string) bool {
	return strings.Contains(template, "{S}") || strings.Contains(template, "{P}") || strings.Contains(template, "{T}") || strings.Contains(template, "{t}")
}

// otherModifier says it of the same noun with another modifier or number.
func (g *generator) otherModifier() (Pair, bool) {
	a, b := g.two()
	if a.holder.person {
		return Pair{}, false
	}
	m1, m2 := g.pick(values["modifier"]), g.pick(values["modifier"])
	if m1 == m2 {
		return Pair{}, false
	}
	a.holder = a.holder.with(m1)
	b.holder = b.holder.with(m2)
	same := g.chance(20)
	if same {
		b.holder = a.holder
	} else if g.chance(25) {
		a.holder = g.plain(a.holder, m1)
	}
	first := g.state()
	second := first
	if g.chance(40) {
		second = g.state()
	}
	if g.chance(20) && !same {
		second = g.pick(g.family.templates['s'])
		return g.finish(a.text(first), g.wrap("now", b.text(second)), true, false, true), true
	}
	return g.finish(a.text(first), b.text(second), true, same, g.one()), true
}

// plain takes a modifier off again.
func (g *generator) plain(h holder, modifier string) holder {
	h.subject = strings.Replace(h.subject, modifier+" ", "", 1)
	return h
}

// otherAttribute says another value of another attribute of the same holder.
func (g *generator) otherAttribute() (Pair, bool) {
	if len(g.family.values) < 2 || g.family.free {
		return Pair{}, false
	}
	a, b := g.two()
	for i := 0; b.x == a.x && i < 9; i++ {
		b.x = g.value(g.family.values[1])
	}
	if b.x == a.x {
		return Pair{}, false
	}
	first := g.state()
	second := first
	if g.chance(40) {
		second = g.state()
	}
	if !strings.Contains(first, "{x}") || !strings.Contains(second, "{x}") {
		return Pair{}, false
	}
	later := b.text(second)
	if g.chance(20) {
		later = g.wrap("now", later)
	}
	return g.finish(a.text(first), later, true, false, g.one()), true
}

// otherOwner says it of the thing of another owner.
func (g *generator) otherOwner() (Pair, bool) {
	a, b := g.two()
	switch {
	case b.holder.person:
		return Pair{}, false
	case strings.HasPrefix(b.holder.subject, "the "), strings.HasPrefix(b.holder.subject, "my "), strings.HasPrefix(b.holder.subject, "our "):
		_, noun, _ := strings.Cut(b.holder.subject, " ")
		b.holder.subject = g.pick(owners) + " " + noun
	default:
		return Pair{}, false
	}
	first := g.state()
	return g.finish(a.text(first), b.text(first), true, false, true), true
}

// otherScope limits both to different occasions, places or things; or only one of them.
func (g *generator) otherScope() (Pair, bool) {
	if g.family.cardinality == "event" {
		return Pair{}, false
	}
	a, b := g.two()
	if g.family.cardinality == "flip" {
		return Pair{}, false
	}
	s1, s2 := g.pick(values["scope"]), g.pick(values["scope"])
	first := g.pick(g.family.templates['s'])
	second := first
	if g.chance(30) {
		// only one of them is limited
		if g.chance(50) {
			return g.finish(a.text(first), g.scoped(b.text(second), s2), true, false, g.one()), true
		}
		s2 = s1
	}
	if s1 == s2 {
		return g.finish(g.scoped(a.text(first), s1), g.scoped(b.text(second), s2), true, true, g.one()), true
	}
	return g.finish(g.scoped(a.text(first), s1), g.scoped(b.text(second), s2), true, false, g.one()), true
}

func (g *generator) scoped(text, scope string) string {
	if g.chance(35) {
		return scope + " " + text
	}
	return text + " " + scope
}

// detail says another fact of the same holder.
func (g *generator) detail() (Pair, bool) {
	d := g.family.templates['d']
	if len(d) == 0 {
		return Pair{}, false
	}
	a := g.fill()
	later := a.text(g.pick(d))
	if g.chance(15) {
		later = g.wrap("now", later)
	}
	first := a.text(g.state())
	if g.chance(25) {
		first, later = a.text(g.pick(d)), first
	}
	return g.finish(first, later, true, false, false), true
}

// otherTopic says something of another family, of the same holder if that can be.
func (g *generator) otherTopic() (Pair, bool) {
	h := generator{rng: g.rng, family: families[g.rng.IntN(len(families))]}
	if h.family.holder != g.family.holder {
		for range 6 {
			h.family = families[g.rng.IntN(len(families))]
			if h.family.holder == g.family.holder {
				break
			}
		}
	}
	if alike[h.family.name] != "" && alike[h.family.name] == alike[g.family.name] || h.family == g.family || h.family.paired() || h.family.name == "rules" && g.family.name == "rules" {
		return Pair{}, false
	}
	a, b := g.fill(), h.fill()
	if h.family.holder == g.family.holder {
		b.holder = a.holder
	}
	later := b.text(h.state())
	if g.chance(15) {
		later = g.wrap("now", later)
	}
	return g.finish(a.text(g.state()), later, true, false, false), true
}

// alike groups families that say one thing in different terms.
var alike = map[string]string{"residence": "home", "dwelling": "home", "street": "home", "employer": "work", "occupation": "work", "owner": "lead", "lead": "lead",
	"roleof": "lead", "setting": "key", "level": "key", "number": "key", "toggle": "toggle", "toggle2": "toggle", "theme": "key", "database": "host", "hosting": "host", "deploy": "host",
	"tool": "tool", "backend": "host", "relation": "partner", "partner": "partner", "indent": "rule", "quotes": "rule", "units": "rule", "tests": "rule", "lint": "rule",
	"frequency": "habit", "parttime": "habit", "habitflip": "habit", "count": "own", "owns": "own", "device": "state", "ci": "ci", "tracker": "ci",
	"answerstyle": "style", "answerlanguage": "style", "output": "output", "phone": "reach", "ownname": "called", "clock": "when", "weekday": "when", "cadence": "when", "room": "when", "projectstatus": "st",
	"document": "st", "date": "when2", "due": "when2", "opens": "o", "closes": "c", "version": "ver", "runtime": "ver", "port": "port", "path": "path", "car": "car", "transport": "transport",
	"likes": "taste", "taste": "taste", "diet": "taste", "avoid": "taste", "wants": "taste", "preference": "taste", "favourite": "taste", "has": "own", "gadget": "own", "laptop": "own", "state2": "state",
	"trait": "trait", "character": "trait", "conventions": "style", "can": "trait", "open": "o", "deny": "deny", "os": "host2", "role": "role", "roommate": "role", "attribute": "role", "manner": "style", "covers": "output", "preferkind": "taste", "adjunct": "taste", "acts": "acts", "did2": "acts", "order": "st", "ticket": "st",
	"likesall": "taste", "playsall": "taste", "manydoings": "taste", "reading": "taste", "principles": "style", "workmode": "habit",
	"visits": "when", "weeklydoing": "habit", "playspart": "taste", "meals": "taste", "isabout": "content", "content": "content", "fitted": "own", "sees": "role", "speaksover": "tech", "spends": "habit",
	"oneoff": "when", "recurring": "when", "placedevent": "when", "lasts": "when", "prepared": "taste", "emits": "output", "accepts": "output", "formats": "output", "dating": "partner", "shifts": "habit", "caps": "key", "sizes": "own", "wantsstyle": "style",
	"location": "place", "ownplace": "seat", "performer": "chore", "performs": "chore", "sourcing": "source", "fitout": "source", "techflow": "tech", "techmade": "stack", "stack": "stack",
	"happens": "when", "material": "made", "refinejob": "work", "refineplace": "home", "refinething": "own", "refinecar": "own", "refinedate": "when2", "refinetech": "st", "haves": "own", "deeds": "acts", "aspects": "attr", "ourthing": "attr",
	"thingattribute": "attr", "ridge": "seat", "seat": "seat", "paint": "paint"}

// trap presents another value as something else than a current fact.
func (g *generator) trap() (Pair, bool) {
	a, b := g.two()
	kind := [...]string{"question", "conditional", "wish", "plan", "fiction", "quoted", "reported"}[g.rng.IntN(7)]
	return Pair{Earlier: g.style(a.text(g.state())), Later: g.wrap(kind, b.text(g.state())), Slot: true, Other: g.one()}, true
}

// boundedStay says another value for a short interval.
func (g *generator) boundedStay() (Pair, bool) {
	a, b := g.two()
	later := g.scoped(b.text(g.pick(g.family.templates['s'])), g.pick(values["short"]))
	return Pair{Earlier: g.style(a.text(g.state())), Later: later, Slot: true, Other: g.one()}, true
}

// past says another value of the past.
func (g *generator) past() (Pair, bool) {
	a, b := g.two()
	if p := g.family.templates['p']; len(p) > 0 && g.chance(80) {
		if g.chance(25) {
			return g.finish(a.text(g.pick(p)), b.text(g.state()), true, false, g.one()), true
		}
		return g.finish(a.text(g.state()), b.text(g.pick(p)), false, true, g.one()), true
	}
	return Pair{Earlier: g.style(a.text(g.state())), Later: g.wrap("past", b.text(g.pick(g.family.templates['s']))), Slot: true, Other: g.one()}, true
}

// also adds a value to the earlier one.
func (g *generator) also() (Pair, bool) {
	a, b := g.two()
	if g.family.cardinality == "flip" {
		return Pair{}, false
	}
	return g.finish(a.text(g.state()), g.wrap("also", b.text(g.pick(g.family.templates['s']))), true, true, false), true
}
