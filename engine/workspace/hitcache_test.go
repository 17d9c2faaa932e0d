package workspace_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// confirming is a store with other writers and a settable age of the last read of the feed.
type confirming struct {
	fixture.SharedStore
	age     *atomic.Int64
	views   *atomic.Int64
	between *atomic.Pointer[func()] // called once, before the next read of the feed is reported
}

func (s confirming) KnownHead(sc graph.Scope) (graph.Cursor, time.Duration) {
	if f := s.between.Swap(nil); f != nil {
		(*f)()
	}
	head, err := s.Head(context.Background(), sc)
	if err != nil {
		return 0, time.Hour
	}
	return head, time.Duration(s.age.Load())
}

func (s confirming) View(ctx context.Context, sc graph.Scope, fn func(graph.Reader) error) error {
	s.views.Add(1)
	return s.SharedStore.View(ctx, sc, fn)
}

// Cached hits are served while the feed confirms them, and never after another server replaced
// or erased them.
func TestHitCacheDropsChangedMemories(t *testing.T) {
	w := enginetest.New(t)
	store := confirming{fixture.SharedStore{Store: w.Store}, &atomic.Int64{}, &atomic.Int64{}, &atomic.Pointer[func()]{}}
	var engines []*engine.Engine
	for i := range 2 {
		idx, err := index.Open(t.Context(), store, index.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(t.Context(), engine.Options{Store: store, Index: idx, Embedder: hashed.New(), Clock: w.Clock, Rand: enginetest.Random(uint64(200 + i))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			ctx := context.WithoutCancel(t.Context())
			if err := errors.Join(e.Close(ctx), idx.Close(ctx)); err != nil {
				t.Error(err)
			}
		})
		engines = append(engines, e)
	}
	a, b := engines[0], engines[1]
	text := "The red ferry carries slate to Dunmere."
	r, err := a.Remember(t.Context(), w.Caller, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit})
	if err != nil || r.Error != nil {
		t.Fatal(err, r.Error)
	}
	find := func(e *engine.Engine, want string) bool {
		t.Helper()
		found, err := e.Search(t.Context(), w.Caller, engine.SearchInput{Query: "What does the ferry carry to Dunmere?"})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			if strings.Contains(h.Memory.Content, want) {
				h.Memory.Content = "changed by who was answered"
				return true
			}
		}
		return false
	}
	soon := func(what string, yes func() bool) {
		t.Helper()
		for late := time.After(30 * time.Second); !yes(); {
			select {
			case <-late:
				t.Fatal(what)
			case <-time.After(time.Millisecond):
			}
		}
	}
	soon("the other server finds it", func() bool { return find(b, "slate") })
	soon("it is kept", func() bool {
		before := store.views.Load()
		return find(b, "slate") && store.views.Load() == before
	})
	store.age.Store(int64(time.Hour)) // the writes of other servers are unknown
	if before := store.views.Load(); !find(b, "slate") || store.views.Load() == before {
		t.Error("answered from memory without a look at the feed")
	}
	store.age.Store(0)
	kept, err := a.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "The blue tug hauls coal to Ostwick.", Consent: graph.ConsentExplicit})
	if err != nil || kept.Error != nil {
		t.Fatal(err, kept.Error)
	}
	status := func() graph.Status {
		t.Helper()
		found, err := b.Search(t.Context(), w.Caller, engine.SearchInput{Query: "What does the tug haul to Ostwick?"})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			if h.Memory.ID == kept.Memory.ID {
				return h.Memory.Status()
			}
		}
		return ""
	}
	soon("the tug is kept", func() bool {
		before := store.views.Load()
		return status() == graph.Active && store.views.Load() == before
	})
	replace := func() {
		if _, err := b.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: kept.Memory.ID, Content: "The blue tug hauls grain to Ostwick."}); err != nil {
			t.Error(err)
		}
	}
	store.between.Store(&replace)
	if got := status(); got == graph.Active {
		t.Error("a memory that was replaced during the lookup is returned from the cache")
	}
	s, err := a.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: r.Memory.ID, Content: "The red ferry carries salt to Dunmere."})
	if err != nil {
		t.Fatal(err)
	}
	soon("the other server finds the correction", func() bool { return find(b, "salt") })
	if find(b, "slate") {
		t.Error("a replaced memory is still found")
	}
	find(b, "salt")
	if _, err := a.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{s.Memory.ID, r.Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	if find(b, "salt") || find(b, "slate") {
		t.Error("another server still returns an erased memory")
	}
}
