package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// Two statements with the same words in another order are two statements.
func TestTheOrderOfWordsMakesADifference(t *testing.T) {
	for _, c := range []struct {
		first, second string
		duplicate     bool
	}{
		{"Never copy data from staging to production.", "Never copy data from production to staging.", false},
		{"Copy data from staging to production.", "Copy data from production to staging.", false},
		{"We migrate from Oracle to Postgres.", "We migrate from Postgres to Oracle.", false},
		{"The train from Utrecht to Ghent takes two hours.", "The train from Ghent to Utrecht takes two hours.", false},
		{"On Monday we meet at the lock.", "We meet at the lock on Monday.", true},
		{"We play chess with Bas and Noor.", "We play chess with Noor and Bas.", true},
	} {
		w := enginetest.New(t)
		results, err := w.Engine.RememberMany(t.Context(), w.Caller, []engine.RememberInput{
			{Content: c.first, User: "ada", Consent: graph.ConsentExplicit},
			{Content: c.second, User: "ada", Consent: graph.ConsentExplicit},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[1].DuplicateOf != ""; got != c.duplicate {
			t.Errorf("%q after %q: duplicate is %v", c.second, c.first, got)
		}
		again := w.Remember(c.second, func(in *engine.RememberInput) { in.User = "ada" })
		if again.DuplicateOf == "" {
			t.Errorf("%q is stored twice", c.second)
		}
	}
}

// The gate takes no reversed statement as a repetition.
func TestTheGateKeepsAReversedFact(t *testing.T) {
	w := enginetest.New(t)
	first := fixture.Adjudicate(t, w, "The nightly job copies data from staging to production.", "nightly job", fixture.Evidence("a", 0.5))
	second := fixture.Adjudicate(t, w, "The nightly job copies data from production to staging.", "nightly job", fixture.Evidence("b", 0.5))
	if second.Decision == gate.Merged || second.Decision == gate.Stored && second.Current.ID == first.Current.ID {
		t.Errorf("%+v", second)
	}
}
