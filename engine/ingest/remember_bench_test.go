package ingest_test

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// benchMemory returns the i-th of many memories on a few people and places. Most names are
// mentioned often, as in real use.
func benchMemory(i int) engine.RememberInput {
	people := []string{"Ana Duarte", "Marlo Quint", "Bea Lindqvist", "Tomas Ferro", "Ines Okafor", "Pavel Stone", "Ruth Amsel"}
	places := []string{"Porto", "Lisbon", "Ghent", "Turin", "Bergen"}
	doings := []string{"repaired the press of", "borrowed a ladder from", "wrote a letter to", "planned the tour with", "painted the gate of"}
	return engine.RememberInput{
		Content: fmt.Sprintf("%s %s %s in %s, on trip %d.", people[i%7], doings[i/7%5], people[(i+1+i/3)%7], places[i/5%5], i),
		Consent: graph.ConsentExplicit, Type: graph.Episodic, Session: fmt.Sprint(i),
	}
}

// BenchmarkRemember writes single memories into a store with 4,000 others.
func BenchmarkRemember(b *testing.B) {
	w := enginetest.New(b)
	n := 0
	many := func(k int) {
		for k > 0 {
			var in []engine.RememberInput
			for range min(k, 500) {
				in = append(in, benchMemory(n))
				n++
			}
			k -= len(in)
			if _, err := w.Engine.RememberMany(b.Context(), w.Caller, in); err != nil {
				b.Fatal(err)
			}
		}
	}
	many(4000)
	for b.Loop() {
		if _, err := w.Engine.Remember(b.Context(), w.Caller, benchMemory(n)); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkRememberMany writes batches of 64. The figures are per batch.
func BenchmarkRememberMany(b *testing.B) {
	w := enginetest.New(b)
	n := 0
	for b.Loop() {
		var in []engine.RememberInput
		for range 64 {
			in = append(in, benchMemory(n))
			n++
		}
		if _, err := w.Engine.RememberMany(b.Context(), w.Caller, in); err != nil {
			b.Fatal(err)
		}
	}
}
