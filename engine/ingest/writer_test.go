package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// gatedStore reports each commit that begins, and holds it until the test releases it.
type gatedStore struct {
	graph.Store
	began chan struct{}
	open  chan struct{}
}

func (g *gatedStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	g.began <- struct{}{}
	<-g.open
	return g.Store.Update(ctx, scope, fn)
}

// observedIndex reports the number of vectors of each neighbour search.
type observedIndex struct {
	engine.Index
	looks chan int
}

func (l *observedIndex) Nearest(ctx context.Context, scope graph.Scope, vectors [][]float32, f index.Filter, now time.Time, k int, floor float64) ([][]index.Near, error) {
	defer func() { l.looks <- len(vectors) }()
	return l.Index.Nearest(ctx, scope, vectors, f, now, k, floor)
}

// overlapping returns an engine on the parts of a world, whose commits are held.
func overlapping(t *testing.T, w *enginetest.World) (*engine.Engine, *gatedStore, *observedIndex) {
	store := &gatedStore{Store: w.Store, began: make(chan struct{}, 64), open: make(chan struct{})}
	idx := &observedIndex{Index: w.Index, looks: make(chan int, 64)}
	e, err := engine.New(t.Context(), engine.Options{Store: store, Index: idx, Embedder: hashed.New(), Clock: w.Clock, Rand: enginetest.Random(99)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e, store, idx
}

// A neighbour search that runs during the commit of another group still includes the
// memories of that group, although the index did not have them.
func TestGroupSeesPreviousGroup(t *testing.T) {
	w := enginetest.New(t)
	e, store, idx := overlapping(t, w)
	first := make(chan *engine.RememberResult, 1)
	go func() {
		r, err := e.Remember(context.Background(), w.Caller, engine.RememberInput{
			Content: "The north gate of the yard is open.", Consent: graph.ConsentExplicit, Type: graph.Semantic,
		})
		if err != nil {
			t.Error(err)
		}
		first <- r
	}()
	if n := <-idx.looks; n != 1 {
		t.Fatalf("a search for %d", n)
	}
	<-store.began
	in := []engine.RememberInput{
		{Content: "The north gate of the yard is open.", Consent: graph.ConsentExplicit, Type: graph.Semantic},
		{Content: "The north gate of the yard is not open.", Consent: graph.ConsentExplicit, Type: graph.Semantic},
	}
	for i := range 98 {
		in = append(in, engine.RememberInput{Content: fmt.Sprintf("Crate %d holds %d lamps.", i, i*i), Consent: graph.ConsentExplicit})
	}
	type answer struct {
		results []engine.RememberResult
		err     error
	}
	many := make(chan answer, 1)
	go func() {
		r, err := e.RememberMany(context.Background(), w.Caller, in)
		many <- answer{r, err}
	}()
	if n := <-idx.looks; n != len(in) { // while the first commit is held
		t.Fatalf("a search for %d", n)
	}
	close(store.open)
	one, rest := <-first, <-many
	if rest.err != nil {
		t.Fatal(rest.err)
	}
	if got := rest.results[0].DuplicateOf; one == nil || got != one.Memory.ID {
		t.Errorf("repeated: duplicate of %q, want %+v", got, one)
	}
	if got := rest.results[1].Revised; one == nil || !slices.Contains(got, one.Memory.ID) {
		t.Errorf("denied: revised %v", got)
	}
}

// A decision that runs alone begins after all earlier writes are committed.
func TestJobWaitsForPreviousGroup(t *testing.T) {
	w := enginetest.New(t)
	e, store, idx := overlapping(t, w)
	done := make(chan error, 2)
	go func() {
		_, err := e.Remember(context.Background(), w.Caller, engine.RememberInput{
			Content: "Ada lives in Turin.", Consent: graph.ConsentExplicit, Type: graph.Semantic, Subject: "ada",
		})
		done <- err
	}()
	<-idx.looks
	<-store.began
	verdict := make(chan *engine.Adjudication, 1)
	go func() {
		a, err := e.Adjudicate(context.Background(), w.Caller, engine.AdjudicateInput{
			Fact: "Ada lives in Turin.", Subject: "ada", Consent: graph.ConsentExplicit,
			Evidence: []engine.Evidence{{Source: "a", Weight: 1, Confidence: 1}},
		})
		done <- err
		verdict <- a
	}()
	close(store.open)
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if a := <-verdict; a.Decision != "MERGED" {
		t.Errorf("decided %s, without the earlier writes", a.Decision)
	}
}

// A call of several batches searches the neighbours of one batch during the commit of the
// previous one. A repetition in the call still makes one memory.
func TestBatchesOfOneCallOverlap(t *testing.T) {
	w := enginetest.New(t)
	e, store, idx := overlapping(t, w)
	in := make([]engine.RememberInput, 200)
	for i := range in {
		in[i] = engine.RememberInput{
			Content: fmt.Sprintf("Shelf %d of the store room holds jar %d.", i, 7*i), Consent: graph.ConsentExplicit, Type: graph.Semantic,
		}
	}
	in[0].Content = "The north gate of the yard is open."
	in[199].Content = in[0].Content
	in[5].Content = ""
	type answer struct {
		results []engine.RememberResult
		err     error
	}
	answered := make(chan answer, 1)
	go func() {
		results, err := e.RememberMany(context.Background(), w.Caller, in)
		answered <- answer{results, err}
	}()
	<-idx.looks
	<-store.began
	if n := <-idx.looks; n != 72 {
		t.Errorf("while the first batch is held, a search for %d, want the 72 of the second", n)
	}
	store.open <- struct{}{}
	<-store.began
	store.open <- struct{}{}
	a := <-answered
	if a.err != nil {
		t.Fatal(a.err)
	}
	for i, r := range a.results {
		if (r.Error != nil) != (i == 5) {
			t.Errorf("item %d: %v", i, r.Error)
		}
	}
	if got, want := a.results[199].DuplicateOf, a.results[0].Memory.ID; got != want {
		t.Errorf("the last repeats %q, want %q", got, want)
	}
}

// If nothing of a call could be written, the call fails. If some items were written, each
// item has its own result.
func TestCallThatFailsInPart(t *testing.T) {
	w := enginetest.New(t)
	e, store, idx := overlapping(t, w)
	in := make([]engine.RememberInput, 140)
	for i := range in {
		in[i] = engine.RememberInput{Content: fmt.Sprintf("Shelf %d holds jar %d.", i, 7*i), Consent: graph.ConsentExplicit, Type: graph.Semantic}
	}
	type answer struct {
		results []engine.RememberResult
		err     error
	}
	answered := make(chan answer, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		results, err := e.RememberMany(ctx, w.Caller, in)
		answered <- answer{results, err}
	}()
	<-idx.looks
	<-store.began
	cancel()
	a := <-answered
	if !errors.Is(a.err, context.Canceled) || a.results != nil {
		t.Errorf("an abandoned call returns %v and %d results", a.err, len(a.results))
	}
	close(store.open) // a second group may have begun before the call was given up
}

// faultyStore panics when a memory with a content is written.
type faultyStore struct {
	graph.Store
	content string
}

type faultyTx struct {
	graph.Tx
	content string
}

func (s *faultyStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	return s.Store.Update(ctx, scope, func(tx graph.Tx) error { return fn(faultyTx{tx, s.content}) })
}

func (t faultyTx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if m.Content == t.content {
		panic("the fault of a test")
	}
	return t.Tx.PutMemory(m, kind)
}

// A fault in the transaction of one write is an internal error of this write. The others of its batch are written, and
// the process and the writer go on.
func TestAPanicFailsOneWrite(t *testing.T) {
	w := enginetest.New(t)
	store := &faultyStore{Store: w.Store, content: "Crate 2 holds four lamps."}
	e, err := engine.New(t.Context(), engine.Options{Store: store, Index: w.Index, Embedder: hashed.New(), Clock: w.Clock, Rand: enginetest.Random(99)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	var in []engine.RememberInput
	for _, content := range []string{"Crate 1 holds nine ropes.", store.content, "The weir opens at dusk."} {
		in = append(in, engine.RememberInput{Content: content, Consent: graph.ConsentExplicit})
	}
	for range 2 {
		results, err := e.RememberMany(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			if i == 1 && (r.Error == nil || graph.CodeOf(r.Error) != graph.CodeInternal) || i != 1 && r.Error != nil {
				t.Errorf("write %d: %v", i, r.Error)
			}
		}
		if _, err := e.Remember(t.Context(), w.Caller, in[1]); graph.CodeOf(err) != graph.CodeInternal {
			t.Errorf("alone: %v", err)
		}
	}
	all, err := e.Memories(t.Context(), w.Caller, engine.ListInput{})
	if err != nil || len(all.Memories) != 2 {
		t.Errorf("%d memories, %v", len(all.Memories), err)
	}
}

// faultyIndex panics in a search for neighbours while it is faulty.
type faultyIndex struct {
	engine.Index
	faulty atomic.Bool
}

func (x *faultyIndex) Nearest(ctx context.Context, scope graph.Scope, vectors [][]float32, f index.Filter, now time.Time, k int, floor float64) ([][]index.Near, error) {
	if x.faulty.Load() {
		panic("the fault of a test")
	}
	return x.Index.Nearest(ctx, scope, vectors, f, now, k, floor)
}

// A fault in the search for neighbours, which the writer makes before the transaction, fails the write and not the process.
func TestAPanicInTheSearchForNeighbours(t *testing.T) {
	w := enginetest.New(t)
	x := &faultyIndex{Index: w.Index}
	e, err := engine.New(t.Context(), engine.Options{Store: w.Store, Index: x, Embedder: hashed.New(), Clock: w.Clock, Rand: enginetest.Random(99)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	in := engine.RememberInput{Content: "Crate 1 holds nine ropes.", Consent: graph.ConsentExplicit}
	x.faulty.Store(true)
	if _, err := e.Remember(t.Context(), w.Caller, in); graph.CodeOf(err) != graph.CodeInternal {
		t.Errorf("a fault: %v", err)
	}
	x.faulty.Store(false)
	if _, err := e.Remember(t.Context(), w.Caller, in); err != nil {
		t.Errorf("after it: %v", err)
	}
}
