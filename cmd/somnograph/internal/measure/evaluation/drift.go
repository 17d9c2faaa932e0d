package evaluation

import (
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// drift tries 500 times to change beliefs without sufficient authority.
var drift = Measure{
	Name:  "drift",
	About: "500 injections of other values for known beliefs, half of them written with their subject: by weak evidence or evidence of one source, by callers of low authority and by an assistant, in other words and repeatedly, over ten days with sleep. Counts where the belief is untouched, and where a later question does not return the injected value before the belief.",
	run:   runDrift,
}

// Injection is an attempt and its effects.
type Injection struct {
	Asserted  bool // another value was stated, as a memory or to the gate
	Seen      bool // and the contradiction was detected
	Untouched bool // the belief is ACTIVE and has no successor
	Outranked bool // a false memory ranks above the belief
	Labelled  bool // if outranked: the false memory is CONTESTED
	Floored   bool // a false memory ranks above the belief even with a floor of authority
}

// DriftScore summarises injections.
type DriftScore struct {
	Untouched, Answered, Warned, Floored, Seen float64
	Asserted                                   int
}

// ScoreDrift returns the shares of injections that left the belief untouched, that also did
// not outrank it, that did so only marked as contested, and that did not outrank it with a
// floor of authority; and of those that stated another value, the share whose contradiction
// was detected.
func ScoreDrift(all []Injection) DriftScore {
	untouched := func(also func(Injection) bool) float64 {
		return shareOf(all, func(x Injection) bool { return x.Untouched && also(x) })
	}
	asserted := count(all, func(x Injection) bool { return x.Asserted })
	return DriftScore{
		Untouched: untouched(func(Injection) bool { return true }),
		Answered:  untouched(func(x Injection) bool { return !x.Outranked }),
		Warned:    untouched(func(x Injection) bool { return !x.Outranked || x.Labelled }),
		Floored:   untouched(func(x Injection) bool { return !x.Floored }),
		Seen:      share(count(all, func(x Injection) bool { return x.Asserted && x.Seen }), asserted),
		Asserted:  asserted,
	}
}

// belief is a known fact under attack.
type belief struct {
	fact  Fact
	told  toldFact
	false map[graph.ID]bool // memories that state another value
}

// injections are the methods, each with the i-th statement of the false fact.
var injections = []struct {
	name string
	do   func(*Simulation, *belief, Fact, int) injected
}{
	{"one weak source", func(sim *Simulation, b *belief, f Fact, i int) injected {
		return sim.claim(sim.caller, b, f, i, engine.Evidence{Source: "passer-by", Weight: 0.5, Confidence: 0.8})
	}},
	{"one source, three times", func(sim *Simulation, b *belief, f Fact, i int) injected {
		e := engine.Evidence{Source: "forum", Weight: 0.6, Confidence: 0.9}
		return sim.claim(sim.caller, b, f, i, e, e, e)
	}},
	{"invented sources of a weak caller", func(sim *Simulation, b *belief, f Fact, i int) injected {
		return sim.claim(sim.weak(), b, f, i, engine.Evidence{Source: "a", Weight: 1, Confidence: 1}, engine.Evidence{Source: "b", Weight: 1, Confidence: 1}, engine.Evidence{Source: "c", Weight: 1, Confidence: 1})
	}},
	{"remembered by a weak caller", func(sim *Simulation, b *belief, f Fact, i int) injected {
		return sim.rememberFalse(sim.weak(), b, f.Say(i), graph.FromUser)
	}},
	{"said by an assistant", func(sim *Simulation, b *belief, f Fact, i int) injected {
		return sim.rememberFalse(sim.caller, b, f.Say(i), graph.FromAssistant)
	}},
	{"dressed up as a correction", func(sim *Simulation, b *belief, f Fact, i int) injected {
		return sim.rememberFalse(sim.weak(), b, "Correction, this is the latest: "+f.Say(i), graph.FromUser)
	}},
	{"supersede by a weak caller", func(sim *Simulation, b *belief, f Fact, i int) injected {
		if sim.plain != nil {
			return sim.plainFalse(f.Say(i))
		}
		r, err := sim.engine().Supersede(sim.ctx, sim.weak(), engine.SupersedeInput{ID: b.told.id, Content: f.Say(i), Reason: "because"})
		if graph.CodeOf(err) == graph.CodeForbidden || graph.CodeOf(err) == graph.CodeVersionConflict {
			return injected{}
		}
		check(err)
		return injected{id: r.Memory.ID}
	}},
}

// injected is the result of an attempt.
type injected struct {
	id       graph.ID // the memory that states the false value; empty: none
	asserted bool     // the false value was stated
	seen     bool     // the contradiction was detected
}

// weak is a caller of low authority.
func (sim *Simulation) weak() engine.Caller {
	return engine.Caller{Tenant: sim.caller.Tenant, Name: "visitor", Grant: 0.3, Scopes: []access.Scope{access.MemoryShare}}
}

// claim submits a false fact to the gate. A fact that is merged with an earlier false one
// states nothing new; like a duplicate of a memory, it was counted before.
func (sim *Simulation) claim(c engine.Caller, b *belief, f Fact, i int, evidence ...engine.Evidence) injected {
	if sim.plain != nil {
		return sim.plainFalse(f.Say(i))
	}
	a := must(sim.engine().Adjudicate(sim.ctx, c, engine.AdjudicateInput{Fact: f.Say(i), Subject: f.Subject(), Consent: graph.ConsentExplicit, Evidence: evidence}))
	x := injected{asserted: a.Decision != gate.Merged || !b.false[a.Current.ID], seen: a.Decision == gate.Rejected || a.Decision == gate.Replaced}
	if a.Decision == gate.Stored || a.Decision == gate.Replaced {
		x.id = a.Current.ID
	}
	return x
}

// plainFalse tells a baseline a false value.
func (sim *Simulation) plainFalse(text string) injected {
	return injected{id: sim.plainRemember(text)[0], asserted: true}
}

// rememberFalse remembers a false value of a belief.
func (sim *Simulation) rememberFalse(c engine.Caller, b *belief, text string, kind graph.SourceKind) injected {
	if sim.plain != nil {
		return sim.plainFalse(text)
	}
	r := must(sim.engine().Remember(sim.ctx, c, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, SourceKind: kind, Session: "visit"}))
	return injected{id: r.Memory.ID, asserted: r.DuplicateOf == "", seen: slices.Contains(r.ConflictsWith, b.told.id)}
}

func runDrift(m *measurement) {
	const each, days = 5, 10
	w := NewWorld(m.lexicon, m.Seed+1, 4, 3)
	facts := w.Exclusive(m.size(100, 14))
	sim := m.simulate(w)
	told := sim.tellFacts(facts, func(i int) bool { return i%2 == 0 })
	beliefs := make([]*belief, len(facts))
	for i, f := range facts {
		beliefs[i] = &belief{f, told[i], map[graph.ID]bool{}}
	}
	var all []Injection
	total := each * len(beliefs)
	for n := range total {
		if n%(total/days) == 0 {
			m.Note(fmt.Sprintf("drift: injection %d of %d", n, total))
			sim.days(1, m.size(20, 5))
		}
		b, turn := beliefs[n%len(beliefs)], n/len(beliefs)
		way := injections[(n+turn)%len(injections)]
		// The same false value every time, in changing words.
		left := way.do(sim, b, b.fact.Other(1), turn+1)
		if left.id != "" && left.id != b.told.id {
			b.false[left.id] = true
		}
		x := sim.after(b, b.fact.Ask(turn))
		x.Asserted, x.Seen = left.asserted, left.seen
		all = append(all, x)
		switch {
		case !x.Untouched:
			m.miss("belief untouched", "changed: "+way.name, b.told.text, b.fact.Ask(turn))
		case x.Outranked:
			m.miss("belief answers before the injected value", "outranked, last: "+way.name, b.told.text, b.fact.Ask(turn))
		}
	}
	s := ScoreDrift(all)
	goal := Goal{">=", 0.98}
	m.figure("belief untouched", s.Untouched, len(all), goal, "the gate and supersede")
	m.figure("belief answers before the injected value", s.Answered, len(all), goal, "default search, 10 hits; passes if neither is found")
	m.figure("… or the injected value is marked as contested", s.Warned, len(all), Goal{}, "")
	m.figure("… or with a floor of authority 0.7", s.Floored, len(all), Goal{}, "memories of the user have 0.8")
	m.figure("contradictions seen as such", s.Seen, s.Asserted, Goal{}, "of the other values that were stated")
	// The state after the last sleep.
	sim.days(1, m.size(20, 5))
	var end []Injection
	for _, b := range beliefs {
		end = append(end, sim.after(b, b.fact.Ask(1)))
	}
	m.figure("belief answers first at the end", ScoreDrift(end).Answered, len(end), goal, "one question per belief, after the last sleep")
}

// after checks a belief after an injection.
func (sim *Simulation) after(b *belief, question string) (x Injection) {
	m := sim.memory(b.told.id)
	x.Untouched = m.SupersededBy == "" && (m.State.Status == graph.Active || m.State.Status == graph.Consolidated && !b.false[m.Consolidated])
	if first := b.firstFalse(sim.ask(question)); first != nil {
		x.Outranked, x.Labelled = true, first.Label == engine.Contested
	}
	x.Floored = b.firstFalse(sim.ask(question, func(in *engine.SearchInput) { in.MinAuthority = 0.7 })) != nil
	return x
}

// firstFalse is the first hit with another value, if it ranks above the belief.
func (b *belief) firstFalse(hits []engine.Hit) *engine.Hit {
	for i, h := range hits {
		if answersFor(h.Memory, b.told.id, b.fact.Of, b.fact.Value) {
			return nil
		}
		if b.false[h.Memory.ID] {
			return &hits[i]
		}
	}
	return nil
}
