package workspace_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// readCounter counts the reads of the feed and of memories.
type readCounter struct {
	graph.Store
	changes, memories atomic.Int64
}

func (s *readCounter) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	s.changes.Add(1)
	return s.Store.Changes(ctx, scope, after, limit)
}

func (s *readCounter) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	return s.Store.View(ctx, scope, func(r graph.Reader) error { return fn(&countingReader{r, s}) })
}

type countingReader struct {
	graph.Reader
	of *readCounter
}

func (r *countingReader) Memory(id graph.ID) (*graph.Memory, error) {
	r.of.memories.Add(1)
	return r.Reader.Memory(id)
}

// The cost of a change in reads does not grow with the number of streams.
func TestOneReaderOfTheFeedServesAllStreams(t *testing.T) {
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := inner.Close(); err != nil {
			t.Error(err)
		}
	})
	store := &readCounter{Store: inner}
	w := enginetest.With(t, enginetest.Options{Store: store})
	w.Remember("Before anybody listened.")
	const streams, writes = 300, 4
	all := make([]<-chan engine.Event, streams)
	for i := range all {
		if all[i], err = w.Events(t.Context(), w.Caller, 0, true, nil); err != nil {
			t.Fatal(err)
		}
	}
	store.changes.Store(0)
	store.memories.Store(0)
	for i := range writes {
		want := w.Remember(fmt.Sprintf("Heard by everybody, number %d.", i)).Memory.ID
		for n, events := range all {
			ev := fixture.NextEvent(t, events)
			for ev.Kind != graph.EventCreated {
				ev = fixture.NextEvent(t, events)
			}
			if ev.ID != want || ev.Memory == nil {
				t.Fatalf("stream %d got %+v, want %s", n, ev, want)
			}
		}
	}
	if n := store.changes.Load(); n >= streams {
		t.Errorf("%d reads of the feed for %d writes and %d streams", n, writes, streams)
	}
	if n := store.memories.Load(); n >= streams {
		t.Errorf("%d reads of memories for %d writes and %d streams", n, writes, streams)
	}
}

// An event of an erased memory has no content, also for a stream that replays the change after
// others have received it.
func TestStreamsDoNotServeErasedMemories(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Before.")
	before, err := w.Store.Head(t.Context(), fixture.LoopScope)
	if err != nil {
		t.Fatal(err)
	}
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := w.Remember("The safe opens with 7731.").Memory
	for ev := fixture.NextEvent(t, events); ev.ID != m.ID || ev.Memory == nil; {
		ev = fixture.NextEvent(t, events)
	}
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{m.ID}})
	replayed, err := w.Events(t.Context(), w.Caller, before, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for {
		ev := fixture.NextEvent(t, replayed)
		if ev.ID == m.ID && ev.Memory != nil {
			t.Fatalf("%s has content: %q", ev.Kind, ev.Memory.Content)
		}
		if ev.Kind == graph.EventForgotten {
			break
		}
	}
}
