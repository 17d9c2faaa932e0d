package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// gatheringStore holds the first commit until as many texts were embedded as there are calls,
// so that the calls are queued together.
type gatheringStore struct {
	graph.Store
	wait    chan struct{} // closed when all texts are embedded
	commits atomic.Int64
}

func (g *gatheringStore) Update(ctx context.Context, sc graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	<-g.wait
	g.commits.Add(1)
	return g.Store.Update(ctx, sc, fn)
}

type countingEmbedder struct {
	models.Embedder
	left atomic.Int64
	all  chan struct{}
}

func (c *countingEmbedder) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if c.left.Add(-1) == 0 {
		close(c.all)
	}
	return c.Embedder.Embed(ctx, texts, kind)
}

// decided is the log entry of a decision.
type decided struct {
	Decision         gate.Decision
	Fact, Subject    string
	Evidence         []engine.Evidence
	Quorum, Conflict float64
	Similarity       float64
	belief, current  string // texts
}

// log reads the decisions in a store, in the order in which they were made.
func log(t *testing.T, store graph.Store) (all []decided) {
	t.Helper()
	err := store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteDecision, "", false, 1000)
		if err != nil {
			return err
		}
		for _, n := range notes {
			var d struct {
				decided
				Belief, Current graph.ID
			}
			if err := json.Unmarshal(n.Data, &d); err != nil {
				return err
			}
			for id, into := range map[graph.ID]*string{d.Belief: &d.belief, d.Current: &d.current} {
				if id == "" {
					continue
				}
				m, err := r.Memory(id)
				if err != nil {
					return err
				}
				*into = fmt.Sprint(m.Content, " ", m.Version)
			}
			all = append(all, d.decided)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Decisions made together equal those made one after the other: repeated one by one in the
// order of the log, every decision is the same.
func TestConcurrentDecisionsAreSerial(t *testing.T) {
	const calls = 60
	w := enginetest.New(t)
	g := &gatheringStore{Store: w.Store, wait: make(chan struct{})}
	c := &countingEmbedder{Embedder: hashed.New(), all: g.wait}
	c.left.Store(calls)
	together := enginetest.With(t, enginetest.Options{Store: g, Embedder: c})
	r := rand.New(rand.NewPCG(7, 7))
	places := []string{"Ghent", "Bruges", "Mechelen"}
	var wg sync.WaitGroup
	for i := range calls {
		// The facts of these subjects are similar, so that one may affect what another
		// wrote.
		who := []string{"Vera", "Vera Maas", "Otto", "Otto Maas", "Mila", "Noor"}[i%6]
		in := engine.AdjudicateInput{
			Fact: fmt.Sprintf("%s lives in %s.", who, places[r.IntN(3)]), Subject: who, Consent: graph.ConsentExplicit,
			Evidence: []engine.Evidence{fixture.Evidence("a", 0.3+0.2*float64(r.IntN(4))), fixture.Evidence("b", 0.2)},
		}
		wg.Go(func() {
			if _, err := together.Adjudicate(t.Context(), together.Caller, in); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := g.commits.Load(); n >= calls {
		t.Errorf("%d commits for %d calls", n, calls)
	}
	took := log(t, w.Store)
	if len(took) != calls {
		t.Fatalf("%d decisions in the log, want %d", len(took), calls)
	}
	alone := enginetest.New(t)
	kinds := map[gate.Decision]int{}
	for _, d := range took {
		kinds[d.Decision]++
		fixture.Adjudicate(t, alone, d.Fact, d.Subject, d.Evidence...)
	}
	if len(kinds) != 4 {
		t.Errorf("not every decision is among them: %v", kinds)
	}
	for i, d := range log(t, alone.Store) {
		if got := took[i]; fmt.Sprint(got) != fmt.Sprint(d) {
			t.Fatalf("decision %d of %d, together:\n%+v\nalone:\n%+v", i, calls, got, d)
		}
	}
}

// A decision that fails does not fail the others.
func TestFailedDecisionDoesNotFailOthers(t *testing.T) {
	const calls = 12
	w := enginetest.New(t)
	g := &gatheringStore{Store: w.Store, wait: make(chan struct{})}
	c := &countingEmbedder{Embedder: hashed.New(), all: g.wait}
	c.left.Store(calls)
	together := enginetest.With(t, enginetest.Options{Store: g, Embedder: c})
	var wg sync.WaitGroup
	for i := range calls {
		who, key := fmt.Sprint("Person", i), ""
		if i >= calls-2 { // two facts under one key: one is refused
			key = "same"
		}
		wg.Go(func() {
			_, err := together.Adjudicate(t.Context(), together.Caller, engine.AdjudicateInput{
				Fact: who + " lives in Ghent.", Subject: who, Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 0.5)}, IdempotencyKey: key,
			})
			if err != nil && (key == "" || graph.CodeOf(err) != graph.CodeInvalidRequest) {
				t.Errorf("%s: %v", who, err)
			}
		})
	}
	wg.Wait()
	if n := len(log(t, w.Store)); n != calls-1 {
		t.Errorf("%d decisions, want %d", n, calls-1)
	}
}
