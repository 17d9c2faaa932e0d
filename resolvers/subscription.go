package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// MemoryEvents hands on the engine's stream. There is no buffer here: a reader that
// is slow to take an event leaves it to the engine, which bounds what waits and says
// LAGGED. The channel closes when the engine's does, or when ctx ends.
func (r subscription) MemoryEvents(ctx context.Context, after *string, namespaces []string) (<-chan *gql.MemoryEvent, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	var from graph.Cursor
	if after != nil {
		if from, err = afterEvent(*after); err != nil {
			return nil, err
		}
	}
	events, err := r.verbs.Events(ctx, c, from, after == nil, namespaces)
	if err != nil {
		return nil, err
	}
	out := make(chan *gql.MemoryEvent)
	go func() {
		defer close(out)
		for ev := range events {
			select {
			case out <- r.event(c, ev):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

func (r subscription) event(c engine.Caller, ev engine.Event) *gql.MemoryEvent {
	return &gql.MemoryEvent{
		Cursor: eventCursor(ev.Cursor), Kind: gql.MemoryEventKind(ev.Kind), ID: null[string](ev.ID),
		Memory: memory(r.kin(c, ev.Memory)[0]), At: ev.At,
	}
}

// SleepProgress answers UNAVAILABLE until this server sleeps.
func (r subscription) SleepProgress(ctx context.Context) (<-chan *gql.SleepProgress, error) {
	if _, err := caller(ctx); err != nil {
		return nil, err
	}
	return nil, graph.Errorf(graph.CodeUnavailable, "this version does not sleep yet, so there is no progress to follow")
}
