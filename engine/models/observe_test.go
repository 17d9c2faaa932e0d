package models_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// seen is an observer that notes what it sees.
type seen []string

func (s *seen) Model(ctx context.Context, purpose, model string, texts int) (context.Context, func(string)) {
	return ctx, func(failure string) { *s = append(*s, fmt.Sprint(purpose, " ", model, " ", texts, " ", failure)) }
}

// broken is an embedder that fails.
type broken struct{ err error }

func (broken) Name() string   { return "broken" }
func (broken) Dimension() int { return 1 }
func (b broken) Embed(context.Context, []string, models.Kind) ([][]float32, error) {
	return nil, b.err
}

func TestAnObserverSeesCalls(t *testing.T) {
	var s seen
	built := hashed.New()
	e := models.Observe(built, &s)
	weigher, ok := e.(models.Weigher)
	if !ok {
		t.Fatal("the built-in model is no Weigher any more")
	}
	if _, err := e.Embed(t.Context(), []string{"a winch", "a kite"}, models.Passage); err != nil {
		t.Fatal(err)
	}
	if _, err := weigher.EmbedWeighted(t.Context(), "a winch", func(string) (float64, bool) { return 1, true }); err != nil {
		t.Fatal(err)
	}
	name := built.Name()
	if want := (seen{"embedder " + name + " 2 ", "embedder " + name + " 1 "}); !slices.Equal(s, want) {
		t.Errorf("seen %q, want %q", s, want)
	}
	if models.Observe(built, nil) != models.Embedder(built) {
		t.Error("an embedder without an observer is wrapped")
	}
}

func TestKindsOfFailures(t *testing.T) {
	for want, err := range map[string]error{
		"open": models.ErrOpen, "cancelled": context.Canceled, "timeout": fmt.Errorf("embed: %w", context.DeadlineExceeded),
		"503": &models.Error{Status: 503}, "other": errors.New("no route"),
	} {
		var s seen
		if _, got := models.Observe(broken{err}, &s).Embed(t.Context(), []string{"x"}, models.Query); got == nil {
			t.Error("no error")
		}
		if !slices.Equal(s, seen{"embedder broken 1 " + want}) {
			t.Errorf("%v: seen %q", err, s)
		}
	}
}
