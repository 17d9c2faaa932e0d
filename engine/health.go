package engine

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/upkeep"
)

// Health reports the state of the memories visible to the caller. An empty memory is healthy.
func (e *Engine) Health(ctx context.Context, c Caller) (*HealthReport, error) {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	known := upkeep.Known{Away: e.away(ctx), Stuck: e.session.Stuck(c, t), Unproven: sleep.Unproven}
	if clock, ok := e.ws.Clock.(HeldClock); ok {
		known.ClockAhead = clock.Ahead()
	}
	return e.upkeep.Health(ctx, c, known)
}

// HeldClock is a Clock that stands still while the machine's clock is behind what was recorded.
type HeldClock interface {
	// Ahead is how far Now is ahead of the machine's clock.
	Ahead() time.Duration
}

// away returns the names of the further dependencies that are not ready.
func (e *Engine) away(ctx context.Context) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(e.dependencies)) {
		if e.dependencies[name].Ready(ctx) != nil {
			names = append(names, name)
		}
	}
	return names
}

// Model is the name of the embedding model in use. Vectors of another one can't be compared with
// those of the store.
func (e *Engine) Model() string { return e.ws.Embedder.Name() }
