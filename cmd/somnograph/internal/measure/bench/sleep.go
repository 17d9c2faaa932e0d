package bench

import (
	"context"
	"os"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
	"github.com/somnograph/somnograph/engine"
)

// age is the age of the data at the sleep, so that every phase has something to do.
const age = 40 * 24 * time.Hour

// Sleep is a deep sleep over all memories, with concurrent searches.
type Sleep struct {
	Seconds float64            `json:"seconds"`
	Phases  map[string]float64 `json:"phasesMs"`
	// Done holds the counts of the morning report.
	Done map[string]int `json:"done"`
	// Before and During are BALANCED searches, one after the other.
	Before  Spread  `json:"searchBefore"`
	During  Spread  `json:"searchDuring"`
	Second  float64 `json:"secondSeconds"` // of a second sleep right after it
	PeakRSS int64   `json:"peakRssBytes"`
	IdleRSS int64   `json:"idleRssBytes"` // after both, once unused memory was returned
}

// measureSleep measures a sleep.
func measureSleep(ctx context.Context, o Options, in *instance.Instance, c *corpus) (*Sleep, error) {
	questions := make([]string, max(o.Searches, 50))
	for i := range questions {
		questions[i] = c.question()
	}
	ask := func(i int) error {
		_, err := in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: questions[i%len(questions)]})
		return err
	}
	before, err := timed(len(questions), ask)
	if err != nil {
		return nil, err
	}
	type morning struct {
		report *engine.SleepReport
		took   time.Duration
		err    error
	}
	sleep := func() morning {
		began := time.Now()
		r, err := in.Engine.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
		return morning{r, time.Since(began), err}
	}
	done := make(chan morning, 1)
	go func() { done <- sleep() }()
	var during []time.Duration
	for {
		select {
		case m := <-done:
			if m.err != nil {
				return nil, m.err
			}
			n := &Sleep{Seconds: m.took.Seconds(), Phases: map[string]float64{}, Before: spread(before), During: spread(during)}
			for _, p := range m.report.Phases {
				n.Phases[string(p.Phase)] = retrieval.Millis(p.Duration)
			}
			r := m.report
			n.Done = map[string]int{
				"in": r.Balance.In, "reinforced": r.Reinforced, "pruned": r.Pruned, "deduplicated": r.Deduplicated, "promoted": r.Promoted,
				"engraved": r.Engraved, "dreamed": r.Dreamed, "consolidated": r.Consolidated, "derived": r.Derived,
			}
			_, _, n.PeakRSS = resident(os.ReadFile)
			again := sleep()
			n.Second, n.IdleRSS = again.took.Seconds(), o.idle()
			return n, again.err
		default:
		}
		took, err := timed(1, func(int) error { return ask(len(during)) })
		if err != nil {
			return nil, err
		}
		during = append(during, took...)
		// The load is that of a server in normal use.
		time.Sleep(20 * time.Millisecond)
	}
}
