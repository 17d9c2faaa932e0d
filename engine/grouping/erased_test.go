package grouping_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// unique is a word that only the n-th memory of a world has.
func unique(n int) string { return fmt.Sprintf("zq%cx%cv", 'a'+n/26, 'a'+n%26) }

// rules are forms of one rule about winches, each with the word of its memory.
var rules = []string{
	"The winch must never run above 12 knots of wind at the %s berth.",
	"At the %s berth the winch must never run above 12 knots of wind.",
	"The winch of the %s berth must never run in wind above 12 knots.",
}

// After a fifth of the memories is erased, no word that only they had is in a label, a term, a pattern, a note
// or anything else that is stored, and no search finds one. That holds before and after the next
// sleep.
func TestErasureLeavesNoTrace(t *testing.T) {
	w := enginetest.New(t)
	n := 0
	var of []graph.ID
	for _, x := range []topic{winch, bakery, violin, orchard} {
		of = append(of, say(w, x, 0, 24, func(in *engine.RememberInput) { in.Content += " " + unique(n); n++ })...)
	}
	of = append(of, say(w, winch, 24, 30, func(in *engine.RememberInput) {
		in.Content, in.Session = fmt.Sprintf(rules[n%len(rules)], unique(n)), fmt.Sprint("watch ", n)
		n++
		w.Clock.Advance(24 * time.Hour)
	})...)
	night(w)
	night(w)
	var erased []graph.ID
	var words []string
	before, inPattern := patternText(w), 0
	for i, id := range of { // a fifth, and every memory whose word a pattern has
		said := strings.Contains(before, unique(i))
		if said {
			inPattern++
		}
		if i%5 == 0 || said {
			erased, words = append(erased, id), append(words, unique(i))
		}
	}
	if shown(w) == "" || inPattern == 0 {
		t.Fatalf("clusters show %q, and no pattern has the word of a memory: %q", shown(w), before)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: erased}); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"after the erasure", "after the next sleep", "after a restart"} {
		switch when {
		case "after the next sleep":
			night(w)
			if patternText(w) == "" {
				t.Error("the next sleep draws no pattern from the rules that are left")
			}
		case "after a restart":
			if err := w.Restart(); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := enginetest.StoredText(t.Context(), w.Store, w.Caller.Scope())
		if err != nil {
			t.Fatal(err)
		}
		all := shown(w) + patternText(w) + stored
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

// patternText is everything that the patterns and their lineage show.
func patternText(w *enginetest.World) string {
	w.T.Helper()
	page, err := w.Patterns(w.T.Context(), w.Caller, engine.PatternInput{})
	if err != nil {
		w.T.Fatal(err)
	}
	if len(page.Patterns) == 0 {
		return ""
	}
	var all []any
	for _, p := range page.Patterns {
		lineage, err := w.PatternLineage(w.T.Context(), w.Caller, p.ID)
		if err != nil {
			w.T.Fatal(err)
		}
		provenance, err := w.PatternProvenance(w.T.Context(), w.Caller, p.ID)
		if err != nil {
			w.T.Fatal(err)
		}
		all = append(all, p.Memory.Content, p.Memory.Pattern, lineage.Pattern.Memory.Content, provenance)
	}
	text, err := json.Marshal(all)
	if err != nil {
		w.T.Fatal(err)
	}
	return string(text)
}

// Labels follow the members that are visible: those that are superseded or expire no longer name a cluster, so that the erasure of a
// memory that the caller does not see changes nothing.
func TestAnErasureElsewhereLeavesTheLabels(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default") // made-up statements of one form and few words
	hidden := w.Remember("Ana's heron is called Gorvik.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
	var of []graph.ID
	for _, x := range []topic{winch, bakery, violin} {
		of = append(of, say(w, x, 0, 24, func(in *engine.RememberInput) { in.User = "bo" })...)
	}
	ttl := 48 * 3600
	say(w, winch, 24, 4, func(in *engine.RememberInput) { in.User, in.TTLSeconds = "bo", &ttl })
	night(w)
	bo := engine.Caller{Tenant: w.Caller.Tenant, Name: "bo", User: "bo", Grant: .8}
	labels := func() string {
		all := map[graph.ID]engine.ClusterLabel{}
		for _, c := range clusters(w, bo) {
			all[c.ID] = c.Label
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := labels()
	differs := func(when string) {
		t.Helper()
		after := labels()
		if after == before {
			t.Errorf("%s the labels are those of before: %s", when, after)
		}
		before = after
	}
	for i := 0; i < len(of); i += 2 {
		if _, err := w.Engine.Expire(t.Context(), w.Caller, of[i]); err != nil {
			t.Fatal(err)
		}
	}
	differs("after members were ended")
	w.Clock.Advance(time.Duration(ttl) * time.Second)
	differs("after members expired")
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{hidden}}); err != nil {
		t.Fatal(err)
	}
	if after := labels(); after != before {
		t.Errorf("the erasure of a hidden memory changes the labels from %s to %s", before, after)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if after := labels(); after != before {
		t.Errorf("a restart changes the labels from %s to %s", before, after)
	}
}
