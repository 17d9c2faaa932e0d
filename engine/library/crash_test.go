package library_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// crashingStore is the store of a process that crashes after some commits from when it is armed.
// After the crash every call fails.
type crashingStore struct {
	graph.Store
	mu    sync.Mutex
	armed bool
	left  int // commits before the crash
}

func (s *crashingStore) arm(commits int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed, s.left = true, commits
}

var errCrashed = errors.New("the process has crashed")

// check fails after the crash; commit says that the call commits.
func (s *crashingStore) check(commit bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.armed {
		return nil
	}
	if commit {
		s.left--
	}
	if s.left < 0 {
		return errCrashed
	}
	return nil
}

func (s *crashingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := s.check(true); err != nil {
		return 0, err
	}
	return s.Store.Update(ctx, scope, fn)
}

func (s *crashingStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.check(false); err != nil {
		return err
	}
	return s.Store.View(ctx, scope, fn)
}

// A process that ends at any commit of an ingest leaves the earlier or the later version, and a
// repetition makes the later one without doubles.
func TestInterruptedIngestIsAllOrNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	const entries = 120 // several transactions
	for commits := 0; ; commits++ {
		store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		first := enginetest.With(t, enginetest.Options{Store: store})
		ingest(t, first, "long.md", long("red", entries))
		if err := first.Engine.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		crash := &crashingStore{Store: store}
		dying := enginetest.With(t, enginetest.Options{Store: crash})
		if err := dying.Restart(); err != nil { // ids differ from those of the first engine
			t.Fatal(err)
		}
		crash.arm(commits)
		_, failed := dying.Ingest(t.Context(), dying.Caller, engine.IngestInput{Content: []byte(long("blue", entries)), Path: "long.md", Consent: graph.ConsentExplicit, User: "ana"})
		if err := dying.Engine.Close(t.Context()); err != nil {
			t.Fatal(err)
		}

		w := enginetest.With(t, enginetest.Options{Store: store})
		for range 2 { // a third source of ids
			if err := w.Restart(); err != nil {
				t.Fatal(err)
			}
		}
		red, blue := 0, 0
		for after := graph.ID(""); ; {
			page, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}, First: 1000, After: after, Access: engine.Access{IncludeImplicit: true}})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range page.Memories {
				red += strings.Count(v.Content, "red sail")
				blue += strings.Count(v.Content, "blue sail")
			}
			if !page.More {
				break
			}
			after = page.Memories[len(page.Memories)-1].ID
		}
		if red*blue != 0 || red+blue != entries {
			t.Fatalf("after %d commits %d red and %d blue chunks are visible", commits, red, blue)
		}
		r := ingest(t, w, "long.md", long("blue", entries))
		if r.Document.Version != 2 || r.Document.Chunks != entries || active(t, w) != entries {
			t.Fatalf("after %d commits the repetition makes %+v of %+v, %d ACTIVE", commits, r, r.Document, active(t, w))
		}
		written := 0
		for after := graph.ID(""); ; {
			page, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: graph.Statuses, First: 1000, After: after, Access: engine.Access{IncludeImplicit: true}})
			if err != nil {
				t.Fatal(err)
			}
			written += len(page.Memories)
			if !page.More {
				break
			}
			after = page.Memories[len(page.Memories)-1].ID
		}
		if written != 2*entries {
			t.Fatalf("after %d commits the store has %d memories, want %d", commits, written, 2*entries)
		}
		if failed == nil {
			if commits < 4 {
				t.Fatalf("an ingest of %d commits tests nothing", commits)
			}
			return
		}
	}
}
