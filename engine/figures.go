package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Lists of the values of figures.
var (
	Parts       = workspace.Parts
	Works       = workspace.Works
	SleepPhases = sleep.Phases
)

// Figures are numbers about this server that cost little to read.
type Figures struct {
	Damaged      int                          // engrams known to be damaged
	EventStreams int                          // open streams of changes of memories
	Caches       map[string]workspace.Lookups // look-ups since the start, by cache
}

// Figures returns the numbers as they are now.
func (e *Engine) Figures() Figures {
	return Figures{Damaged: e.ws.Damage.Count(), EventStreams: e.ws.EventStreams(), Caches: e.ws.Lookups()}
}

// CountDeadLetters counts the memories with abandoned work in all tenants, by work. It reads the store.
func (e *Engine) CountDeadLetters(ctx context.Context) (map[Work]int, error) {
	tenants, err := e.ws.Store.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[Work]int{}
	for _, t := range tenants {
		err := e.ws.Store.View(ctx, graph.Scope{Tenant: t}, func(r graph.Reader) error {
			return workspace.EachLetter(ctx, r, "", func(x workspace.DeadLetter, _ *graph.Memory) bool {
				counts[x.Work]++
				return true
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
