package evaluation

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// correction corrects beliefs and measures whether that lasts.
var correction = Measure{
	Name:  "correction",
	About: "Beliefs corrected by supersede, and by adjudicate with a quorum of two in the same wording and in another; searched for after 1, 7 and 14 days of noise and sleep. Counts where the new value is among the first 10 hits and the old one is not among them as current. Questions that did not find the belief before its correction are left out, because they are misses of recall.",
	run:   runCorrection,
}

// Corrected is the result of a question after a correction.
type Corrected struct {
	Applied  bool // the correction created a new version of the belief
	New      bool // the new value is among the hits
	OldAsNew bool // the old value is among the hits and not marked as HISTORICAL
}

// Persists reports whether the correction lasts.
func (c Corrected) Persists() bool { return c.Applied && c.New && !c.OldAsNew }

// ScoreCorrection is the share of corrections that last.
func ScoreCorrection(all []Corrected) float64 {
	n := 0
	for _, c := range all {
		if c.Persists() {
			n++
		}
	}
	return share(n, len(all))
}

// corrected is a belief with its correction.
type corrected struct {
	old, new         Fact
	oldText, newText string
	oldID, newID     graph.ID
	way              string // name of the method
	applied          bool
	decision         string
	found            []bool // by the question of each horizon, before the correction
}

// horizons are days after the correction.
var horizons = []int{1, 7, 14}

// ways are the methods of correction, used in turn.
var ways = []struct {
	name      string
	directly  bool // by supersede, otherwise by adjudicate
	otherwise int  // offset of the wording of the correction from that of the belief
	named     bool // the belief was written with its subject, otherwise the rules infer it
}{
	{"supersede", true, 1, false},
	{"quorum, same wording, subject named", false, 0, true},
	{"quorum, same wording, subject found", false, 0, false},
	{"quorum, other wording, subject named", false, 1, true},
	{"quorum, other wording, subject found", false, 1, false},
}

func runCorrection(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+2, 4, 3)
	facts := w.Exclusive(o.size(120, 20))
	sim, err := openSimulation(ctx, o, w, "correction")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	told, err := sim.tellFacts(ctx, facts, func(i int) bool { return ways[i%len(ways)].named })
	if err != nil {
		return err
	}
	noise := o.size(30, 8)
	if err := sim.days(ctx, 2, noise); err != nil {
		return err
	}
	all := make([]corrected, len(facts))
	for i, f := range facts {
		way := ways[i%len(ways)]
		all[i] = corrected{old: f, new: f.Other(2), oldText: told[i].text, newText: f.Other(2).Say(i + way.otherwise), oldID: told[i].id, way: way.name}
		for turn := range horizons {
			a, err := sim.answer(ctx, f.Ask(turn+i), told[i], f)
			if err != nil {
				return err
			}
			all[i].found = append(all[i].found, a.Rank > 0)
		}
		if err := sim.correct(ctx, &all[i], way.directly); err != nil {
			return err
		}
		if !all[i].applied {
			out.miss("applied by "+way.name, all[i].decision, all[i].oldText, all[i].newText)
		}
	}
	for _, way := range ways {
		applied, n := 0, 0
		for _, c := range all {
			if c.way == way.name {
				n++
				if c.applied {
					applied++
				}
			}
		}
		out.figure("applied by "+way.name, share(applied, n), n, Goal{}, "")
	}
	for turn, day := range horizons {
		o.Note(fmt.Sprintf("correction: simulating until day %d", day))
		if err := sim.days(ctx, day-append([]int{0}, horizons...)[turn], noise); err != nil {
			return err
		}
		name := fmt.Sprintf("correction holds at day %d", day)
		var seen, applied []Corrected
		for i, c := range all {
			if !c.found[turn] {
				continue
			}
			question := c.new.Ask(turn + i)
			x, why, err := sim.holdsNow(ctx, c, question)
			if err != nil {
				return err
			}
			if seen = append(seen, x); x.Applied {
				applied = append(applied, x)
			}
			if !x.Persists() {
				out.miss(name, c.way+": "+why, c.newText, question)
			}
		}
		out.figure(name, ScoreCorrection(seen), len(seen), Goal{">=", 0.95}, fmt.Sprintf("%d questions left out", len(all)-len(seen)))
		out.figure("… of those that were applied", ScoreCorrection(applied), len(applied), Goal{}, "")
	}
	return nil
}

// correct corrects one belief.
func (sim *Simulation) correct(ctx context.Context, c *corrected, directly bool) error {
	if directly {
		r, err := sim.engine().Supersede(ctx, sim.caller, engine.SupersedeInput{ID: c.oldID, Content: c.newText, Reason: "it changed"})
		if err != nil {
			return fmt.Errorf("supersede: %w", err)
		}
		c.newID, c.applied = r.Memory.ID, true
		return nil
	}
	a, err := sim.engine().Adjudicate(ctx, sim.caller, engine.AdjudicateInput{
		Fact: c.newText, Subject: c.new.Subject(), Consent: graph.ConsentExplicit,
		Evidence: []engine.Evidence{{Source: "register", Weight: 0.9, Confidence: 0.9}, {Source: "witness", Weight: 0.9, Confidence: 0.9}},
	})
	if err != nil {
		return fmt.Errorf("adjudicate: %w", err)
	}
	c.newID, c.decision = a.Current.ID, string(a.Decision)
	switch c.applied = a.Decision == gate.Replaced && a.Previous.ID == c.oldID; {
	case c.applied:
		return nil
	case a.Decision == gate.Replaced:
		c.decision = "REPLACED another belief"
		return nil
	}
	old, err := sim.memory(ctx, c.oldID)
	if err != nil {
		return err
	}
	switch subject := extract.Canonical(c.old.Subject()); {
	case old.Subject == "":
		c.decision += ", the belief has no subject"
	case old.Subject != subject:
		c.decision += ", the belief is kept under another subject"
	default:
		c.decision += ", no conflict seen with the belief on the subject"
	}
	return nil
}

// holdsNow asks for a corrected belief and returns the result, and the reason of a miss.
func (sim *Simulation) holdsNow(ctx context.Context, c corrected, question string) (Corrected, string, error) {
	hits, err := sim.ask(ctx, question)
	if err != nil {
		return Corrected{}, "", err
	}
	x := Corrected{Applied: c.applied}
	for _, h := range hits {
		switch {
		case h.Memory.ID == c.oldID:
			x.OldAsNew = x.OldAsNew || h.Label != engine.Historical
		case answersFor(h.Memory, c.newID, c.new.Of, c.new.Value):
			x.New = true
		case answersFor(h.Memory, c.oldID, c.old.Of, c.old.Value):
			x.OldAsNew = x.OldAsNew || h.Label != engine.Historical
		}
	}
	switch {
	case !x.Applied:
		return x, "not applied: " + c.decision, nil
	case x.OldAsNew:
		return x, "the old value is returned as current", nil
	case !x.New:
		why, err := sim.whyNot(ctx, question, toldFact{c.newID, c.newText}, c.new)
		return x, why, err
	}
	return x, "", nil
}
