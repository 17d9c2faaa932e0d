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
func (r subscriptionResolver) MemoryEvents(ctx context.Context, after *string, namespaces []string) (<-chan *gql.MemoryEvent, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	var from graph.Cursor
	if after != nil {
		if from, err = decodeAfterEvent(*after); err != nil {
			return nil, err
		}
	}
	events, err := r.verbs.Events(ctx, c, from, after == nil, namespaces)
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, events, func(ev engine.Event) *gql.MemoryEvent { return r.event(c, ev) }), nil
}

func (r subscriptionResolver) event(c engine.Caller, ev engine.Event) *gql.MemoryEvent {
	return &gql.MemoryEvent{
		Cursor: encodeEventCursor(ev.Cursor), Kind: gql.MemoryEventKind(ev.Kind), ID: nullable[string](ev.ID),
		Memory: encodeMemory(r.load(c, ev.Memory)[0]), At: ev.At,
	}
}

// convertStream hands on what comes in, put into other words, until it closes or ctx ends.
// There is no buffer: what a slow reader leaves stays with the sender.
func convertStream[In, Out any](ctx context.Context, in <-chan In, convert func(In) Out) <-chan Out {
	out := make(chan Out)
	go func() {
		defer close(out)
		for v := range in {
			select {
			case out <- convert(v):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
