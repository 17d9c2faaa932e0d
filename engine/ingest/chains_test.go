package ingest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// For beliefs that were corrected, each in the words of the previous one, a search returns
// the current version and never an old one. A search for the old versions returns those,
// every time.
func TestManyChains(t *testing.T) {
	chains := 1000
	if testing.Short() {
		chains = 150
	}
	w := enginetest.New(t)
	says := func(i, version int) string {
		return fmt.Sprintf("Locker %d in hall %c is assigned to badge %d.", i, 'A'+rune(i%7), 10_000*version+i)
	}
	question := func(i int) string {
		return fmt.Sprintf("Which badge is locker %d in hall %c assigned to?", i, 'A'+rune(i%7))
	}
	versions := make([][]graph.ID, chains)
	var in []engine.RememberInput
	for i := range chains {
		in = append(in, engine.RememberInput{Content: says(i, 1), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
	}
	told, err := w.RememberMany(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range told {
		if r.Error != nil {
			t.Fatal(r.Error)
		}
		versions[i] = append(versions[i], r.Memory.ID)
	}
	first := w.Clock.Now()
	for version := 2; version <= 3; version++ {
		w.Clock.Advance(time.Hour)
		for i := range chains {
			if i%3 == 0 && version == 3 {
				continue // a chain of two
			}
			r := fixture.Supersede(t, w, versions[i][version-2], says(i, version))
			versions[i] = append(versions[i], r.Memory.ID)
		}
	}
	past := map[graph.ID]bool{}
	for _, chain := range versions {
		for _, id := range chain[:len(chain)-1] {
			past[id] = true
		}
	}
	w.Clock.Advance(time.Hour)
	for i, chain := range versions {
		last := len(chain) - 1
		// Search in general terms, and with the exact text of the old version.
		for effort, q := range map[engine.Effort]string{engine.EffortFast: question(i), engine.EffortBalanced: says(i, 1)} {
			r := w.Search(q, func(in *engine.SearchInput) { in.Effort = effort })
			for _, h := range r.Hits {
				if past[h.Memory.ID] || h.Label == engine.Historical {
					t.Fatalf("%s, %q: %q is a hit, %s", effort, q, h.Memory.Content, h.Label)
				}
			}
			if !slices.Contains(enginetest.IDs(r), chain[last]) {
				t.Fatalf("%s, %q: the current version is not a hit", effort, q)
			}
		}
		r := w.Search(question(i), func(in *engine.SearchInput) { in.Statuses = []graph.Status{graph.Superseded} })
		for _, id := range chain[:last] {
			at := slices.Index(enginetest.IDs(r), id)
			if at < 0 || r.Hits[at].Label != engine.Historical {
				t.Fatalf("%q: the old version %s is not found, or not as HISTORICAL", question(i), id)
			}
		}
		r = w.Search(question(i), func(in *engine.SearchInput) { in.Access.AsOf = graph.AsOf{Recorded: first} })
		if !slices.Contains(enginetest.IDs(r), chain[0]) {
			t.Fatalf("%q, as of the first day: the first version is not found", question(i))
		}
	}
}
