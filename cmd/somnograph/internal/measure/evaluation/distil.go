package evaluation

import (
	"fmt"
	"time"

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
	return share(count(relevant[:min(r, len(relevant))], func(is bool) bool { return is }), r)
}

// told is an episode and the memory it became.
type told struct {
	Episode
	id graph.ID
}

func runDistil(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+5, 0, 0)
	around := w.Episodes(m.size(4, 2))
	sim := m.simulate(w)
	noise := m.size(20, 6)
	var all []told
	for turn := range len(around[0]) {
		var in []engine.RememberInput
		var these []Episode
		for _, episodes := range around {
			if turn < len(episodes) {
				e := episodes[turn]
				these = append(these, e)
				x := sim.said(sim.now().Format(time.DateOnly)+"-"+e.Thing, e.Text)
				x.Type = graph.Episodic
				in = append(in, x)
			}
		}
		for i, id := range sim.remember(in) {
			all = append(all, told{these[i], id})
		}
		sim.days(1, noise)
	}
	before, tokensBefore := sim.distilled(around, all)
	m.Note("distil: two weeks of sleep")
	sim.days(14, noise)
	after, tokensAfter := sim.distilled(around, all)
	sim.keyFactsKept(all)
	m.figure("text, before ÷ after", share(tokensBefore, tokensAfter), len(all), Goal{}, fmt.Sprintf("%d tokens of episodes became %d", tokensBefore, tokensAfter))
	b, a, n := mean(before), mean(after), len(before)
	m.figure("precision before", b, n, Goal{}, "")
	m.figure("precision after", a, n, Goal{}, "")
	m.figure("precision gained", ratio(a-b, b), n, Goal{">=", 0.10}, "relative; where precision was above 0.91 before, the goal can't be reached")
}

// distilled asks about each thing and returns the R-precisions, and the tokens of the ACTIVE
// memories about the episodes.
func (sim *Simulation) distilled(around [][]Episode, all []told) (precisions []float64, tokens int) {
	about := map[string]int{}
	episodes := map[graph.ID]bool{}
	for _, t := range all {
		episodes[t.id] = true
	}
	for _, m := range sim.list(graph.Active) {
		for _, episodesOf := range around {
			if contains(m.Content, episodesOf[0].Thing) {
				about[episodesOf[0].Thing]++
			}
		}
		if episodes[m.ID] || m.SourceKind == graph.FromConsolidation && sim.derivedFrom(m.ID, episodes) {
			tokens += prompt.Count(m.Content)
		}
	}
	for _, episodesOf := range around {
		thing := episodesOf[0].Thing
		for _, question := range episodesOf[0].Theme.Ask {
			var relevant []bool
			for _, h := range sim.ask(fill(question, "{t}", thing)) {
				relevant = append(relevant, contains(h.Memory.Content, thing))
			}
			precisions = append(precisions, RPrecision(relevant, min(topK, about[thing])))
		}
	}
	return precisions, tokens
}

// keyFactsKept reports the figures about the episodes.
func (sim *Simulation) keyFactsKept(all []told) {
	byID := indexed(sim.list(graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired))
	var kept []Kept
	for _, t := range all {
		k := Kept{Keys: len(t.Keys)}
		for _, key := range t.Keys {
			if isKept(byID, t.id, t.Thing, key) {
				k.Kept++
			} else {
				sim.miss("key facts kept", "the memory is "+string(byID[t.id].State.Status)+" and its replacement lacks "+kindOfKey(key), t.Text, "")
			}
		}
		kept = append(kept, k)
	}
	folded := shareOf(all, func(t told) bool { return byID[t.id].State.Status == graph.Consolidated })
	sim.figure("episodes distilled", folded, len(all), Goal{}, "share of the episodes that were merged into a derived memory")
	sim.figure("key facts kept", ScoreKept(kept), len(kept), Goal{">", 0.95}, "figures, names and dates in ACTIVE memories")
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
