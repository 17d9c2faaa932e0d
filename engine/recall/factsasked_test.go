package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A question for a fact is answered by the claim in its slot, in whatever words it was made.
func TestAQuestionForAFactFindsItsClaim(t *testing.T) {
	w := enginetest.New(t)
	moved := w.Remember("I moved to Bergen.", by("ana")).Memory.ID
	w.Remember("In my novel the heroine lives in Rome.", by("ana"))
	w.Remember("Do I live in Porto?", by("ana"))
	w.Remember("I live in Turku.", by("bo"))
	w.Clock.Advance(time.Hour)
	ask := func(query, user string, more ...func(*engine.SearchInput)) []engine.Hit {
		return w.Search(query, append(more, func(in *engine.SearchInput) { in.User = user })...).Hits
	}
	if hits := ask("Where do I live?", "ana"); len(hits) == 0 || hits[0].Memory.ID != moved || !hits[0].AboveFloor {
		t.Errorf("Ana is told %+v", hits)
	}
	if hits := ask("Where do I live?", "bo"); len(hits) == 0 || hits[0].Memory.Content != "I live in Turku." {
		t.Errorf("Bo is told %+v", hits)
	}
	for _, h := range ask("Where do I live?", "ana", func(in *engine.SearchInput) { in.Session = "another" }) {
		if h.Memory.ID == moved {
			t.Error("a search in a session finds a claim of another")
		}
	}
}

// A question of two parts, and a context, find the claims of each.
func TestEachPartOfAQuestionFindsItsClaim(t *testing.T) {
	w := enginetest.New(t)
	moved := w.Remember("I moved to Bergen.", by("ana")).Memory.ID
	work := w.Remember("I started at Equinor.", by("ana")).Memory.ID
	for i := range 30 {
		w.Remember(fmt.Sprintf("Where people live and work is a matter of luck, says book %d.", i), by("ana"))
	}
	w.Clock.Advance(120 * 24 * time.Hour)
	for _, question := range []string{"Where do I live and work?", "Where do I live, and where do I work?"} {
		found := enginetest.IDs(w.Search(question, func(in *engine.SearchInput) { in.User = "ana" }))
		r := contextOf(w, question, func(in *engine.ContextInput) { in.User = "ana" })
		for _, id := range []graph.ID{moved, work} {
			if !slices.Contains(found, id) {
				t.Errorf("%q: %s is no hit", question, id)
			}
		}
		for _, text := range []string{"Bergen", "Equinor"} {
			if !strings.Contains(r.Text, text) {
				t.Errorf("%q: the context lacks %s:\n%s", question, text, r.Text)
			}
		}
	}
}
