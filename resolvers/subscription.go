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
	return stream(ctx, events, func(ev engine.Event) *gql.MemoryEvent { return r.event(c, ev) }), nil
}

func (r subscription) event(c engine.Caller, ev engine.Event) *gql.MemoryEvent {
	return &gql.MemoryEvent{
		Cursor: eventCursor(ev.Cursor), Kind: gql.MemoryEventKind(ev.Kind), ID: null[string](ev.ID),
		Memory: memory(r.kin(c, ev.Memory)[0]), At: ev.At,
	}
}

// stream hands on what comes in, put into other words, until it closes or ctx ends.
// There is no buffer: what a slow reader leaves stays with the sender.
func stream[In, Out any](ctx context.Context, in <-chan In, say func(In) Out) <-chan Out {
	out := make(chan Out)
	go func() {
		defer close(out)
		for v := range in {
			select {
			case out <- say(v):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
