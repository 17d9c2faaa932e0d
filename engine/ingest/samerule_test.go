package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
)

// A rule that is said again under another condition, or by somebody, stands beside the first one. A rule that changed revises it.
func TestARepeatedRuleRevisesNothing(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Always lock the boat house after sailing.", "Always lock the boat house when you leave.", stands},
		{"Always lock the boat house when you leave.", "Please always lock the boat house after sailing.", stands},
		{"Always lock the boat house after sailing.", "Always lock the boat house, said Tomas.", stands},
		{"Always clean the brushes after painting.", "Always clean the brushes when the painting is done.", stands},
		{"Always answer in Dutch.", "Always answer in French.", revised},
	})
}

// Of the steps of one sequence none revises another one.
func TestTheNextStepRevisesNothing(t *testing.T) {
	w := enginetest.New(t)
	for _, x := range []struct {
		earlier, later string
		want           graph.Status
	}{
		{"I stopped the writers.", "Then I started the writers.", graph.Active},
		{"I live in Oslo.", "Then I moved to Bergen.", graph.Superseded},
	} {
		old := says(w, x.earlier, by("ana", "s")).Memory.ID
		says(w, x.later, by("ana", "s"))
		if got := view(w, old).Status(); got != x.want {
			t.Errorf("%q, %q: %s, want %s", x.earlier, x.later, got, x.want)
		}
	}
}

// A rule that is said again in its words in another session on another day is stored. Repeated on one day, refused, expiring or as
// part of the core it is a duplicate, and so is a statement that is no rule.
func TestARuleSaidAgainOnAnotherDayIsStored(t *testing.T) {
	const rule, other = "Always lock the boat house after sailing.", "My bike has twenty gears."
	for name, c := range map[string]struct {
		text   string
		days   int
		change func(*engine.RememberInput)
		stored bool
	}{
		"rule":        {rule, 1, func(*engine.RememberInput) {}, true},
		"one day":     {rule, 0, func(*engine.RememberInput) {}, false},
		"one session": {rule, 1, func(in *engine.RememberInput) { in.Session = "first" }, false},
		"core":        {rule, 1, func(in *engine.RememberInput) { in.Core = true }, false},
		"fact":        {other, 1, func(in *engine.RememberInput) { in.Type = graph.Semantic }, false},
	} {
		w := enginetest.New(t)
		first := w.Remember(c.text, by("ana", "first"), func(in *engine.RememberInput) {
			if c.text == other {
				in.Type = graph.Semantic
			}
		})
		w.Clock.Advance(time.Duration(c.days)*24*time.Hour + time.Hour)
		again := w.Remember(c.text, by("ana", "second"), c.change)
		if stored := again.DuplicateOf == "" && again.Memory.ID != first.Memory.ID; stored != c.stored || again.DuplicateOf != "" && again.DuplicateOf != first.Memory.ID {
			t.Errorf("%s: stored %v, duplicate of %q, want stored %v", name, stored, again.DuplicateOf, c.stored)
		}
	}
	w := enginetest.New(t)
	w.Remember(rule, by("ana", "first"))
	w.Clock.Advance(25 * time.Hour)
	r, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: rule, Consent: graph.ConsentExplicit, User: "ana", Session: "second", OnDuplicate: ingest.Reject})
	if graph.CodeOf(refusal(err, r)) != graph.CodeDuplicateMemory {
		t.Errorf("refused: %v, %+v", err, r)
	}
}

// refusal is the error of a write or of its item.
func refusal(err error, r *engine.RememberResult) error {
	if err == nil && r != nil && r.Error != nil {
		return r.Error
	}
	return err
}
