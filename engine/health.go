package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/upkeep"
)

// Health reports the state of the memories visible to the caller. An empty memory is healthy.
func (e *Engine) Health(ctx context.Context, c Caller) (*HealthReport, error) {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	r, err := e.upkeep.Health(ctx, c, upkeep.Known{Away: e.away(ctx), Stuck: e.session.Stuck(c, t), Unproven: sleep.Unproven})
	if err == nil && e.details != nil && c.WholeTenant() == nil { // they are of the server, not of a caller
		maps.Copy(r.Details, e.details())
	}
	return r, err
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
