package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// gated tells of each commit that begins and holds it until it may go on.
type gated struct {
	graph.Store
	began chan struct{}
	open  chan struct{}
}

func (g *gated) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	g.began <- struct{}{}
	<-g.open
	return g.Store.Update(ctx, scope, fn)
}

// lookout tells of each look for neighbours how many vectors it was for.
type lookout struct {
	engine.Index
	looks chan int
}

func (l *lookout) Nearest(ctx context.Context, scope graph.Scope, vectors [][]float32, f index.Filter, now time.Time, k int, floor float64) ([][]index.Near, error) {
	defer func() { l.looks <- len(vectors) }()
	return l.Index.Nearest(ctx, scope, vectors, f, now, k, floor)
}

// overlapping is an engine whose commits are held, on the parts of a world.
func overlapping(t *testing.T, w *enginetest.World) (*engine.Engine, *gated, *lookout) {
	store := &gated{Store: w.Store, began: make(chan struct{}, 64), open: make(chan struct{})}
	idx := &lookout{Index: w.Index, looks: make(chan int, 64)}
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

// What is looked for while another group is on its way to the disk is compared with what that
// group wrote, though the index could not know it.
func TestANextGroupKnowsTheOneBeforeIt(t *testing.T) {
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
		t.Fatalf("looked for %d", n)
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
	if n := <-idx.looks; n != len(in) { // while the first one is held
		t.Fatalf("looked for %d", n)
	}
	close(store.open)
	one, rest := <-first, <-many
	if rest.err != nil {
		t.Fatal(rest.err)
	}
	if got := rest.results[0].DuplicateOf; one == nil || got != one.Memory.ID {
		t.Errorf("said again: duplicate of %q, want %+v", got, one)
	}
	if got := rest.results[1].ConflictsWith; one == nil || !slices.Contains(got, one.Memory.ID) {
		t.Errorf("denied: conflicts with %v", got)
	}
}

// A decision that runs alone begins when all that came before it is written.
func TestAJobWaitsForTheGroupBeforeIt(t *testing.T) {
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
		t.Errorf("decided %s, not knowing what was on its way", a.Decision)
	}
}
