package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A correction of a word takes its subject and predicate from what the user just said, and revises it.
func TestACorrectionRevisesWhatWasJustSaid(t *testing.T) {
	for _, x := range []struct {
		first, second, question string
		after                   time.Duration
		user                    string
		revises                 bool
	}{
		{"My flight is at 9.", "Sorry, I meant 10.", "When is my flight?", time.Minute, "ana", true},
		{"The meeting room is B12.", "Oops, B21.", "Which meeting room?", time.Minute, "ana", true},
		{"The API key lives in vault path kv/app.", "Correction: it's in kv/prod/app.", "Where does the API key live?", time.Minute, "ana", true},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "Where does my sister live?", time.Minute, "ana", true},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "", 3 * time.Hour, "ana", false},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "", time.Minute, "bo", false},
	} {
		w := enginetest.New(t)
		first := w.Remember(x.first, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
		w.Clock.Advance(x.after)
		r := w.Remember(x.second, func(in *engine.RememberInput) { in.User = x.user })
		if got := view(w, first).Memory.Status() == graph.Superseded; got != x.revises {
			t.Errorf("%q after %q: revised %v, says %q, claims %+v", x.second, x.first, got, r.Memory.Summary, r.Memory.Memory.Claims)
		}
		if !x.revises {
			continue
		}
		if r.Memory.Content != x.second || r.Memory.Reason != "CORRECTED" {
			t.Errorf("%q: %q, reason %q", x.second, r.Memory.Content, r.Memory.Reason)
		}
		if hits := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" }).Hits; len(hits) == 0 || hits[0].Memory.ID != r.Memory.ID {
			t.Errorf("%q is not answered by %q", x.question, x.second)
		}
	}
}

func TestACorrectionRevisesWithinOneCall(t *testing.T) {
	w := enginetest.New(t)
	texts := []string{"My flight is at 9.", "Sorry, I meant 10."}
	var in []engine.RememberInput
	for _, text := range texts {
		in = append(in, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: "ana"})
	}
	r, err := w.RememberMany(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	if m := view(w, r[0].Memory.ID).Memory; m.SupersededBy != r[1].Memory.ID {
		t.Errorf("the first is %s; the second says %q", m.Status(), r[1].Memory.Summary)
	}
}
