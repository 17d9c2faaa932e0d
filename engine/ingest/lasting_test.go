package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// An event that begins or ends what lasts is no episode, also if it ends nothing that is known; what passes is one.
func TestEventsThatBeginWhatLasts(t *testing.T) {
	w := enginetest.New(t)
	for text, want := range map[string]graph.Type{
		"I started at The Ivy today!":                          graph.Semantic,
		"We got the flat in Headingley, moved in on Saturday":  graph.Semantic,
		"The project Falcon has been renamed to Kestrel.":      graph.Semantic,
		"I cancelled the Lisbon trip":                          graph.Semantic,
		"We postponed the wedding to spring 2028":              graph.Semantic,
		"My brother married Eva on Saturday.":                  graph.Semantic,
		"I got married on Saturday!":                           graph.Semantic,
		"I bought a Golf on Saturday.":                         graph.Semantic,
		"I bought a car magazine at the station.":              graph.Episodic,
		"I cancelled the piano lesson today.":                  graph.Episodic,
		"I met Tom at work today.":                             graph.Episodic,
		"I had a beer with my roommate.":                       graph.Episodic,
		"We took the kids to the zoo yesterday.":               graph.Episodic,
		"I called the bank about the card.":                    graph.Episodic,
		"I joined the call five minutes late.":                 graph.Episodic,
		"Nuts could kill me, and I learned that last weekend.": graph.Semantic,
	} {
		if m := w.Remember(text, by("ana", "a")).Memory; m.Type != want {
			t.Errorf("%q is %s, want %s: %+v", text, m.Type, want, m.Memory.Claims)
		}
	}
	if m := w.Remember("I started at The Ivy today!", by("bo", "b"), func(in *engine.RememberInput) { in.SourceKind, in.Agent = graph.FromAssistant, "helper" }).Memory; m.Type != graph.Episodic {
		t.Errorf("what an assistant says of itself is %s", m.Type)
	}
}

// The user's word about a plan stands as long as what an assistant repeats of it.
func TestTheUsersEventOutlivesTheAssistant(t *testing.T) {
	w := enginetest.New(t)
	moved := w.Remember("We postponed the wedding to spring 2028", by("ana", "a")).Memory
	w.Clock.Advance(80 * 24 * time.Hour)
	if got := view(w, moved.ID).Retention; got < 0.5 {
		t.Errorf("after 80 days its retention is %.2f", got)
	}
}
