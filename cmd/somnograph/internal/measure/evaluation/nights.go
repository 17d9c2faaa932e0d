package evaluation

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// nights measures what many sleeps keep of facts and of noise.
var nights = Measure{
	Name:  "nights",
	About: "Facts told once, noise for 30 days, a sleep every night for 75 (quick: 8 and 45). Two facts in three are gold: they are searched for every 10 to 20 days, each time in other words, and an agent says by feedback which of the hits it used: those that answer. Counts the gold that is left at the end, as told or distilled with its value, and the noise, with what was derived from it.",
	run:   runNights,
}

// Remains is the fate of one memory.
type Remains struct {
	Gold bool // a fact, otherwise noise
	Left bool // it is ACTIVE, or a memory derived from it is
}

// ScoreNights returns the share of gold that is left, and the share of noise that is gone.
// Memories derived from noise alone count as noise.
func ScoreNights(all []Remains, derivedNoise int) (gold, noise float64) {
	golds := count(all, func(r Remains) bool { return r.Gold })
	goldLeft := count(all, func(r Remains) bool { return r.Gold && r.Left })
	noiseLeft := count(all, func(r Remains) bool { return !r.Gold && r.Left })
	noises := len(all) - golds
	if noises == 0 {
		return share(goldLeft, golds), 0
	}
	return share(goldLeft, golds), 1 - share(noiseLeft+derivedNoise, noises)
}

// isGold reports whether the i-th fact is searched for.
func isGold(i int) bool { return i%3 > 0 }

func runNights(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+4, 3, 2)
	facts := w.Facts[:min(len(w.Facts), m.size(90, 24))]
	sim := m.simulate(w)
	told := sim.tellFacts(facts, nil)
	peak := sim.useGold(facts, told)
	last := sim.tokens()
	all := sim.list(graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired)
	remains, idle, idleLeft := sim.factsLeft(all, facts, told)
	golds := len(remains)
	noise, derived, permanent := sim.noiseLeft(all, told)
	kept, gone := ScoreNights(append(remains, noise...), derived)
	m.figure("gold kept", kept, golds, Goal{">", 0.90}, fmt.Sprintf("%d nights", sim.Nights))
	m.figure("facts without questions kept", share(idleLeft, idle), idle, Goal{}, "some were hits of other questions")
	m.figure("tokens of active memory, peak ÷ last", share(peak, last), peak, Goal{}, fmt.Sprintf("%d tokens became %d", peak, last))
	m.figure("noise gone", gone, len(noise), Goal{">", 0.60}, fmt.Sprintf("%d memories derived from noise alone count as noise", derived))
	m.figure("noise made permanent", share(permanent, len(noise)), len(noise), Goal{}, "engraved, because they were used on five days")
}

// useGold simulates the days. It returns the tokens of active memory after the last day with
// noise.
func (sim *Simulation) useGold(facts []Fact, told []toldFact) (peak int) {
	noisyDays, days, noise := sim.size(30, 8), sim.size(75, 45), sim.size(25, 6)
	for day := range days {
		if day%15 == 0 {
			sim.Note(fmt.Sprintf("nights: day %d of %d", day, days))
		}
		for i, f := range facts {
			if isGold(i) && (day+i)%(10+i%11) == 0 {
				sim.use(f.Ask(day), told[i], f)
			}
		}
		if day >= noisyDays {
			noise = 0
		}
		sim.days(1, noise)
		if day == noisyDays-1 {
			peak = sim.tokens()
		}
	}
	return peak
}

// use asks a question in a session of the day, and says by feedback that the hits that answer it were
// used.
func (sim *Simulation) use(question string, told toldFact, f Fact) {
	hits := sim.ask(question, func(in *engine.SearchInput) { in.Track, in.AskedIn = true, sim.now().Format(time.DateOnly) })
	for _, h := range hits {
		if answersFor(h.Memory, told.id, f.Of, f.Value) {
			must(sim.engine().Feedback(sim.ctx, sim.caller, engine.FeedbackInput{Query: question, ID: h.Memory.ID, User: User, Outcome: engine.OutcomeUsed}))
		}
	}
}

// factsLeft returns the fate of the gold, and the numbers of other facts and of those left.
func (sim *Simulation) factsLeft(all []*engine.View, facts []Fact, told []toldFact) (gold []Remains, idle, idleLeft int) {
	byID := indexed(all)
	for i, m := range told {
		left := isKept(byID, m.id, facts[i].Of, facts[i].Value)
		if !isGold(i) {
			idle++
			if left {
				idleLeft++
			}
			continue
		}
		gold = append(gold, Remains{Gold: true, Left: left})
		if !left {
			sim.miss("gold kept", "the memory is "+string(byID[m.id].State.Status)+", "+usageText(byID[m.id]), m.text, "")
		}
	}
	return gold, idle, idleLeft
}

// noiseLeft returns the fate of the noise, the number of memories derived from noise alone, and
// that of engraved ones.
func (sim *Simulation) noiseLeft(all []*engine.View, told []toldFact) (noise []Remains, derived, permanent int) {
	isFact := map[graph.ID]bool{}
	for _, m := range told {
		isFact[m.id] = true
	}
	for _, m := range all {
		left := m.State.Status == graph.Active
		switch {
		case isFact[m.ID]:
		case m.SourceKind == graph.FromConsolidation:
			if left && !sim.derivedFrom(m.ID, isFact) {
				derived++
			}
		default:
			if left && m.State.Tier == graph.L3 {
				permanent++
			}
			noise = append(noise, Remains{Left: left})
			if left {
				sim.miss("noise gone", fmt.Sprintf("%s in %s, %s", m.Type, m.State.Tier, usageText(m)), m.Content, "")
			}
		}
	}
	return noise, derived, permanent
}

// tokens counts the tokens of all ACTIVE memories.
func (sim *Simulation) tokens() int {
	n := 0
	for _, m := range sim.list(graph.Active) {
		n += prompt.Count(m.Content)
	}
	return n
}

func usageText(m *engine.View) string {
	if m.Usage.Count == 0 {
		return "never used"
	}
	return "used"
}

// indexed returns the memories by id.
func indexed(all []*engine.View) map[graph.ID]*engine.View {
	byID := map[graph.ID]*engine.View{}
	for _, m := range all {
		byID[m.ID] = m
	}
	return byID
}

// isKept reports whether a memory is ACTIVE, or one that it was merged into is and has the
// key words.
func isKept(byID map[graph.ID]*engine.View, id graph.ID, keys ...string) bool {
	m := byID[id]
	for range 16 { // it may have been merged several times
		if m == nil {
			return false
		}
		if m.State.Status == graph.Active {
			return m.ID == id || containsAll(m.Content, keys)
		}
		m = byID[cmp.Or(m.Consolidated, m.SupersededBy)]
	}
	return false
}

// derivedFrom reports whether a memory was derived from one of others.
func (sim *Simulation) derivedFrom(id graph.ID, others map[graph.ID]bool) (is bool) {
	check(sim.in.Store.View(sim.ctx, graph.Scope{Tenant: sim.caller.Tenant}, func(r graph.Reader) error {
		edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
		is = slices.ContainsFunc(edges, func(e graph.Edge) bool { return others[e.To] })
		return err
	}))
	return is
}
