package workspace

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// eventBuffer is the number of events that wait for a reader outside the feed.
const eventBuffer = 64

// EventCursor returns the position of the newest change of the tenant. A stream of Events after it
// delivers every later change.
func (ws *Space) EventCursor(ctx context.Context, c Caller) (graph.Cursor, error) {
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return 0, err
	}
	return ws.Store.Head(ctx, t.Scope)
}

// feedSetting holds the number of the change feed of a tenant that was restored.
const feedSetting = "feed"

// Feed returns the number of the change feed of the tenant: 0, or what the last restore set. A position of another feed means
// another change here.
func (ws *Space) Feed(ctx context.Context, c Caller) (feed uint32, err error) {
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return 0, err
	}
	err = t.Whole().View(ctx, func(r graph.Reader) error {
		_, err := lifecycle.ReadSetting(r, feedSetting, &feed)
		return err
	})
	return feed, err
}

// RenumberFeed gives the change feed of a tenant that is being restored another number, which must not be 0.
func RenumberFeed(tx graph.Tx, feed uint32) error { return lifecycle.PutSetting(tx, feedSetting, feed) }

// Events streams the changes of memories after a cursor, or from now on. The channel closes
// when ctx ends or the feed fails. One reader of the feed serves all streams of a tenant, and the
// streams share a number of events per second, so that they do not delay writes. A live stream
// that is late by more than maxLag changes gets EventLagged and continues with new changes. The
// cursor of EventLagged is the position from which it can resume without loss.
func (ws *Space) Events(ctx context.Context, c Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan Event, error) {
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, err
	}
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	head, err := ws.Store.Head(ctx, t.Scope)
	if err != nil {
		return nil, err
	}
	if fromNow {
		after = head
	} else if after > head {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "is later than the last event")
	}
	if err := t.fanout.join(head); err != nil {
		return nil, err
	}
	s := &stream{ws: ws, t: t, c: c, spaces: spaces, at: after, live: fromNow, out: make(chan Event, eventBuffer)}
	go s.run(ctx)
	return s.out, nil
}

// stream is one subscription to the feed.
type stream struct {
	ws     *Space
	t      *Tenant
	c      Caller
	spaces []string
	at     graph.Cursor // everything up to here was delivered or skipped
	live   bool         // has caught up once; from then on the lag is limited
	out    chan Event
}

func (s *stream) run(ctx context.Context) {
	defer close(s.out)
	defer s.t.fanout.leave()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The stream also ends with the engine.
	defer context.AfterFunc(s.ws.Ctx, stop)()
	for {
		if err := s.step(ctx); err != nil {
			if ctx.Err() == nil {
				s.ws.Log.Error("[READ] event stream ended", "error", err)
			}
			return
		}
	}
}

// step delivers the next changes, or waits for them.
func (s *stream) step(ctx context.Context) error {
	batch, upto, more, within, err := s.t.fanout.next(s.at, s.spaces)
	switch {
	case err != nil:
		return err
	case !within && s.live:
		// The missed changes stay in the store: the subscriber can resume from here.
		if !s.send(ctx, Event{Cursor: s.at, Kind: graph.EventLagged, At: s.ws.Now()}) {
			return ctx.Err()
		}
		s.at = upto
		return nil
	case !within:
		return s.replay(ctx)
	}
	s.live = true
	if len(batch) > 0 {
		if err := s.deliver(ctx, batch); err != nil {
			return err
		}
	}
	if s.at = upto; len(batch) == eventBatch {
		return nil
	}
	select {
	case <-more:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// replay delivers a page of changes that are older than those of the fanout.
func (s *stream) replay(ctx context.Context) error {
	changes, err := s.ws.Store.Changes(ctx, s.t.Whole().Scope, s.at, eventPage)
	if err != nil || len(changes) == 0 {
		return err
	}
	upto := changes[len(changes)-1].Cursor
	changes = slices.DeleteFunc(slices.Clone(changes), func(ch graph.Change) bool {
		return ch.Node != graph.NodeMemory || len(s.spaces) > 0 && !slices.Contains(s.spaces, ch.Namespace)
	})
	for some := range slices.Chunk(changes, eventBatch) {
		if err := s.deliver(ctx, some); err != nil {
			return err
		}
	}
	s.at = upto
	return nil
}

// deliver sends at most eventBatch changes, when the streams of the tenant may have that many.
func (s *stream) deliver(ctx context.Context, changes []graph.Change) error {
	if err := s.t.fanout.budget.WaitN(ctx, len(changes)); err != nil {
		return err
	}
	memories, err := s.t.fanout.memories(ctx, changes)
	if err != nil {
		return err
	}
	for i, ch := range changes {
		if ev, hidden := s.event(ctx, ch, memories[i]); !hidden && !s.send(ctx, ev) {
			return ctx.Err()
		}
		s.at = ch.Cursor
	}
	return nil
}

func (s *stream) send(ctx context.Context, ev Event) bool {
	select {
	case s.out <- ev:
		return true
	case <-ctx.Done():
		return false
	}
}

// event describes a change of a memory, which is hidden if the caller may not see it; nil: it is not there any more. Of an
// erased memory nobody can tell whose it was, so a caller who does not see all learns of its erasure only, not of its past.
func (s *stream) event(ctx context.Context, ch graph.Change, m *graph.Memory) (_ Event, hidden bool) {
	sight := s.c.Sight()
	if m == nil || !sight.Memory(m) || m.Status() == graph.Forgotten && ch.Kind != graph.EventForgotten && !sight.Whole() {
		return Event{}, true
	}
	ev := Event{Cursor: ch.Cursor, Kind: ch.Kind, ID: ch.ID, At: ch.At}
	if m.Status() != graph.Forgotten {
		ev.Memory = NewView(m, Access{}, s.ws.Now())
		s.ws.Verify(ctx, s.t.Scope, ev.Memory)
	}
	return ev, false
}
