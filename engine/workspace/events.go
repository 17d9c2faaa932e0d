package workspace

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

const (
	eventPage   = 256
	eventBuffer = 64
	maxLag      = 4096 // maximum lag of a live reader in changes
)

// Events streams the changes of memories after a cursor, or from now on. The channel closes
// when ctx ends or the feed fails. Readers pull from the stored feed, so a slow reader does
// not delay others. A live reader that lags by more than maxLag changes gets EventLagged and
// continues with new changes. The cursor of EventLagged is the position from which it can
// resume without loss.
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
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The stream also ends with the engine.
	defer context.AfterFunc(s.ws.Ctx, stop)()
	for {
		changes, err := s.ws.Store.Changes(ctx, s.t.Scope, s.at, eventPage)
		if err == nil && len(changes) == 0 {
			s.live = true
			err = s.ws.Store.Wait(ctx, s.t.Scope, s.at)
		}
		if err == nil {
			err = s.deliver(ctx, changes)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.ws.Log.Error("[READ] event stream ended", "error", err)
			}
			return
		}
	}
}

// deliver sends a page of changes, or EventLagged to a live reader that lags.
func (s *stream) deliver(ctx context.Context, changes []graph.Change) error {
	for _, ch := range changes {
		if ch.Node == graph.NodeMemory && (len(s.spaces) == 0 || slices.Contains(s.spaces, ch.Namespace)) {
			ev, hidden, err := s.event(ctx, ch)
			if err != nil {
				return err
			}
			// Later searches wait for a delivered change, so that a reader finds it.
			s.t.acknowledge(ch.Cursor)
			if !hidden && !s.send(ctx, ev) {
				return ctx.Err()
			}
		}
		s.at = ch.Cursor
	}
	if !s.live || len(changes) < eventPage {
		return nil
	}
	return s.catchUp(ctx)
}

// catchUp skips to the present if the reader lags too far.
func (s *stream) catchUp(ctx context.Context) error {
	behind, at := 0, s.at
	for behind <= maxLag {
		more, err := s.ws.Store.Changes(ctx, s.t.Scope, at, graph.MaxPage)
		if err != nil || len(more) == 0 {
			return err
		}
		behind, at = behind+len(more), more[len(more)-1].Cursor
	}
	head, err := s.ws.Store.Head(ctx, s.t.Scope)
	if err != nil {
		return err
	}
	if !s.send(ctx, Event{Cursor: s.at, Kind: graph.EventLagged, At: s.ws.Now()}) {
		return ctx.Err()
	}
	s.at = head
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

// event loads the memory of a change. It is hidden if the caller may not see it.
func (s *stream) event(ctx context.Context, ch graph.Change) (Event, bool, error) {
	ev := Event{Cursor: ch.Cursor, Kind: ch.Kind, ID: ch.ID, At: ch.At}
	var m *graph.Memory
	err := s.t.View(ctx, func(r graph.Reader) (err error) { m, err = r.Memory(ch.ID); return err })
	if err != nil {
		return ev, false, err
	}
	if !s.c.Sees(m.Namespace, m.User) {
		return ev, true, nil
	}
	if m.Status() != graph.Forgotten {
		ev.Memory = NewView(m, Access{}, s.ws.Now())
		s.ws.Verify(ctx, s.t.Scope, ev.Memory)
	}
	return ev, false, nil
}
