package evaluation

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// nights looks at what many nights leave of what matters and of what does not.
var nights = Measure{
	Name:  "nights",
	About: "Facts told once, noise told for 30 days, a sleep every night for 75 (quick: 8 and 45). Two facts in three are gold: somebody asks for them every 10 to 20 days, each time in other words, and what is found counts as used. Counts what is left at the end of gold, as it was told or distilled with its value, and of the noise, with what was derived from it.",
	run:   runNights,
}

// Remains is what became of one memory.
type Remains struct {
	Gold bool // a fact; else noise
	Left bool // it is ACTIVE, or ACTIVE in what was derived from it
}

// ScoreNights is the share of gold that is left, and the share of noise that is not,
// with what was derived from noise alone counted as noise.
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

func runNights(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+4, 3, 2)
	facts := w.Facts[:min(len(w.Facts), o.size(90, 24))]
	l, err := openLab(ctx, o, w, "nights")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	told, err := l.tellFacts(ctx, facts, never)
	if err != nil {
		return err
	}
	isGold := func(i int) bool { return i%3 > 0 }
	fact := map[graph.ID]bool{}
	for _, m := range told {
		fact[m.id] = true
	}
	loud, end := o.size(30, 8), o.size(75, 45)
	noise := o.size(25, 6)
	loudest := 0
	for day := range end {
		if day%15 == 0 {
			o.Note(fmt.Sprintf("nights: day %d of %d", day, end))
		}
		for i, f := range facts {
			if !isGold(i) || (day+i)%(10+i%11) > 0 {
				continue
			}
			if _, err := l.ask(ctx, f.Ask(day), func(in *engine.SearchInput) { in.Track = true }); err != nil {
				return err
			}
		}
		heard := noise
		if day >= loud {
			heard = 0
		}
		if err := l.days(ctx, 1, heard); err != nil {
			return err
		}
		if day == loud-1 {
			if loudest, err = l.tokens(ctx); err != nil {
				return err
			}
		}
	}
	quiet, err := l.tokens(ctx)
	if err != nil {
		return err
	}
	all, err := l.list(ctx, graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired)
	if err != nil {
		return err
	}
	byID := map[graph.ID]*engine.View{}
	for _, m := range all {
		byID[m.ID] = m
	}
	var remains []Remains
	golds, idle, idleLeft := 0, 0, 0
	for i, m := range told {
		left := heldBy(byID, m.id, facts[i].Of, facts[i].Value)
		if !isGold(i) {
			idle++
			if left {
				idleLeft++
			}
			continue
		}
		golds++
		remains = append(remains, Remains{Gold: true, Left: left})
		if !left {
			why := "the memory is " + string(byID[m.id].State.Status)
			out.miss("gold kept", why+", "+usedOrNot(byID[m.id]), m.text, "")
		}
	}
	derived, permanent := 0, 0
	for _, m := range all {
		switch {
		case fact[m.ID]:
		case m.SourceKind == graph.FromConsolidation && m.State.Status == graph.Active:
			of, err := l.sources(ctx, m.ID)
			if err != nil {
				return err
			}
			if !anyOf(of, fact) {
				derived++
			}
		case m.SourceKind != graph.FromConsolidation:
			left := m.State.Status == graph.Active
			if left && m.State.Tier == graph.L3 {
				permanent++
			}
			remains = append(remains, Remains{Left: left})
			if left {
				out.miss("noise gone", fmt.Sprintf("%s in %s, %s", m.Type, m.State.Tier, usedOrNot(m)), m.Content, "")
			}
		}
	}
	kept, gone := ScoreNights(remains, derived)
	out.figure("gold kept", kept, golds, Goal{">", 0.90}, fmt.Sprintf("%d nights", l.Nights))
	out.figure("facts that nobody asked for kept", share(idleLeft, idle), idle, Goal{}, "some stood among the hits of other questions")
	ratio := 0.0
	if quiet > 0 {
		ratio = float64(loudest) / float64(quiet)
	}
	out.figure("tokens of active memory, loudest ÷ last", ratio, loudest, Goal{}, fmt.Sprintf("%d tokens became %d", loudest, quiet))
	out.figure("noise gone", gone, len(remains)-golds, Goal{">", 0.60}, fmt.Sprintf("%d memories derived from noise alone count as noise", derived))
	out.figure("noise made permanent", share(permanent, len(remains)-golds), len(remains)-golds, Goal{}, "engraved, since it stood among the hits of questions on five days")
	return nil
}

// tokens counts those of everything that is ACTIVE.
func (l *Lab) tokens(ctx context.Context) (int, error) {
	active, err := l.list(ctx, graph.Active)
	n := 0
	for _, m := range active {
		n += prompt.Count(m.Content)
	}
	return n, err
}

func usedOrNot(m *engine.View) string {
	if m.Usage.Count == 0 {
		return "never used"
	}
	return "used"
}

// heldBy reports whether a memory is ACTIVE, or what it was folded into is and has
// kept its words.
func heldBy(byID map[graph.ID]*engine.View, id graph.ID, keys ...string) bool {
	m := byID[id]
	for range 16 { // folded into what was folded in turn
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

// sources are the memories that one was derived from.
func (l *Lab) sources(ctx context.Context, id graph.ID) ([]graph.ID, error) {
	var all []graph.ID
	err := l.in.Store.View(ctx, graph.Scope{Tenant: l.caller.Tenant}, func(r graph.Reader) error {
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
