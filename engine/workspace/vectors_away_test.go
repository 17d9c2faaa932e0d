package workspace_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// unsteady is a vector store that can be switched off.
type unsteady struct {
	enginetest.RemoteVectors
	away *atomic.Bool
}

var errAway = errors.New("away")

func (u unsteady) Near(ctx context.Context, sc graph.Scope, v []float32, k, effort int) ([]graph.Alike, error) {
	if u.away.Load() {
		return nil, errAway
	}
	return u.RemoteVectors.Near(ctx, sc, v, k, effort)
}

func (u unsteady) Cosines(ctx context.Context, sc graph.Scope, v []float32, ids []graph.ID) (map[graph.ID]float64, error) {
	if u.away.Load() {
		return nil, errAway
	}
	return u.RemoteVectors.Cosines(ctx, sc, v, ids)
}

func (u unsteady) Embeddings(ctx context.Context, sc graph.Scope, ids []graph.ID) ([][]float32, error) {
	if u.away.Load() {
		return nil, errAway
	}
	return u.RemoteVectors.Embeddings(ctx, sc, ids)
}

func TestSearchReportsUnavailableVectors(t *testing.T) {
	away := &atomic.Bool{}
	w := enginetest.With(t, enginetest.Options{Vectors: func(s graph.Store) graph.VectorSearcher { return unsteady{enginetest.RemoteVectors{Store: s}, away} }})
	id := w.Remember("The winch of the drawbridge sticks in the frost.").Memory.ID
	w.Remember("Lea likes pears.")
	ask := engine.SearchInput{Query: "Why does the winch stick?", Track: true}
	before, err := w.Engine.Search(t.Context(), w.Caller, ask)
	if err != nil {
		t.Fatal(err)
	}
	if len(before.Degraded) != 0 || before.Semantic == 0 || len(before.Hits) == 0 || before.Hits[0].Parts.Semantic == 0 {
		t.Fatalf("with its vectors it answers %+v", before)
	}
	away.Store(true)
	for _, effort := range []engine.Effort{engine.EffortFast, engine.EffortBalanced, engine.EffortAccurate} {
		ask.Effort = effort
		after, err := w.Engine.Search(t.Context(), w.Caller, ask)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(after.Degraded, []engine.Part{engine.PartVectors}) || after.Semantic != 0 || len(after.Hits) == 0 || after.Hits[0].Memory.ID != id {
			t.Errorf("%s: without its vectors it answers %+v", effort, after)
		}
	}
	if _, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", Query: "winch"}); err != nil {
		t.Errorf("a context without vectors: %v", err)
	}
	// A write is refused if it can't be compared: it could be a duplicate or a contradiction.
	if _, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "The winch of the drawbridge is mended.", Consent: graph.ConsentExplicit}); !errors.Is(err, errAway) {
		t.Errorf("a write that could not be compared ends with %v", err)
	}
}
