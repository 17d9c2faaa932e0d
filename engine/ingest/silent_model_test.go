package ingest_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// silentModel is a model that can be told to block: it then neither answers nor fails.
type silentModel struct {
	models.Embedder
	silent *atomic.Bool
}

func (m silentModel) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if m.silent.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return m.Embedder.Embed(ctx, texts, kind)
}

// A model that blocks does not block requests. Enough of the deadline is left to search
// without vectors, and to store a memory that is embedded later.
func TestSilentModel(t *testing.T) {
	silent := &atomic.Bool{}
	w := enginetest.With(t, enginetest.Options{Embedder: silentModel{hashed.New(), silent}})
	id := w.Remember("The winch of the drawbridge sticks in the frost.").Memory.ID
	silent.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	found, err := w.Engine.Search(ctx, w.Caller, engine.SearchInput{Query: "Why does the winch stick?"})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Memory.ID != id || !slices.Contains(found.Degraded, engine.PartEmbedder) {
		t.Errorf("found %+v, %v", found, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	written, err := w.Engine.Remember(ctx, w.Caller, engine.RememberInput{Content: "Lea likes pears.", Consent: "EXPLICIT"})
	if err != nil || !written.Pending {
		t.Errorf("written %+v, %v", written, err)
	}
}
