package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What ends or denies a fact does not fade before it.
func TestWhatEndsAFactLastsAsLong(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I drive a Mazda.", by("ana", "a"))
	w.Clock.Advance(72 * time.Hour)
	moved := w.Remember("I sold the Mazda yesterday.", by("ana", "b"))
	if len(moved.Revised) != 1 || moved.Memory.Type != graph.Semantic {
		t.Errorf("a sale that ends a fact is %s and revises %d", moved.Memory.Type, len(moved.Revised))
	}
	if alone := w.Remember("I sold the Mazda yesterday.", by("bo", "c")); alone.Memory.Type != graph.Episodic {
		t.Errorf("a sale that ends nothing is %s", alone.Memory.Type)
	}
	w.Remember("I drive a Mazda.", by("cyd", "d"))
	w.Clock.Advance(72 * time.Hour)
	given := w.Remember("I sold the Mazda yesterday.", by("cyd", "e"), func(in *engine.RememberInput) { in.Type = graph.Episodic })
	if given.Memory.Type != graph.Episodic {
		t.Errorf("a given type became %s", given.Memory.Type)
	}
}
