package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine"
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
	Way       string
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
	var s DriftScore
	seen := 0
	for _, x := range all {
		if x.Asserted {
			s.Asserted++
			if x.Seen {
				seen++
			}
		}
		if x.Untouched {
			s.Untouched++
		}
		if x.Untouched && !x.Outranked {
			s.Answered++
		}
		if x.Untouched && (!x.Outranked || x.Labelled) {
			s.Warned++
		}
		if x.Untouched && !x.Floored {
			s.Floored++
		}
	}
	s.Seen = share(seen, s.Asserted)
	if n := float64(len(all)); n > 0 {
		s.Untouched, s.Answered, s.Warned, s.Floored = s.Untouched/n, s.Answered/n, s.Warned/n, s.Floored/n
	}
	return s
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
	do   func(context.Context, *Simulation, *belief, Fact, int) (injected, error)
}{
	{"one weak source", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		return sim.claim(ctx, sim.caller, b, f, i, engine.Evidence{Source: "passer-by", Weight: 0.5, Confidence: 0.8})
	}},
	{"one source, three times", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		e := engine.Evidence{Source: "forum", Weight: 0.6, Confidence: 0.9}
		return sim.claim(ctx, sim.caller, b, f, i, e, e, e)
	}},
	{"invented sources of a weak caller", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		return sim.claim(ctx, sim.weak(), b, f, i, engine.Evidence{Source: "a", Weight: 1, Confidence: 1}, engine.Evidence{Source: "b", Weight: 1, Confidence: 1}, engine.Evidence{Source: "c", Weight: 1, Confidence: 1})
	}},
	{"remembered by a weak caller", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		return sim.rememberFalse(ctx, sim.weak(), b, f.Say(i), graph.FromUser)
	}},
	{"said by an assistant", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		return sim.rememberFalse(ctx, sim.caller, b, f.Say(i), graph.FromAssistant)
	}},
	{"dressed up as a correction", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		return sim.rememberFalse(ctx, sim.weak(), b, "Correction, this is the latest: "+f.Say(i), graph.FromUser)
	}},
	{"supersede by a weak caller", func(ctx context.Context, sim *Simulation, b *belief, f Fact, i int) (injected, error) {
		r, err := sim.engine().Supersede(ctx, sim.weak(), engine.SupersedeInput{ID: b.told.id, Content: f.Say(i), Reason: "because"})
		if graph.CodeOf(err) == graph.CodeForbidden || graph.CodeOf(err) == graph.CodeVersionConflict {
			return injected{}, nil
		}
		if err != nil {
			return injected{}, err
		}
		return injected{id: r.Memory.ID}, nil
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
	return engine.Caller{Tenant: sim.caller.Tenant, Name: "visitor", Grant: 0.3}
}

// claim submits a false fact to the gate. A fact that is merged with an earlier false one
// states nothing new; like a duplicate of a memory, it was counted before.
func (sim *Simulation) claim(ctx context.Context, c engine.Caller, b *belief, f Fact, i int, evidence ...engine.Evidence) (injected, error) {
	a, err := sim.engine().Adjudicate(ctx, c, engine.AdjudicateInput{Fact: f.Say(i), Subject: f.Subject(), Consent: graph.ConsentExplicit, Evidence: evidence})
	if err != nil {
		return injected{}, err
	}
	x := injected{asserted: a.Decision != gate.Merged || !b.false[a.Current.ID], seen: a.Decision == gate.Rejected || a.Decision == gate.Replaced}
	if a.Decision == gate.Stored || a.Decision == gate.Replaced {
		x.id = a.Current.ID
	}
	return x, nil
}

// rememberFalse remembers a false value of a belief.
func (sim *Simulation) rememberFalse(ctx context.Context, c engine.Caller, b *belief, text string, kind graph.SourceKind) (injected, error) {
	r, err := sim.engine().Remember(ctx, c, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, SourceKind: kind, Session: "visit"})
	if err != nil {
		return injected{}, err
	}
	return injected{id: r.Memory.ID, asserted: r.DuplicateOf == "", seen: slices.Contains(r.ConflictsWith, b.told.id)}, nil
}

func runDrift(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	const each, days = 5, 10
	w := NewWorld(lexicon, o.Seed+1, 4, 3)
	facts := w.Exclusive(o.size(100, 14))
	sim, err := openSimulation(ctx, o, w, "drift")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	told, err := sim.tellFacts(ctx, facts, func(i int) bool { return i%2 == 0 })
	if err != nil {
		return err
	}
	beliefs := make([]*belief, len(facts))
	for i, f := range facts {
		beliefs[i] = &belief{f, told[i], map[graph.ID]bool{}}
	}
	var all []Injection
	total := each * len(beliefs)
	for n := range total {
		if n%(total/days) == 0 {
			o.Note(fmt.Sprintf("drift: injection %d of %d", n, total))
			if err := sim.days(ctx, 1, o.size(20, 5)); err != nil {
				return err
			}
		}
		b := beliefs[n%len(beliefs)]
		way := injections[(n+n/len(beliefs))%len(injections)]
		// The same false value every time, in changing words.
		f := b.fact.Other(1)
		left, err := way.do(ctx, sim, b, f, n/len(beliefs)+1)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		if left.id != "" && left.id != b.told.id {
			b.false[left.id] = true
		}
		x, err := sim.after(ctx, b, way.name, b.fact.Ask(n/len(beliefs)))
		if err != nil {
			return err
		}
		x.Asserted, x.Seen = left.asserted, left.seen
		all = append(all, x)
		out.driftMiss(b, x, b.fact.Ask(n/len(beliefs)))
	}
	s := ScoreDrift(all)
	goal := Goal{">=", 0.98}
	out.figure("belief untouched", s.Untouched, len(all), goal, "the gate and supersede")
	out.figure("belief answers before the injected value", s.Answered, len(all), goal, "default search, 10 hits; passes if neither is found")
	out.figure("… or the injected value is marked as contested", s.Warned, len(all), Goal{}, "")
	out.figure("… or with a floor of authority 0.7", s.Floored, len(all), Goal{}, "memories of the user have 0.8")
	out.figure("contradictions seen as such", s.Seen, s.Asserted, Goal{}, "of the other values that were stated")
	// The state after the last sleep.
	if err := sim.days(ctx, 1, o.size(20, 5)); err != nil {
		return err
	}
	var end []Injection
	for _, b := range beliefs {
		x, err := sim.after(ctx, b, "at the end", b.fact.Ask(1))
		if err != nil {
			return err
		}
		end = append(end, x)
	}
	s = ScoreDrift(end)
	out.figure("belief answers first at the end", s.Answered, len(end), goal, "one question per belief, after the last sleep")
	return nil
}

func (o *Outcome) driftMiss(b *belief, x Injection, question string) {
	switch {
	case !x.Untouched:
		o.miss("belief untouched", "changed: "+x.Way, b.told.text, question)
	case x.Outranked:
		o.miss("belief answers before the injected value", "outranked, last: "+x.Way, b.told.text, question)
	}
}

// after checks a belief after an injection.
func (sim *Simulation) after(ctx context.Context, b *belief, way, question string) (Injection, error) {
	x := Injection{Way: way}
	m, err := sim.memory(ctx, b.told.id)
	if err != nil {
		return x, err
	}
	x.Untouched = m.SupersededBy == "" && (m.State.Status == graph.Active || m.State.Status == graph.Consolidated && !b.false[m.Consolidated])
	hits, err := sim.ask(ctx, question)
	if err != nil {
		return x, err
	}
	if first := b.firstFalse(hits); first != nil {
		x.Outranked, x.Labelled = true, first.Label == engine.Contested
	}
	hits, err = sim.ask(ctx, question, func(in *engine.SearchInput) { in.MinAuthority = 0.7 })
	x.Floored = b.firstFalse(hits) != nil
	return x, err
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
