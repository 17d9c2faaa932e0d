package grouping_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// silent is a shared store that can stop answering. A reader without a deadline then waits for it.
type silent struct {
	fixture.SharedStore
	alive   context.Context
	leave   context.CancelFunc
	waiting chan struct{} // closed when a reader of the clusters waits
	once    sync.Once
}

func (s *silent) Alive() context.Context { return s.alive }

func (s *silent) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	return s.SharedStore.View(ctx, scope, func(r graph.Reader) error { return fn(silentReader{r, ctx, s}) })
}

type silentReader struct {
	graph.Reader
	ctx context.Context
	s   *silent
}

func (r silentReader) Setting(name string) ([]byte, error) {
	if r.s.alive.Err() == nil || name != "clusters.version" {
		return r.Reader.Setting(name)
	}
	if _, bounded := r.ctx.Deadline(); bounded {
		return nil, graph.ErrUnavailable
	}
	r.s.once.Do(func() { close(r.s.waiting) })
	<-r.ctx.Done()
	return nil, r.ctx.Err()
}

// While the store is away, background work waits for it with the clusters in its hand. A call fails at once.
func TestClustersOfAStoreThatIsAway(t *testing.T) {
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() }) // the world may have closed it
	s := &silent{SharedStore: fixture.SharedStore{Store: inner}, waiting: make(chan struct{})}
	s.alive, s.leave = context.WithCancel(t.Context())
	w := enginetest.With(t, enginetest.Options{Store: s})
	say(w, winch, 0, 3, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, _, err := w.Clusters(ctx, w.Caller, engine.ClusterListInput{}); err != nil {
		t.Fatal(err)
	}
	s.leave()
	<-s.waiting
	if _, _, err := w.Clusters(ctx, w.Caller, engine.ClusterListInput{}); graph.CodeOf(err) != graph.CodeUnavailable || ctx.Err() != nil {
		t.Errorf("%v, %v; want UNAVAILABLE before the deadline", err, ctx.Err())
	}
}
