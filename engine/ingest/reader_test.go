package ingest_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// fakeReader is a fake language model that extracts fixed results for each text.
type fakeReader struct {
	found map[string]models.Extraction
	held  chan struct{} // blocks the answers until it is closed; nil: no block
	done  chan string   // receives the texts that were read
}

func (*fakeReader) Name() string { return "fakeReader" }

func (l *fakeReader) Read(ctx context.Context, text string) (models.Extraction, error) {
	defer func() { l.done <- text }()
	if l.held != nil {
		select {
		case <-l.held:
		case <-ctx.Done():
			return models.Extraction{}, ctx.Err()
		}
	}
	x, known := l.found[text]
	if !known {
		return x, errors.New("away")
	}
	return x, nil
}

// names returns the canonical names that a memory mentions, and the relations of one of
// them.
func names(t *testing.T, w *enginetest.World, id graph.ID, of string) (all, relations []string) {
	t.Helper()
	err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		all, relations = nil, nil
		m, err := r.Memory(id)
		if err != nil {
			return err
		}
		for _, x := range m.Entities {
			e, err := r.Entity(x)
			if err != nil {
				return err
			}
			all = append(all, e.Canonical)
			if e.Canonical != of {
				continue
			}
			found, err := r.Relations(x, graph.Out, "", 0)
			if err != nil {
				return err
			}
			for _, x := range found {
				target, err := r.Entity(x.Target)
				if err != nil {
					return err
				}
				relations = append(relations, x.Predicate+" "+target.Canonical)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	slices.Sort(relations)
	return all, relations
}

const mural = "the mural in the boathouse was painted by quill for the rowing club"

func TestModelExtractsAfterTheAnswer(t *testing.T) {
	l := &fakeReader{done: make(chan string, 8), held: make(chan struct{}), found: map[string]models.Extraction{
		mural: {
			Entities:  []models.Named{{Name: "quill", Type: "PERSON"}, {Name: "boathouse", Type: "PLACE"}, {Name: "rowing club", Type: "ORGANIZATION"}},
			Relations: []models.Triple{{Subject: "quill", Predicate: "painted for", Object: "rowing club"}},
			Statement: &models.Triple{Subject: "quill", Predicate: "painted", Object: "mural"},
		},
	}}
	w := enginetest.With(t, enginetest.Options{Reader: l})
	r := w.Remember(mural, func(in *engine.RememberInput) { in.Type = graph.Episodic }) // returns while the model still reads
	before, _ := names(t, w, r.Memory.ID, "")
	if slices.Contains(before, "quill") {
		t.Fatalf("the rules alone find the contradiction: %q", before)
	}
	close(l.held)
	var all, relations []string
	for !slices.Contains(all, "quill") {
		runtime.Gosched()
		all, relations = names(t, w, r.Memory.ID, "quill")
	}
	for _, want := range append(before, "boathouse", "rowing club", "mural") {
		if !slices.Contains(all, want) {
			t.Errorf("%q lacks %s", all, want)
		}
	}
	if !slices.Equal(relations, []string{"painted mural", "painted_for rowing club"}) {
		t.Errorf("relations %q", relations)
	}
	v, err := w.Memory(t.Context(), w.Caller, r.Memory.ID, engine.Access{})
	if err != nil || v.Content != mural || v.Subject != r.Memory.Subject || v.Authority != r.Memory.Authority || v.Checksum != r.Memory.Checksum {
		t.Errorf("it changed more than the names: %+v, %v", v, err)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{r.Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	entities, _, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{})
	if err != nil || len(entities) != 0 {
		t.Errorf("an erasure leaves %+v, %v", entities, err)
	}
}

func TestTextsNotSentToModel(t *testing.T) {
	l := &fakeReader{done: make(chan string, 8), found: map[string]models.Extraction{mural: {}}}
	w := enginetest.With(t, enginetest.Options{Reader: l})
	w.Remember("nobody agreed to quill being written down", func(in *engine.RememberInput) { in.Consent = graph.ConsentNone })
	away := w.Remember("the ferry was late on account of quill") // the model fails for this text
	w.Remember(mural)
	if first, second := <-l.done, <-l.done; first != away.Memory.Content || second != mural {
		t.Errorf("it read %q and %q", first, second)
	}
	if all, _ := names(t, w, away.Memory.ID, ""); slices.Contains(all, "quill") {
		t.Errorf("names %q", all)
	}
}
