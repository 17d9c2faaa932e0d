package evaluation

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// distil measures what sleep makes of episodes about one thing.
var distil = Measure{
	Name: "distil",
	About: "Two kinds of episodes with figures, names and dates, one a day: five that differ, about each of 20 things, and ten that repeat in several wordings, about each of 24 others. Then two weeks of noise. The same days are simulated twice, with a sleep every night and without. " +
		"Counts the repeated episodes that were folded, the figures, names and dates that an ACTIVE memory still has, the tokens before and after, the tokens that each night saved, and the precision of the answers to questions about a thing, with sleep and without: the share of the hits that are about the thing and tell something that no better hit tells. R-precision is the share of the first R hits that are about the thing, R being the number of ACTIVE memories about it, at most 10; it counts a repetition as an answer, so that folding lowers R.",
	run: runDistil,
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
	return share(count(relevant[:min(len(relevant), r)], func(is bool) bool { return is }), r)
}

// NovelPrecision is the share of the hits that are relevant and tell something that no better hit
// tells (Soboroff, Harman, "Overview of the TREC 2003 Novelty Track"): a hit whose words are all
// in one better hit tells nothing new. It is 0 without hits.
func NovelPrecision(hits []string, relevant []bool) float64 {
	novel := 0
	for i, hit := range hits {
		known := slices.ContainsFunc(hits[:i], func(better string) bool {
			told := words(better)
			return !slices.ContainsFunc(words(hit), func(w string) bool { return !slices.Contains(told, w) })
		})
		if relevant[i] && !known {
			novel++
		}
	}
	return share(novel, len(hits))
}

// told is an episode and the memory it became.
type told struct {
	Episode
	id graph.ID
}

// Episodes about each thing.
const (
	repeatsPerThing = 10
	daysAfter       = 14 // after the last episode
)

func runDistil(m *measurement) {
	m.Note("distil: the days without sleep")
	awake, around, _ := m.liveThrough(true)
	before := awake.precisions(around)
	m.Note("distil: the days with sleep")
	sim, _, all := m.liveThrough(false)
	after := sim.precisions(around)
	sim.keyFactsKept(all)
	sim.foldsOf(all)
	worst := 0
	for _, n := range sim.saved {
		worst = min(worst, n)
	}
	m.figure("tokens saved in the worst night", float64(worst), len(sim.saved), Goal{">=", 0}, "")
	m.precisionGained("precision", before, after, func(precision) bool { return true })
	m.precisionGained("… of repeated episodes", before, after, func(p precision) bool { return p.again })
	m.precisionGained("… where there was room", before, after, func(p precision) bool { return p.value <= 0.9 })
	worstGain := 1.0
	for _, group := range groupsOf(before) {
		in := func(p precision) bool { return p.group == group }
		b, a := meanPrecision(before, before, in), meanPrecision(before, after, in)
		worstGain = min(worstGain, ratio(a-b, b))
	}
	for _, x := range []struct {
		name string
		of   []precision
	}{{"R-precision without sleep", before}, {"R-precision with sleep", after}} {
		var values []float64
		for _, p := range x.of {
			values = append(values, p.ranked)
		}
		m.figure(x.name, mean(values), len(values), Goal{}, "")
	}
	m.figure("precision gained by the worst group", worstGain, len(groupsOf(before)), Goal{">=", 0}, "themes and routines; relative")
}

// precisionGained reports the mean precision of some things with sleep and without.
func (m *measurement) precisionGained(name string, before, after []precision, in func(precision) bool) {
	n := count(before, in)
	if n == 0 {
		return
	}
	b, a := meanPrecision(before, before, in), meanPrecision(before, after, in)
	goal := Goal{">=", 0}
	if b <= 0.9 {
		goal.Value = 0.10
	}
	m.figure(name+" without sleep", b, n, Goal{}, "")
	m.figure(name+" with sleep", a, n, Goal{}, "")
	m.figure(name+" gained", ratio(a-b, b), n, goal, "relative; where precision was above 0.9 without sleep there is no room for 0.10")
}

// precision is the mean precision of the questions about a thing.
type precision struct {
	group  string
	again  bool
	value  float64 // NovelPrecision
	ranked float64 // RPrecision
}

// meanPrecision is the mean of the values of the things that are in a selection by another list.
func meanPrecision(by, of []precision, in func(precision) bool) float64 {
	var values []float64
	for i, p := range by {
		if in(p) {
			values = append(values, of[i].value)
		}
	}
	return mean(values)
}

func groupsOf(all []precision) []string {
	var names []string
	for _, p := range all {
		if !slices.Contains(names, p.group) {
			names = append(names, p.group)
		}
	}
	return names
}

// liveThrough simulates the days. It returns the episodes about each thing, and all of them as
// they were told.
func (m *measurement) liveThrough(awake bool) (sim *Simulation, around [][]Episode, all []told) {
	w := NewWorld(m.lexicon, m.Seed+5, 0, 0)
	around = append(w.Episodes(m.size(4, 2)), w.Repeats(m.size(3, 1), repeatsPerThing)...)
	dir := m.Measure
	if awake {
		dir += "-awake"
	}
	sim = m.simulateIn(w, dir)
	sim.awake = awake
	noise := m.size(20, 6)
	for day := range repeatsPerThing {
		var in []engine.RememberInput
		var these []Episode
		for _, episodes := range around {
			if day < len(episodes) {
				e := episodes[day]
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
	sim.days(daysAfter, noise)
	return sim, around, all
}

// precisions asks about each thing.
func (sim *Simulation) precisions(around [][]Episode) []precision {
	about := map[string]int{}
	for _, m := range sim.list(graph.Active) {
		for _, episodes := range around {
			if contains(m.Content, episodes[0].Thing) {
				about[episodes[0].Thing]++
			}
		}
	}
	var out []precision
	for _, episodes := range around {
		e := episodes[0]
		var values, ranked []float64
		for _, question := range e.Ask {
			var relevant []bool
			var hits []string
			for _, h := range sim.ask(question) {
				hits = append(hits, h.Memory.Content)
				relevant = append(relevant, contains(h.Memory.Content, e.Thing))
			}
			values = append(values, NovelPrecision(hits, relevant))
			ranked = append(ranked, RPrecision(relevant, min(topK, about[e.Thing])))
		}
		out = append(out, precision{e.Group, e.Again, mean(values), mean(ranked)})
	}
	return out
}

// foldsOf reports what became of the repeated episodes.
func (sim *Simulation) foldsOf(all []told) {
	byID := indexed(sim.list(graph.Active, graph.Consolidated, graph.Archived, graph.Superseded, graph.Expired))
	for _, kind := range []struct {
		name  string
		again bool
		goal  func(float64) Goal
	}{{"repeated episodes", true, func(v float64) Goal { return Goal{">=", v} }}, {"different episodes", false, func(float64) Goal { return Goal{} }}} {
		these := map[graph.ID]bool{}
		folded, before, after := 0, 0, 0 // tokens of what was folded, and of what it became
		for _, t := range all {
			if t.Again != kind.again || these[t.id] {
				continue
			}
			these[t.id] = true
			if byID[t.id].State.Status == graph.Consolidated {
				folded++
				before += prompt.Count(t.Text)
			}
		}
		for _, m := range byID {
			if m.State.Status == graph.Active && m.SourceKind == graph.FromConsolidation && sim.derivedFrom(m.ID, these) {
				after += prompt.Count(m.Content)
			}
		}
		sim.figure(kind.name+" folded", share(folded, len(these)), len(these), kind.goal(0.5), "share that was merged into a derived memory")
		if folded > 0 {
			sim.figure("… their text, before ÷ after", share(before, after), folded, kind.goal(2), fmt.Sprintf("%d tokens became %d", before, after))
		}
	}
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
	sim.figure("key facts kept", ScoreKept(kept), len(kept), Goal{">=", 0.98}, "figures, names and dates in ACTIVE memories")
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
