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
		first, second, says, question string
		after                         time.Duration
		user                          string
	}{
		{"My flight is at 9.", "Sorry, I meant 10.", "My flight is at 10.", "When is my flight?", time.Minute, "ana"},
		{"The meeting room is B12.", "Oops, B21.", "The meeting room is B21.", "Which meeting room?", time.Minute, "ana"},
		{"The API key lives in vault path kv/app.", "Correction: it's in kv/prod/app.", "The API key lives in vault path kv/prod/app.", "Where does the API key live?", time.Minute, "ana"},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "My sister lives in Antwerp.", "Where does my sister live?", time.Minute, "ana"},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "", "", 3 * time.Hour, "ana"},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "", "", time.Minute, "bo"},
	} {
		w := enginetest.New(t)
		first := w.Remember(x.first, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
		w.Clock.Advance(x.after)
		r := w.Remember(x.second, func(in *engine.RememberInput) { in.User = x.user })
		before := view(w, first).Memory
		if x.says == "" {
			if before.Status() != graph.Active || r.Memory.Content != x.second {
				t.Errorf("%q after %q: %s, %q", x.second, x.first, before.Status(), r.Memory.Content)
			}
			continue
		}
		if before.Status() != graph.Superseded || before.SupersededBy != r.Memory.ID || len(r.Revised) != 1 || r.Memory.Content != x.says || r.Memory.Reason != "CORRECTED" {
			t.Errorf("%q after %q: %s, %q, reason %q", x.second, x.first, before.Status(), r.Memory.Content, r.Memory.Reason)
		}
		hits := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" }).Hits
		if len(hits) == 0 || hits[0].Memory.ID != r.Memory.ID {
			t.Errorf("%q is not answered by %q", x.question, x.says)
		}
		for _, h := range hits {
			if h.Memory.Content == x.second {
				t.Errorf("%q is found", x.second)
			}
		}
	}
}

func TestACorrectionRevisesWithinOneCall(t *testing.T) {
	w := enginetest.New(t)
	var in []engine.RememberInput
	for i, text := range []string{"My dog is called Rex.", "My flight is at 9.", "Sorry, I meant 10.", "I work at Lidl."} {
		in = append(in, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: "ana", IdempotencyKey: string(rune('a' + i))})
	}
	r, err := w.RememberMany(t.Context(), w.Caller, in)
	if err != nil || len(r) != 4 {
		t.Fatal(r, err)
	}
	if m := view(w, r[1].Memory.ID).Memory; m.SupersededBy != r[2].Memory.ID || r[2].Memory.Content != "My flight is at 10." || r[3].Memory.Content != "I work at Lidl." {
		t.Errorf("the first is %s; the second is %q", m.Status(), r[2].Memory.Content)
	}
	again, err := w.RememberMany(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again {
		if !again[i].Replayed || again[i].Memory.ID != r[i].Memory.ID {
			t.Errorf("item %d again: %+v", i, again[i])
		}
	}
}

// The turn of which a word is corrected may still be in L0.
func TestACorrectionOfATurnInTheBuffer(t *testing.T) {
	w := enginetest.New(t)
	o, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "My flight is at 9.", Consent: graph.ConsentExplicit, User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	r := w.Remember("Sorry, I meant 10.", func(in *engine.RememberInput) { in.User, in.Session = "ana", "s" })
	if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
		t.Fatal(err)
	}
	if m := view(w, o.Memory.ID).Memory; m.Status() != graph.Superseded || m.SupersededBy != r.Memory.ID || r.Memory.Content != "My flight is at 10." {
		t.Errorf("the turn is %s, the correction %q", m.Status(), r.Memory.Content)
	}
	if m := view(w, r.Memory.ID).Memory; m.Status() != graph.Active {
		t.Errorf("the correction is %s", m.Status())
	}
}

// A correction that the rules do not allow to revise is an ordinary text.
func TestACorrectionThatMayNotReviseStandsAlone(t *testing.T) {
	for name, with := range map[string]func(in *engine.RememberInput){
		"safety-critical": func(in *engine.RememberInput) { in.SafetyCritical = true },
		"an episode":      func(in *engine.RememberInput) { in.Type = graph.Episodic },
		"no consent":      func(in *engine.RememberInput) { in.Consent = graph.ConsentNone },
		"a stated triple": func(in *engine.RememberInput) { in.Subject, in.Predicate, in.Object = "ana's flight", "is at", "9" },
	} {
		w := enginetest.New(t)
		first := w.Remember("My flight is at 9.", func(in *engine.RememberInput) { in.User = "ana"; with(in) }).Memory.ID
		r := w.Remember("Sorry, I meant 10.", func(in *engine.RememberInput) { in.User = "ana" })
		if m := view(w, first).Memory; m.Status() != graph.Active || m.Conflict != 0 || r.Memory.Content != "Sorry, I meant 10." || r.Memory.State.Status != graph.Active {
			t.Errorf("%s: the first is %s, the second %q", name, m.Status(), r.Memory.Content)
		}
	}
}
