package evaluation

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// repeat requests contexts weeks after a wish was stated once.
var repeat = Measure{
	Name:  "repeat",
	About: "Wishes stated once in early sessions, among facts and noise; 10 and 25 days later a request in a new session for which the wish matters, without mentioning it. Counts where the wish is in the prompt context.",
	run:   runRepeat,
}

// ScoreRepeat is the share of requests whose context has the wish.
func ScoreRepeat(had []bool) float64 { return shareOf(had, func(h bool) bool { return h }) }

func runRepeat(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+3, 2, 2)
	wishes := some(w.rand, m.lexicon.Wishes, m.size(len(m.lexicon.Wishes), 12))
	facts := w.Facts[:min(len(w.Facts), m.size(100, 20))]
	sim := m.simulate(w)
	sim.tellFacts(facts, nil)
	ids := make([]graph.ID, len(wishes))
	noise := m.size(40, 10)
	perDay := (len(wishes) + 2) / 3
	for i, wish := range wishes {
		ids[i] = sim.remember([]engine.RememberInput{sim.said(fmt.Sprintf("talk-%d", i/4), wish.Text)})[0]
		if (i+1)%perDay == 0 || i == len(wishes)-1 {
			sim.days(1, noise)
		}
	}
	var had []bool
	var shared []float64
	for turn, days := range []int{10, 15} {
		m.Note(fmt.Sprintf("repeat: simulating %d more days", days))
		sim.days(days, noise)
		for i, wish := range wishes {
			task := wish.Tasks[turn]
			in := sim.inContext(fmt.Sprintf("task-%d-%d", turn, i), task, ids[i])
			had = append(had, in)
			shared = append(shared, Overlap(task, wish.Text))
			if !in {
				why := "shares words with the request"
				if Overlap(task, wish.Text) == 0 {
					why = "shares no word with the request"
				}
				if status := sim.memory(ids[i]).State.Status; status != graph.Active {
					why = "the memory is " + string(status)
				}
				m.miss("did not need to repeat", why, wish.Text, task)
			}
			sim.wait(time.Minute)
		}
	}
	m.figure("did not need to repeat", ScoreRepeat(had), len(had), Goal{">=", 0.85},
		fmt.Sprintf("default budget of 4,400 tokens; the requests share %.0f %% of their content words with the wish", 100*mean(shared)))
}

// inContext reports whether a memory, or one that it was merged into, is in the context of a
// request.
func (sim *Simulation) inContext(session, task string, id graph.ID) bool {
	if sim.plain != nil {
		return sim.plainPrompt(task, id)
	}
	r := must(sim.engine().Context(sim.ctx, sim.caller, engine.ContextInput{Session: session, User: User, Query: task}))
	into := sim.memory(id).Consolidated
	for _, layer := range r.Layers {
		if slices.Contains(layer.MemoryIDs, string(id)) || into != "" && slices.Contains(layer.MemoryIDs, string(into)) {
			return true
		}
	}
	return false
}
