package evaluation

import (
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
func ScoreCorrection(all []Corrected) float64 { return shareOf(all, Corrected.Persists) }

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

func runCorrection(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+2, 4, 3)
	facts := w.Exclusive(m.size(120, 20))
	sim := m.simulate(w)
	told := sim.tellFacts(facts, func(i int) bool { return ways[i%len(ways)].named })
	noise := m.size(30, 8)
	sim.days(2, noise)
	all := make([]corrected, len(facts))
	for i, f := range facts {
		way := ways[i%len(ways)]
		c := &all[i]
		*c = corrected{old: f, new: f.Other(2), oldText: told[i].text, newText: f.Other(2).Say(i + way.otherwise), oldID: told[i].id, way: way.name}
		for turn := range horizons {
			c.found = append(c.found, sim.answer(f.Ask(turn+i), told[i], f) > 0)
		}
		sim.correct(c, way.directly)
		if !c.applied {
			m.miss("applied by "+way.name, c.decision, c.oldText, c.newText)
		}
	}
	for _, way := range ways {
		n := count(all, func(c corrected) bool { return c.way == way.name })
		applied := count(all, func(c corrected) bool { return c.way == way.name && c.applied })
		m.figure("applied by "+way.name, share(applied, n), n, Goal{}, "")
	}
	day := 0
	for turn, next := range horizons {
		m.Note(fmt.Sprintf("correction: simulating until day %d", next))
		sim.days(next-day, noise)
		day = next
		name := fmt.Sprintf("correction holds at day %d", day)
		var seen, applied []Corrected
		for i, c := range all {
			if !c.found[turn] {
				continue
			}
			question := c.new.Ask(turn + i)
			x, why := sim.holdsNow(c, question)
			if seen = append(seen, x); x.Applied {
				applied = append(applied, x)
			}
			if !x.Persists() {
				m.miss(name, c.way+": "+why, c.newText, question)
			}
		}
		m.figure(name, ScoreCorrection(seen), len(seen), Goal{">=", 0.95}, fmt.Sprintf("%d questions left out", len(all)-len(seen)))
		m.figure("… of those that were applied", ScoreCorrection(applied), len(applied), Goal{}, "")
	}
}

// correct corrects one belief.
func (sim *Simulation) correct(c *corrected, directly bool) {
	if sim.plain != nil { // the correction is one more text
		c.newID, c.applied = sim.plainRemember(c.newText)[0], true
		return
	}
	if directly {
		if s := sim.memory(c.oldID).Status(); s != graph.Active {
			c.decision = fmt.Sprintf("the belief was %s before", s)
			return
		}
		r := must(sim.engine().Supersede(sim.ctx, sim.caller, engine.SupersedeInput{ID: c.oldID, Content: c.newText, Reason: "it changed"}))
		c.newID, c.applied = r.Memory.ID, true
		return
	}
	a := must(sim.engine().Adjudicate(sim.ctx, sim.caller, engine.AdjudicateInput{
		Fact: c.newText, Subject: c.new.Subject(), Consent: graph.ConsentExplicit, Evidence: evidence["quorum"],
	}))
	c.newID, c.decision = a.Current.ID, string(a.Decision)
	if a.Decision == gate.Replaced {
		if c.applied = a.Previous.ID == c.oldID; !c.applied {
			c.decision = "REPLACED another belief"
		}
		return
	}
	switch subject := sim.memory(c.oldID).Subject; subject {
	case "":
		c.decision += ", the belief has no subject"
	case extract.Canonical(c.old.Subject()):
		c.decision += ", no conflict seen with the belief on the subject"
	default:
		c.decision += ", the belief is kept under another subject"
	}
}

// holdsNow asks for a corrected belief and returns the result, and the reason of a miss.
func (sim *Simulation) holdsNow(c corrected, question string) (x Corrected, why string) {
	x.Applied = c.applied
	for _, h := range sim.ask(question) {
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
		why = "not applied: " + c.decision
	case x.OldAsNew:
		why = "the old value is returned as current"
	case !x.New:
		why = sim.whyNot(question, toldFact{c.newID, c.newText}, c.new)
	}
	return x, why
}
