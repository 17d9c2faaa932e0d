package workspace_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// renamed is the same model with another name.
type renamed struct{ models.Embedder }

func (renamed) Name() string { return "another-512" }

// reopen opens an engine over the store of a world with another embedder.
func reopen(t *testing.T, w *enginetest.World, embedder models.Embedder) error {
	t.Helper()
	ctx := context.Background()
	idx, err := index.Open(ctx, w.Store, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(ctx, engine.Options{Store: w.Store, Index: idx, Embedder: embedder, Clock: w.Clock, Rand: enginetest.Random(77)})
	if e != nil {
		err = errors.Join(err, e.Close(ctx))
	}
	return errors.Join(err, idx.Close(ctx))
}

func TestStoreRefusesOtherModel(t *testing.T) {
	embedder := &fixture.MoodyEmbedder{Embedder: hashed.New()}
	w := enginetest.With(t, enginetest.Options{Embedder: embedder, Retry: time.Hour})
	if err := reopen(t, w, renamed{hashed.New()}); err != nil {
		t.Fatalf("an empty store takes any model: %v", err)
	}
	w.Remember("The ferry leaves at nine.")
	embedder.Away = true // a memory with a pending embedding has no model, and does not hide a model mismatch
	for range 3 {
		w.Remember("The ferry is late.", func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	var mixed *engine.MixedModelsError
	if err := reopen(t, w, renamed{hashed.New()}); !errors.As(err, &mixed) || mixed.Given != "another-512" || mixed.Stored != hashed.New().Name() || mixed.Tenant != w.Caller.Tenant {
		t.Errorf("another model: %v", err)
	}
	if err := reopen(t, w, hashed.New()); err != nil {
		t.Errorf("its own model: %v", err)
	}
}

func TestErasedMemoriesHaveNoModel(t *testing.T) {
	w := enginetest.New(t)
	id := w.Remember("The ferry leaves at nine.").Memory.ID
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, w, renamed{hashed.New()}); err != nil {
		t.Errorf("nothing is left to compare with: %v", err)
	}
}

// TestARemainderHasNoModel opens a store whose newest memory is what a restore leaves of an erased one.
func TestARemainderHasNoModel(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The ferry leaves at nine.")
	w.Clock.Advance(time.Minute)
	id := w.Remember("Bram says hello.").Memory.ID
	_, err := w.Store.Update(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil {
			return err
		}
		m.EmbeddingModel = graph.NoModel
		return tx.PutMemory(m, graph.EventUpdated)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, w, hashed.New()); err != nil {
		t.Error(err)
	}
	var mixed *engine.MixedModelsError
	if err := reopen(t, w, renamed{hashed.New()}); !errors.As(err, &mixed) || mixed.Stored != hashed.New().Name() {
		t.Errorf("another model: %v", err)
	}
}
