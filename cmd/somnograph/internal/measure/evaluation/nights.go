package evaluation

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// nights measures what many sleeps keep of facts and of noise.
var nights = Measure{
	Name:  "nights",
	About: "Facts told once, noise for 30 days, a sleep every night for 75 (quick: 8 and 45). Two facts in three are gold: they are searched for every 10 to 20 days, each time in other words, which counts as usage. Counts the gold that is left at the end, as told or distilled with its value, and the noise, with what was derived from it.",
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
	var golds, goldLeft, noises, noiseLeft int
	for _, r := range all {
		switch {
		case r.Gold && r.Left:
			golds, goldLeft = golds+1, goldLeft+1
		case r.Gold:
			golds++
		case r.Left:
			noises, noiseLeft = noises+1, noiseLeft+1
		default:
			noises++
		}
	}
	if noises == 0 {
		return share(goldLeft, golds), 0
	}
	return share(goldLeft, golds), 1 - share(noiseLeft+derivedNoise, noises)
}

// isGold reports whether the i-th fact is searched for.
func isGold(i int) bool { return i%3 > 0 }

func runNights(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+4, 3, 2)
	facts := w.Facts[:min(len(w.Facts), o.size(90, 24))]
	sim, err := openSimulation(ctx, o, w, "nights")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	told, err := sim.tellFacts(ctx, facts, noSubject)
	if err != nil {
		return err
	}
	peak, err := sim.useGold(ctx, o, facts)
	if err != nil {
		return err
	}
	last, err := sim.tokens(ctx)
	if err != nil {
		return err
	}
	all, err := sim.list(ctx, graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired)
	if err != nil {
		return err
	}
	remains, idle, idleLeft := factsLeft(all, facts, told, out)
	golds := len(remains)
	noise, derived, permanent, err := sim.noiseLeft(ctx, all, told, out)
	if err != nil {
		return err
	}
	kept, gone := ScoreNights(append(remains, noise...), derived)
	out.figure("gold kept", kept, golds, Goal{">", 0.90}, fmt.Sprintf("%d nights", sim.Nights))
	out.figure("facts without questions kept", share(idleLeft, idle), idle, Goal{}, "some were hits of other questions")
	ratio := 0.0
	if last > 0 {
		ratio = float64(peak) / float64(last)
	}
	out.figure("tokens of active memory, peak ÷ last", ratio, peak, Goal{}, fmt.Sprintf("%d tokens became %d", peak, last))
	out.figure("noise gone", gone, len(noise), Goal{">", 0.60}, fmt.Sprintf("%d memories derived from noise alone count as noise", derived))
	out.figure("noise made permanent", share(permanent, len(noise)), len(noise), Goal{}, "engraved, because they were hits of questions on five days")
	return nil
}

// useGold simulates the days. It returns the tokens of active memory after the last day with
// noise.
func (sim *Simulation) useGold(ctx context.Context, o Options, facts []Fact) (peak int, err error) {
	noisyDays, days, noise := o.size(30, 8), o.size(75, 45), o.size(25, 6)
	for day := range days {
		if day%15 == 0 {
			o.Note(fmt.Sprintf("nights: day %d of %d", day, days))
		}
		for i, f := range facts {
			if !isGold(i) || (day+i)%(10+i%11) > 0 {
				continue
			}
			if _, err := sim.ask(ctx, f.Ask(day), func(in *engine.SearchInput) { in.Track = true }); err != nil {
				return 0, err
			}
		}
		if day >= noisyDays {
			noise = 0
		}
		if err := sim.days(ctx, 1, noise); err != nil {
			return 0, err
		}
		if day == noisyDays-1 {
			if peak, err = sim.tokens(ctx); err != nil {
				return 0, err
			}
		}
	}
	return peak, nil
}

// factsLeft returns the fate of the gold, and the numbers of other facts and of those left.
func factsLeft(all []*engine.View, facts []Fact, told []toldFact, out *Outcome) (gold []Remains, idle, idleLeft int) {
	byID := map[graph.ID]*engine.View{}
	for _, m := range all {
		byID[m.ID] = m
	}
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
			why := "the memory is " + string(byID[m.id].State.Status)
			out.miss("gold kept", why+", "+usageText(byID[m.id]), m.text, "")
		}
	}
	return gold, idle, idleLeft
}

// noiseLeft returns the fate of the noise, the number of memories derived from noise alone, and
// that of engraved ones.
func (sim *Simulation) noiseLeft(ctx context.Context, all []*engine.View, told []toldFact, out *Outcome) (noise []Remains, derived, permanent int, err error) {
	isFact := map[graph.ID]bool{}
	for _, m := range told {
		isFact[m.id] = true
	}
	for _, m := range all {
		switch {
		case isFact[m.ID]:
		case m.SourceKind == graph.FromConsolidation && m.State.Status == graph.Active:
			of, err := sim.sources(ctx, m.ID)
			if err != nil {
				return nil, 0, 0, err
			}
			if !anyOf(of, isFact) {
				derived++
			}
		case m.SourceKind != graph.FromConsolidation:
			left := m.State.Status == graph.Active
			if left && m.State.Tier == graph.L3 {
				permanent++
			}
			noise = append(noise, Remains{Left: left})
			if left {
				out.miss("noise gone", fmt.Sprintf("%s in %s, %s", m.Type, m.State.Tier, usageText(m)), m.Content, "")
			}
		}
	}
	return noise, derived, permanent, nil
}

// tokens counts the tokens of all ACTIVE memories.
func (sim *Simulation) tokens(ctx context.Context) (int, error) {
	active, err := sim.list(ctx, graph.Active)
	n := 0
	for _, m := range active {
		n += prompt.Count(m.Content)
	}
	return n, err
}

func usageText(m *engine.View) string {
	if m.Usage.Count == 0 {
		return "never used"
	}
	return "used"
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
			if m.ID == id {
				return true
			}
			for _, k := range keys {
				if !contains(m.Content, k) {
					return false
				}
			}
			return true
		}
		next := m.Consolidated
		if next == "" {
			next = m.SupersededBy
		}
		m = byID[next]
	}
	return false
}

// sources returns the memories that a memory was derived from.
func (sim *Simulation) sources(ctx context.Context, id graph.ID) ([]graph.ID, error) {
	var all []graph.ID
	err := sim.in.Store.View(ctx, graph.Scope{Tenant: sim.caller.Tenant}, func(r graph.Reader) error {
		edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
		for _, e := range edges {
			all = append(all, e.To)
		}
		return err
	})
	return all, err
}

func anyOf(ids []graph.ID, in map[graph.ID]bool) bool {
	for _, id := range ids {
		if in[id] {
			return true
		}
	}
	return false
}
