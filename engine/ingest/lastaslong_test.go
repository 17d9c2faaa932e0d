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
	fact := w.Remember("I drive a Mazda.", by("ana", "a")).Memory
	w.Clock.Advance(72 * time.Hour)
	moved := w.Remember("I sold the Mazda yesterday.", by("ana", "b"))
	if len(moved.Revised) != 1 || moved.Memory.Type != graph.Semantic {
		t.Errorf("a sale that ends a fact is %s and revises %d", moved.Memory.Type, len(moved.Revised))
	}
	w.Clock.Advance(200 * 24 * time.Hour)
	if ends, ended := view(w, moved.Memory.ID), view(w, fact.ID); ends.Retention < ended.Retention {
		t.Errorf("after 200 days the sale has the retention %.3f, and the fact %.3f", ends.Retention, ended.Retention)
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
	w.Remember("I drive a Mazda.", by("dee", "f"))
	w.Clock.Advance(72 * time.Hour)
	fast := w.Remember("I sold the Mazda yesterday.", by("dee", "g"), func(in *engine.RememberInput) { in.DecayClass = graph.DecayFast })
	if fast.Memory.DecayClass != graph.DecayFast {
		t.Errorf("a given decay class became %s", fast.Memory.DecayClass)
	}
}
