package grouping_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// unique is a word that only the n-th memory of a world has.
func unique(n int) string { return fmt.Sprintf("zq%cx%cv", 'a'+n/26, 'a'+n%26) }

// After a fifth of the memories is erased, no word that only they had is in a label, a term, a note
// or anything else that is stored, and no search finds one. That holds before and after the next
// sleep.
func TestErasureLeavesNoTrace(t *testing.T) {
	w := enginetest.New(t)
	n := 0
	var of []graph.ID
	for _, x := range []topic{winch, bakery, violin, orchard} {
		of = append(of, say(w, x, 0, 24, func(in *engine.RememberInput) { in.Content += " " + unique(n); n++ })...)
	}
	night(w)
	night(w)
	var erased []graph.ID
	var words []string
	for i := 0; i < len(of); i += 5 {
		erased, words = append(erased, of[i]), append(words, unique(i))
	}
	if text := shown(w); text == "" {
		t.Fatal("no cluster is shown")
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: erased}); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"after the erasure", "after the next sleep", "after a restart"} {
		switch when {
		case "after the next sleep":
			night(w)
		case "after a restart":
			if err := w.Restart(); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := enginetest.StoredText(t.Context(), w.Store, w.Caller.Scope())
		if err != nil {
			t.Fatal(err)
		}
		all := shown(w) + stored
		for _, word := range words {
			if strings.Contains(all, word) {
				t.Errorf("%s: %q is still there", when, word)
			}
			r, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: word})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range r.Hits {
				if strings.Contains(h.Memory.Content, word) {
					t.Errorf("%s: a search finds %q", when, word)
				}
			}
		}
	}
}

// shown is everything that the clusters show.
func shown(w *enginetest.World) string {
	w.T.Helper()
	var out strings.Builder
	for _, c := range clusters(w, w.Caller) {
		text, err := json.Marshal(c.Label)
		if err != nil {
			w.T.Fatal(err)
		}
		out.Write(text)
	}
	return out.String()
}
