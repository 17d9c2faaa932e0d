package recall_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// oneAtATime is a model other than the built-in one. While it is busy it embeds one text per call and
// refuses more.
type oneAtATime struct {
	model models.Embedder
	busy  atomic.Bool
}

func (x *oneAtATime) Name() string   { return "one at a time" }
func (x *oneAtATime) Dimension() int { return x.model.Dimension() }

func (x *oneAtATime) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if x.busy.Load() && len(texts) > 1 {
		return nil, errors.New("busy")
	}
	return x.model.Embed(ctx, texts, kind)
}

// An answer whose relevance was judged without the scale of the embedder, or without the floor of the searched
// memories, says so.
func TestUnmeasuredRelevanceIsDegraded(t *testing.T) {
	for _, measured := range []bool{false, true} {
		model := &oneAtATime{model: hashed.New()}
		w := enginetest.With(t, enginetest.Options{Embedder: model})
		w.Remember("The pump house key is on the hook.")
		if measured { // the scale, and the floor of so many memories
			if r := w.Search("Where is the pump house key?"); len(r.Hits) != 1 || len(r.Degraded) > 0 {
				t.Fatalf("%d hits, degraded %v", len(r.Hits), r.Degraded)
			}
		}
		model.busy.Store(true)
		r := w.Search("Where is the pump house key?")
		if len(r.Hits) != 1 || slices.Equal(r.Degraded, []engine.Part{engine.PartEmbedder}) == measured {
			t.Errorf("measured before %v: %d hits, degraded %v", measured, len(r.Hits), r.Degraded)
		}
		w.Remember("The pump is green.") // a floor of its own
		if r := w.Search("What colour is the pump?"); !slices.Equal(r.Degraded, []engine.Part{engine.PartEmbedder}) {
			t.Errorf("two memories, measured before %v: degraded %v", measured, r.Degraded)
		}
	}
}

// unclustered is a store that can't read the version of the clusters.
type unclustered struct{ graph.Store }

func (s unclustered) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	return s.Store.View(ctx, scope, func(r graph.Reader) error { return fn(unclusteredReader{r}) })
}

type unclusteredReader struct{ graph.Reader }

func (r unclusteredReader) Setting(name string) ([]byte, error) {
	if name == "clusters.version" {
		return nil, graph.ErrUnavailable
	}
	return r.Reader.Setting(name)
}

// A search goes on without clusters that can't be read, and says so.
func TestUnreadableClustersAreDegraded(t *testing.T) {
	w, _ := threeMatters(t)
	blocked := enginetest.With(t, enginetest.Options{Store: unclustered{w.Store}})
	r := blocked.Search("winch on the quay")
	if len(r.Hits) == 0 || !slices.Equal(r.Degraded, []engine.Part{engine.PartStore}) {
		t.Errorf("%d hits, degraded %v", len(r.Hits), r.Degraded)
	}
}
