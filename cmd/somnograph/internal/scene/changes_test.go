package scene

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/viz/frame"
)

// followed is a server on a world, and a page that follows its changes.
func followed(t *testing.T, w *enginetest.World) (*Server, func(from *frame.Frame) func() (resolvers.SceneChange, *frame.Frame)) {
	t.Helper()
	wait := func(ctx context.Context, after graph.Cursor) error {
		return w.Store.Wait(ctx, graph.Scope{Tenant: w.Caller.Tenant}, after)
	}
	s := New(Options{Source: w.Engine, Head: head(w), Wait: wait, Caller: w.Caller, Pause: time.Nanosecond, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	return s, func(from *frame.Frame) func() (resolvers.SceneChange, *frame.Frame) {
		changes, err := s.Changes(t.Context(), w.Caller, sceneOf(from))
		if err != nil {
			t.Fatal(err)
		}
		return func() (resolvers.SceneChange, *frame.Frame) {
			t.Helper()
			ch, open := <-changes
			if !open {
				t.Fatal("the changes have ended")
			}
			if ch.Part == nil {
				return ch, nil
			}
			part, err := frame.Decode(ch.Part)
			if err != nil {
				t.Fatal(err)
			}
			return ch, part
		}
	}
}

func load(t *testing.T, s *Server) *frame.Frame {
	t.Helper()
	settled(s)
	f, err := s.draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPageGetsChanges(t *testing.T) {
	w := enginetest.New(t)
	old := w.Remember("The ferry leaves at seven.").Memory.ID
	for i := range 12 { // so many that one more or less is no reason to draw the map anew
		w.Remember(fmt.Sprintf("Shelf %d holds the jars of year %d.", i, 1900+7*i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	s, follow := followed(t, w)
	first := load(t, s)
	next := follow(first)

	w.Clock.Advance(time.Minute)
	now, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old, Content: "The ferry leaves at eight."})
	if err != nil {
		t.Fatal(err)
	}
	ch, part := next()
	if part == nil || ch.Scene != sceneOf(part) || part.Total != 14 {
		t.Fatalf("%+v", ch)
	}
	got := map[graph.ID]graph.Status{}
	for _, n := range part.Nodes {
		got[n.ID] = n.History[len(n.History)-1].Status
	}
	if len(got) != 2 || got[old] != graph.Superseded || got[now.Memory.ID] != graph.Active {
		t.Errorf("nodes %v", got)
	}
	if len(part.Edges) == 0 || part.Edges[0].Kind != "SUPERSEDES" {
		t.Errorf("edges %v", part.Edges)
	}

	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{old}}); err != nil {
		t.Fatal(err)
	}
	if _, part := next(); part == nil || len(part.Removed) != 1 || part.Removed[0] != old {
		t.Errorf("part %+v", part)
	}
}

func TestPageWithAnOldFrameLoadsAgain(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The ferry leaves at seven.")
	s, follow := followed(t, w)
	old := load(t, s)
	for _, text := range []string{"The kettle is on the left shelf.", "The lamp is lit at dusk.", "Ines keeps the books."} {
		w.Remember(text)
		load(t, s)
	}
	if ch, part := follow(old)(); part != nil || ch.Scene != sceneOf(load(t, s)) {
		t.Errorf("%+v", ch)
	}
	other := *load(t, s)
	other.Drawing++
	if ch, part := follow(&other)(); part != nil || ch.Drawing == other.Drawing {
		t.Errorf("another map: %+v", ch)
	}
}

func TestNewMapEndsTheChanges(t *testing.T) {
	c := newCrowd(1100)
	woken := make(chan struct{})
	wait := func(ctx context.Context, _ graph.Cursor) error { close(woken); <-ctx.Done(); return ctx.Err() }
	s := New(Options{Source: c, Head: c.head, Wait: wait, Caller: engine.Loopback(), Pause: time.Nanosecond, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	s.mu.Lock()
	s.redrawing = true // the map is not drawn before the page follows
	s.mu.Unlock()
	f, err := s.draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changes, err := s.Changes(t.Context(), engine.Loopback(), sceneOf(f))
	if err != nil {
		t.Fatal(err)
	}
	<-woken
	found, err := c.SceneAfter(t.Context(), engine.Loopback(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.redraw(points(found))
	ch, open := <-changes
	if !open || ch.Part != nil || ch.Drawing == f.Drawing {
		t.Errorf("%+v, open %v", ch, open)
	}
	if _, open := <-changes; open {
		t.Error("changes after the last one")
	}
}

func TestTheMapIsNotForOtherCredentials(t *testing.T) {
	w := enginetest.New(t)
	s, _ := followed(t, w)
	ana := engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", User: "ana"}
	if _, err := s.Changes(t.Context(), ana, resolvers.Scene{}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("changes: %v", err)
	}
	if _, err := s.Picture(t.Context(), ana, nil, graph.AsOf{}, 1); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("picture: %v", err)
	}
}
