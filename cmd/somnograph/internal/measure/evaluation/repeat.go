package evaluation

import (
	"context"
	"errors"
	"fmt"
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
func ScoreRepeat(had []bool) float64 {
	n := 0
	for _, h := range had {
		if h {
			n++
		}
	}
	return share(n, len(had))
}

func runRepeat(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+3, 2, 2)
	wishes := some(w.rand, lexicon.Wishes, o.size(len(lexicon.Wishes), 12))
	facts := w.Facts[:min(len(w.Facts), o.size(100, 20))]
	sim, err := openSimulation(ctx, o, w, "repeat")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	if _, err := sim.tellFacts(ctx, facts, noSubject); err != nil {
		return err
	}
	ids := make([]graph.ID, len(wishes))
	noise := o.size(40, 10)
	perDay := (len(wishes) + 2) / 3
	for i, wish := range wishes {
		told, err := sim.remember(ctx, []engine.RememberInput{sim.said(fmt.Sprintf("talk-%d", i/4), wish.Text)})
		if err != nil {
			return err
		}
		ids[i] = told[0]
		if (i+1)%perDay == 0 || i == len(wishes)-1 {
			if err := sim.days(ctx, 1, noise); err != nil {
				return err
			}
		}
	}
	var had []bool
	var shared []float64
	for turn, days := range []int{10, 15} {
		o.Note(fmt.Sprintf("repeat: simulating %d more days", days))
		if err := sim.days(ctx, days, noise); err != nil {
			return err
		}
		for i, wish := range wishes {
			task := wish.Tasks[turn]
			in, err := sim.inContext(ctx, fmt.Sprintf("task-%d-%d", turn, i), task, ids[i])
			if err != nil {
				return err
			}
			had = append(had, in)
			shared = append(shared, Overlap(task, wish.Text))
			if !in {
				why := "shares words with the request"
				if Overlap(task, wish.Text) == 0 {
					why = "shares no word with the request"
				}
				m, err := sim.memory(ctx, ids[i])
				if err != nil {
					return err
				}
				if m.State.Status != graph.Active {
					why = "the memory is " + string(m.State.Status)
				}
				out.miss("had not to repeat", why, wish.Text, task)
			}
			if err := sim.wait(time.Minute); err != nil {
				return err
			}
		}
	}
	out.figure("had not to repeat", ScoreRepeat(had), len(had), Goal{">=", 0.85},
		fmt.Sprintf("default budget of 4,400 tokens; the requests share %.0f %% of their content words with the wish", 100*mean(shared)))
	return nil
}

// inContext reports whether a memory, or one that it was merged into, is in the context of a
// request.
func (sim *Simulation) inContext(ctx context.Context, session, task string, id graph.ID) (bool, error) {
	r, err := sim.engine().Context(ctx, sim.caller, engine.ContextInput{Session: session, User: User, Query: task})
	if err != nil {
		return false, fmt.Errorf("context: %w", err)
	}
	m, err := sim.memory(ctx, id)
	if err != nil {
		return false, err
	}
	for _, layer := range r.Layers {
		for _, has := range layer.MemoryIDs {
			if has == string(id) || m.Consolidated != "" && has == string(m.Consolidated) {
				return true, nil
			}
		}
	}
	return false, nil
}
