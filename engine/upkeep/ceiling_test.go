package upkeep_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// witness records the texts that a model gets.
type witness struct {
	models.Embedder
	mu    sync.Mutex
	texts []string
}

func (w *witness) Embed(ctx context.Context, texts []string, as models.Kind) ([][]float32, error) {
	w.mu.Lock()
	w.texts = append(w.texts, texts...)
	w.mu.Unlock()
	return w.Embedder.Embed(ctx, texts, as)
}

// got reports whether the model got a text with the word.
func (w *witness) got(word string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.texts, func(s string) bool { return strings.Contains(s, word) })
}

// A memory above the ceiling is sent neither to the embedder in use nor to the next one, and is
// still found by its words.
func TestMemoriesAboveTheCeilingAreNotSent(t *testing.T) {
	l := fixture.NewLife(t)
	used, next := &witness{Embedder: hashed.New()}, &witness{Embedder: halfEmbedder{Full: hashed.New()}}
	ceiling := &engine.Ceiling{Sensitivity: graph.Confidential, Consent: graph.ConsentImplicit}
	e, end := l.Server(l.Store, 20, func(o *engine.Options) {
		o.Embedder, o.Ceilings.Embedder = used, ceiling
		o.OpenModel = func(context.Context, engine.ModelSpec) (models.Embedder, func(), error) { return next, func() {}, nil }
		o.CeilingOf = func(engine.ModelSpec) *engine.Ceiling { return ceiling }
	})
	defer end()
	texts := map[string]engine.RememberInput{
		"oakapple":   {Consent: graph.ConsentExplicit},
		"birchbark":  {Consent: graph.ConsentImplicit, Sensitivity: graph.Confidential},
		"restricted": {Consent: graph.ConsentExplicit, Sensitivity: graph.Restricted},
		"unwilling":  {Consent: graph.ConsentNone},
	}
	for word, in := range texts {
		in.Content = "The " + word + " crate stands in the second shed."
		if _, err := e.Remember(t.Context(), engine.Loopback(), in); err != nil {
			t.Fatal(err)
		}
	}
	if err := stage(t, e); err != nil {
		t.Fatal(err)
	}
	for word := range texts {
		allowed := word == "oakapple" || word == "birchbark"
		if used.got(word) != allowed || next.got(word) != allowed {
			t.Errorf("%s: sent to the embedder %v, to the next one %v, want %v", word, used.got(word), next.got(word), allowed)
		}
		// The question itself is sent to the embedder: it is not a memory.
		r, err := e.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: word})
		if err != nil || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Content, word) {
			t.Errorf("%s is not found: %v", word, err)
		}
	}
}
