package ingest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/network"
)

// A repeated relation adds to the remaining strength, and restores none of the decayed
// strength.
func TestDuplicateDoesNotResetDecay(t *testing.T) {
	w := enginetest.New(t)
	fixture.MustRemember(w, fixture.Statement("Sanne", "keeps", "ledger"))
	w.Clock.Advance(90 * 24 * time.Hour)
	fixture.MustRemember(w, fixture.Statement("Sanne", "keeps", "ledger"))
	r := fixture.Relations(w, "sanne")[0]
	if got := network.Strength(r.Relation, w.Clock.Now()); math.Abs(got-0.6) > 1e-9 {
		t.Errorf("strength %v, want half of 1 and 0.1", got)
	}
	if len(r.Memories) != 2 {
		t.Errorf("%d memories contain the text", len(r.Memories))
	}
}

// An entity has at most 256 relations, in both directions together. The relation with the
// least remaining strength is removed, at both ends of the new one.
func TestEntityDropsWeakestRelationAtLimit(t *testing.T) {
	w := enginetest.New(t)
	fixture.MustRemember(w, fixture.Statement("Old Mill", "feeds", "Weirhub"))
	w.Clock.Advance(time.Hour)
	fixture.MustRemember(w, fixture.Statement("Weirhub", "passes", "Old Sluice"))
	w.Clock.Advance(24 * time.Hour)
	var more []engine.RememberInput
	for i := range network.MaxRelations - 2 {
		if i%2 == 0 {
			more = append(more, fixture.Statement(fmt.Sprintf("Brook%03d", i), "feeds", "Weirhub"))
		} else {
			more = append(more, fixture.Statement("Weirhub", "passes", fmt.Sprintf("Sluice%03d", i)))
		}
	}
	fixture.MustRemember(w, more...)
	if n := len(fixture.Relations(w, "weirhub")); n != network.MaxRelations {
		t.Fatalf("%d relations", n)
	}
	has := func(predicate string, of string) bool {
		for _, r := range fixture.Relations(w, of) {
			if r.Predicate == predicate {
				return true
			}
		}
		return false
	}
	fixture.MustRemember(w, fixture.Statement("Newcomer", "feeds", "Weirhub")) // the hub is its target
	if n := len(fixture.Relations(w, "weirhub")); n != network.MaxRelations || has("feeds", "old mill") || !has("passes", "old sluice") {
		t.Errorf("%d relations, and the dropped one is not the weakest", n)
	}
	fixture.MustRemember(w, fixture.Statement("Weirhub", "passes", "Newpond")) // the hub is its source
	if n := len(fixture.Relations(w, "weirhub")); n != network.MaxRelations || has("passes", "old sluice") || !has("feeds", "newcomer") {
		t.Errorf("%d relations, and the dropped one is not the weakest", n)
	}
}

// Known content has less surprise, step by step: entities, then the relation.
func TestSurpriseUsesRelations(t *testing.T) {
	w := enginetest.New(t)
	meaning := func(r engine.RememberResult) float64 { return r.Memory.Surprise }
	first := fixture.MustRemember(w, fixture.Statement("Sanne", "paints", "boats"), fixture.Statement("Bo", "sells", "lanterns"))
	names := fixture.MustRemember(w, fixture.Statement("Sanne", "sells", "lanterns"))[0] // both entities are known, their relation is not
	again := fixture.MustRemember(w, fixture.Statement("Sanne", "paints", "boats"))[0]
	if s := meaning(first[0]); s != 1 {
		t.Errorf("of nothing known: %v", s)
	}
	if s := meaning(names); !(s > 0.25 && s < 1) {
		t.Errorf("of known names: %v", s)
	}
	if s := meaning(again); s > 1e-6 {
		t.Errorf("of known content: %v", s)
	}
}

// Use raises the importance that search uses, once a day, and the raise decays.
func TestSearchUsesRaisedImportance(t *testing.T) {
	w := enginetest.New(t)
	id := w.Remember("The lantern hangs in the boathouse.").Memory.ID
	part := func(track bool) float64 {
		t.Helper()
		r := w.Search("Where is the lantern?", func(in *engine.SearchInput) { in.Track = track })
		if len(r.Hits) != 1 || r.Hits[0].Memory.ID != id {
			t.Fatalf("hits %v", enginetest.IDs(r))
		}
		return r.Hits[0].Parts.Importance
	}
	if got := part(true); got != 0.5 {
		t.Errorf("unused: %v", got)
	}
	part(true) // a second use on the same day raises nothing
	if got := part(false); math.Abs(got-0.6) > 1e-9 {
		t.Errorf("used on one day: %v", got)
	}
	w.Clock.Advance(20 * 24 * time.Hour)
	v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	want := importance.Raised(0.5, 1, v.Retention)
	if got := part(false); math.Abs(got-want) > 1e-9 || !(got > 0.5 && got < 0.6) {
		t.Errorf("20 days later: %v, want %v", got, want)
	}
	if v.Importance != 0.5 {
		t.Errorf("the stored value moved to %v", v.Importance)
	}
}
