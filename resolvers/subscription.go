package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// MemoryEvents forwards the engine's stream without a buffer. If the client reads slowly,
// events wait in the engine, which limits them and sends LAGGED. The channel closes when the
// engine's stream does, or when ctx ends.
func (r subscriptionResolver) MemoryEvents(ctx context.Context, after *string, namespaces []string) (<-chan *gql.MemoryEvent, error) {
	c := caller(ctx)
	feed, err := r.verbs.EventFeed(ctx, c)
	if err != nil {
		return nil, err
	}
	var from place
	if after != nil {
		if from, err = r.cursors.decode(c, *after); err != nil {
			return nil, err
		}
		if from.feed != feed {
			return nil, errOtherFeed
		}
	}
	events, err := r.verbs.Events(ctx, c, from.at, after == nil, namespaces)
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, events, func(ev engine.Event) *gql.MemoryEvent { return r.event(c, feed, ev) }), nil
}

// EventCursor returns the position after the newest change, for memoryEvents.
func (r queryResolver) EventCursor(ctx context.Context) (*string, error) {
	c := caller(ctx)
	feed, err := r.verbs.EventFeed(ctx, c)
	if err != nil {
		return nil, err
	}
	head, err := r.verbs.EventCursor(ctx, c)
	if err != nil {
		return nil, err
	}
	cursor := r.cursors.encode(c, place{head, feed})
	return &cursor, nil
}

func (r subscriptionResolver) event(c engine.Caller, feed uint32, ev engine.Event) *gql.MemoryEvent {
	return &gql.MemoryEvent{
		Cursor: r.cursors.encode(c, place{ev.Cursor, feed}), Kind: gql.MemoryEventKind(ev.Kind), ID: nullable[string](ev.ID),
		Memory: encodeMemory(r.load(c, ev.Memory)[0]), At: ev.At,
	}
}

// convertStream forwards converted values until the input closes or ctx ends. It has no buffer,
// so values for a slow reader wait at the sender.
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
