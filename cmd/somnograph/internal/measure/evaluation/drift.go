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

// drift tries 500 times to change beliefs without the standing for it.
var drift = Measure{
	Name:  "drift",
	About: "500 injections of other values for told beliefs, half of them written with their subject, by weak or single-voiced evidence, by callers of low authority and by an assistant, in other words and again and again, over ten days with sleep. Counts where the belief is untouched, and where a question afterwards is not answered with the injected value before the belief.",
	run:   runDrift,
}

// Injection is one attempt and what was seen after it.
type Injection struct {
	Way       string
	Asserted  bool // another value was stated, as a memory or to the gate
	Seen      bool // and that was seen to contradict the belief
	Untouched bool // the belief is ACTIVE and has no successor
	Outranked bool // a false memory stands above the belief among the hits
	Labelled  bool // where outranked: the false one is marked as CONTESTED
	Floored   bool // a false memory stands above the belief with a floor of authority, too
}

// DriftScore sums up injections.
type DriftScore struct {
	Untouched, Answered, Warned, Floored, Seen float64
	Asserted                                   int
}

// ScoreDrift is the share of injections that left the belief as it was, of those that
// no answer followed, of those that no unmarked answer followed, and of those that no
// answer above a floor of authority followed; and of those that stated another value
// the share that was seen to contradict.
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

// belief is a told fact under attack.
type belief struct {
	fact  Fact
	told  memo
	false map[graph.ID]bool // memories that state another value
}

// injections are the ways to try, each with the false fact in way i of saying it.
var injections = []struct {
	name string
	do   func(context.Context, *Lab, *belief, Fact, int) (injected, error)
}{
	{"one weak source", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		return l.claim(ctx, l.caller, b, f, i, engine.Evidence{Source: "passer-by", Weight: 0.5, Confidence: 0.8})
	}},
	{"one source, three times", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		e := engine.Evidence{Source: "forum", Weight: 0.6, Confidence: 0.9}
		return l.claim(ctx, l.caller, b, f, i, e, e, e)
	}},
	{"invented sources of a weak caller", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		return l.claim(ctx, l.weak(), b, f, i, engine.Evidence{Source: "a", Weight: 1, Confidence: 1}, engine.Evidence{Source: "b", Weight: 1, Confidence: 1}, engine.Evidence{Source: "c", Weight: 1, Confidence: 1})
	}},
	{"remembered by a weak caller", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		return l.lie(ctx, l.weak(), b, f.Say(i), graph.FromUser)
	}},
	{"said by an assistant", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		return l.lie(ctx, l.caller, b, f.Say(i), graph.FromAssistant)
	}},
	{"dressed up as a correction", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		return l.lie(ctx, l.weak(), b, "Correction, this is the latest: "+f.Say(i), graph.FromUser)
	}},
	{"supersede by a weak caller", func(ctx context.Context, l *Lab, b *belief, f Fact, i int) (injected, error) {
		r, err := l.engine().Supersede(ctx, l.weak(), engine.SupersedeInput{ID: b.told.id, Content: f.Say(i), Reason: "because"})
		if graph.CodeOf(err) == graph.CodeForbidden || graph.CodeOf(err) == graph.CodeVersionConflict {
			return injected{}, nil
		}
		if err != nil {
			return injected{}, err
		}
		return injected{id: r.Memory.ID}, nil
	}},
}

// injected is what an attempt left behind.
type injected struct {
	id       graph.ID // the memory that now states the false value, if any
	asserted bool     // it was stated, and not only asked for
	seen     bool     // as a contradiction of the belief
}

// weak is a caller whose word counts little.
func (l *Lab) weak() engine.Caller {
	return engine.Caller{Tenant: l.caller.Tenant, Name: "visitor", Grant: 0.3}
}

// claim asks the gate. A claim that is folded into a falsehood of before, which says the
// same, states nothing new: like a duplicate that is remembered it counts where it came first.
func (l *Lab) claim(ctx context.Context, c engine.Caller, b *belief, f Fact, i int, evidence ...engine.Evidence) (injected, error) {
	a, err := l.engine().Adjudicate(ctx, c, engine.AdjudicateInput{Fact: f.Say(i), Subject: f.Subject(), Consent: graph.ConsentExplicit, Evidence: evidence})
	if err != nil {
		return injected{}, err
	}
	x := injected{asserted: a.Decision != gate.Merged || !b.false[a.Current.ID], seen: a.Decision == gate.Rejected || a.Decision == gate.Replaced}
	if a.Decision == gate.Stored || a.Decision == gate.Replaced {
		x.id = a.Current.ID
	}
	return x, nil
}

// lie remembers a falsehood about a belief.
func (l *Lab) lie(ctx context.Context, c engine.Caller, b *belief, text string, kind graph.SourceKind) (injected, error) {
	r, err := l.engine().Remember(ctx, c, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, SourceKind: kind, Session: "visit"})
	if err != nil {
		return injected{}, err
	}
	return injected{id: r.Memory.ID, asserted: r.DuplicateOf == "", seen: slices.Contains(r.ConflictsWith, b.told.id)}, nil
}

func runDrift(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	const each, days = 5, 10
	w := NewWorld(lexicon, o.Seed+1, 4, 3)
	facts := w.Exclusive(o.size(100, 14))
	l, err := openLab(ctx, o, w, "drift")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	told, err := l.tellFacts(ctx, facts, func(i int) bool { return i%2 == 0 })
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
			if err := l.days(ctx, 1, o.size(20, 5)); err != nil {
				return err
			}
		}
		b := beliefs[n%len(beliefs)]
		way := injections[(n+n/len(beliefs))%len(injections)]
		// The same falsehood again and again, in turn in other words.
		f := b.fact.Other(1)
		left, err := way.do(ctx, l, b, f, n/len(beliefs)+1)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		if left.id != "" && left.id != b.told.id {
			b.false[left.id] = true
		}
		x, err := l.after(ctx, b, way.name, b.fact.Ask(n/len(beliefs)))
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
	out.figure("belief answers before the injected value", s.Answered, len(all), goal, "default search, 10 hits; where neither is found nothing has drifted")
	out.figure("… or the injected value is marked as contested", s.Warned, len(all), Goal{}, "")
	out.figure("… or with a floor of authority 0.7", s.Floored, len(all), Goal{}, "what a reader who asks for it gets; users' own words have 0.8")
	out.figure("contradictions seen as such", s.Seen, s.Asserted, Goal{}, "of the other values that were stated, to memory or to the gate")
	// What is left of it after the last sleep.
	if err := l.days(ctx, 1, o.size(20, 5)); err != nil {
		return err
	}
	var end []Injection
	for _, b := range beliefs {
		x, err := l.after(ctx, b, "at the end", b.fact.Ask(1))
		if err != nil {
			return err
		}
		end = append(end, x)
	}
	s = ScoreDrift(end)
	out.figure("belief answers first at the end", s.Answered, len(end), goal, "one question a belief, after the last sleep")
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

// after looks at a belief after an injection.
func (l *Lab) after(ctx context.Context, b *belief, way, question string) (Injection, error) {
	x := Injection{Way: way}
	m, err := l.memory(ctx, b.told.id)
	if err != nil {
		return x, err
	}
	x.Untouched = m.SupersededBy == "" && (m.State.Status == graph.Active || m.State.Status == graph.Consolidated && !b.false[m.Consolidated])
	hits, err := l.ask(ctx, question)
	if err != nil {
		return x, err
	}
	if first := b.firstFalse(hits); first != nil {
		x.Outranked, x.Labelled = true, first.Label == engine.Contested
	}
	hits, err = l.ask(ctx, question, func(in *engine.SearchInput) { in.MinAuthority = 0.7 })
	x.Floored = b.firstFalse(hits) != nil
	return x, err
}

// firstFalse is the first hit that states another value, if it stands above the belief.
func (b *belief) firstFalse(hits []engine.Hit) *engine.Hit {
	for i, h := range hits {
		if holds(h.Memory, b.told.id, b.fact.Of, b.fact.Value) {
			return nil
		}
		if b.false[h.Memory.ID] {
			return &hits[i]
		}
	}
	return nil
}
