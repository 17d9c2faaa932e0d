package evaluation

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// distil measures what sleep makes of episodes about one thing.
var distil = Measure{
	Name:  "distil",
	About: "Episodes with figures, names and dates, one a day about each of 20 things, then two weeks of noise and sleep. Counts the figures, names and dates that an ACTIVE memory still has, the tokens before and after, and the precision of questions about a thing before and after (R-precision: the share of the first R hits that are about the thing, R being the number of ACTIVE memories about it, at most 10).",
	run:   runDistil,
}

// Kept counts the key facts of an episode, and those that are kept.
type Kept struct{ Keys, Kept int }

// ScoreKept is the share of key facts that are kept.
func ScoreKept(all []Kept) float64 {
	keys, kept := 0, 0
	for _, k := range all {
		keys, kept = keys+k.Keys, kept+k.Kept
	}
	return share(kept, keys)
}

// RPrecision is the share of relevant hits among the first r (Buckley, Voorhees, SIGIR 2000);
// 1 if r is 0.
func RPrecision(relevant []bool, r int) float64 {
	if r == 0 {
		return 1
	}
	n := 0
	for _, is := range relevant[:min(r, len(relevant))] {
		if is {
			n++
		}
	}
	return share(n, r)
}

// told is an episode and the memory it became.
type told struct {
	Episode
	id graph.ID
}

func runDistil(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+5, 0, 0)
	around := w.Episodes(o.size(4, 2))
	sim, err := openSimulation(ctx, o, w, "distil")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	noise := o.size(20, 6)
	var all []told
	for turn := range len(around[0]) {
		var in []engine.RememberInput
		var these []Episode
		for _, episodes := range around {
			if turn < len(episodes) {
				e := episodes[turn]
				these = append(these, e)
				x := sim.said(sim.now().Format("2006-01-02")+"-"+e.Thing, e.Text)
				x.Type = graph.Episodic
				in = append(in, x)
			}
		}
		ids, err := sim.remember(ctx, in)
		if err != nil {
			return err
		}
		for i, id := range ids {
			all = append(all, told{these[i], id})
		}
		if err := sim.days(ctx, 1, noise); err != nil {
			return err
		}
	}
	before, tokensBefore, err := sim.distilled(ctx, around, all)
	if err != nil {
		return err
	}
	o.Note("distil: two weeks of sleep")
	if err := sim.days(ctx, 14, noise); err != nil {
		return err
	}
	after, tokensAfter, err := sim.distilled(ctx, around, all)
	if err != nil {
		return err
	}
	return sim.reportDistil(ctx, out, all, before, after, tokensBefore, tokensAfter)
}

// distilled asks about each thing and returns the R-precisions, and the tokens of the ACTIVE
// memories about the episodes.
func (sim *Simulation) distilled(ctx context.Context, around [][]Episode, all []told) (precisions []float64, tokens int, err error) {
	active, err := sim.list(ctx, graph.Active)
	if err != nil {
		return nil, 0, err
	}
	about := map[string]int{}
	episodes := map[graph.ID]bool{}
	for _, t := range all {
		episodes[t.id] = true
	}
	for _, m := range active {
		for _, episodesOf := range around {
			if contains(m.Content, episodesOf[0].Thing) {
				about[episodesOf[0].Thing]++
			}
		}
		if episodes[m.ID] {
			tokens += prompt.Count(m.Content)
			continue
		}
		if m.SourceKind == graph.FromConsolidation {
			of, err := sim.sources(ctx, m.ID)
			if err != nil {
				return nil, 0, err
			}
			if anyOf(of, episodes) {
				tokens += prompt.Count(m.Content)
			}
		}
	}
	for _, episodesOf := range around {
		thing := episodesOf[0].Thing
		for _, question := range episodesOf[0].Theme.Ask {
			hits, err := sim.ask(ctx, fill(question, "{t}", thing))
			if err != nil {
				return nil, 0, err
			}
			relevant := make([]bool, len(hits))
			for i, h := range hits {
				relevant[i] = contains(h.Memory.Content, thing)
			}
			precisions = append(precisions, RPrecision(relevant, min(topK, about[thing])))
		}
	}
	return precisions, tokens, nil
}

func (sim *Simulation) reportDistil(ctx context.Context, out *Outcome, all []told, before, after []float64, tokensBefore, tokensAfter int) error {
	views, err := sim.list(ctx, graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired)
	if err != nil {
		return err
	}
	byID := map[graph.ID]*engine.View{}
	for _, m := range views {
		byID[m.ID] = m
	}
	var kept []Kept
	folded := 0
	for _, t := range all {
		k := Kept{Keys: len(t.Keys)}
		for _, key := range t.Keys {
			if isKept(byID, t.id, t.Thing, key) {
				k.Kept++
			} else {
				out.miss("key facts kept", "the memory is "+string(byID[t.id].State.Status)+" and its replacement lacks "+kindOfKey(key), t.Text, "")
			}
		}
		kept = append(kept, k)
		if byID[t.id].State.Status == graph.Consolidated {
			folded++
		}
	}
	out.figure("episodes distilled", share(folded, len(all)), len(all), Goal{}, "share of the episodes that were merged into a derived memory")
	out.figure("key facts kept", ScoreKept(kept), len(kept), Goal{">", 0.95}, "figures, names and dates in ACTIVE memories")
	ratio := 0.0
	if tokensAfter > 0 {
		ratio = float64(tokensBefore) / float64(tokensAfter)
	}
	out.figure("text, before ÷ after", ratio, len(all), Goal{}, fmt.Sprintf("%d tokens of episodes became %d", tokensBefore, tokensAfter))
	b, a := mean(before), mean(after)
	out.figure("precision before", b, len(before), Goal{}, "")
	out.figure("precision after", a, len(after), Goal{}, "")
	gain := 0.0
	if b > 0 {
		gain = a/b - 1
	}
	out.figure("precision gained", gain, len(after), Goal{">=", 0.10}, "relative; where precision was above 0.91 before, the goal can't be reached")
	return nil
}

// kindOfKey describes a key.
func kindOfKey(key string) string {
	switch {
	case key[0] >= '0' && key[0] <= '9' && len(words(key)) > 1:
		return "a date"
	case key[0] >= '0' && key[0] <= '9':
		return "a number"
	}
	return "a name"
}
