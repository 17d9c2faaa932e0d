package session_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// turnsOf returns the memories of the session of talk, by their texts.
func turnsOf(t *testing.T, w *enginetest.World) map[string]*graph.Memory {
	t.Helper()
	all, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Session: "old", Statuses: []graph.Status{graph.Active, graph.Expired, graph.Superseded}, Access: engine.Access{IncludeImplicit: true}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*graph.Memory{}
	for _, v := range all.Memories {
		out[v.Content] = stored(t, w, v.ID)
	}
	return out
}

func TestACorrectionInTheNextTurnRevises(t *testing.T) {
	for _, x := range []struct{ first, second, says, want string }{
		{"My flight to Rome is at 9.", "Sorry, I meant 10.", "My flight to Rome is at 10.", "ana's flight | is at | 10"},
		{"The meeting room is B12.", "Oops, B21.", "The meeting room is B21.", "meeting room | is | B21"},
		{"The API key lives in vault path kv/app.", "Correction: it's in kv/prod/app.", "The API key lives in vault path kv/prod/app.", ""},
	} {
		for _, live := range []bool{true, false} {
			w, ids := talk(t, live, "u: "+x.first, "u: "+x.second, "a: Noted.")
			first, turn, whole := stored(t, w, ids[0]), stored(t, w, ids[1]), turnsOf(t, w)[x.says]
			if whole == nil {
				t.Fatalf("%q, live %v: no statement", x.second, live)
			}
			if first.Status() != graph.Superseded || first.SupersededBy != whole.ID || turn.Status() != graph.Expired || whole.Status() != graph.Active || whole.Reason != "CORRECTED" {
				t.Errorf("%q, live %v: the first is %s, the turn %s, the statement %s by %q", x.second, live, first.Status(), turn.Status(), whole.Status(), whole.Reason)
			}
			if lines := current(t, w); x.want != "" && !slices.Equal(lines, []string{x.want}) {
				t.Errorf("%q, live %v: %q", x.second, live, lines)
			}
			if _, err := w.UndoRevision(t.Context(), w.Caller, whole.ID); err != nil {
				t.Fatal(err)
			}
			if m := stored(t, w, ids[0]); m.Status() != graph.Active {
				t.Errorf("%q, live %v: the first is %s after the revision was taken back", x.second, live, m.Status())
			}
		}
	}
}

// A correction of a correction takes the words of the first turn, and the assistant may speak between them.
func TestACorrectionOfACorrection(t *testing.T) {
	for _, live := range []bool{true, false} {
		w, ids := talk(t, live, "u: My flight to Rome is at 9.", "a: Noted, your flight is at 9.", "u: Sorry, I meant 10.", "a: Got it: 10.", "a: Have a good trip!", "u: Oops, I meant 11.")
		if lines := current(t, w); !slices.Contains(lines, "ana's flight | is at | 11") || slices.Contains(lines, "ana's flight | is at | 10") || slices.Contains(lines, "ana's flight | is at | 9") {
			t.Errorf("live %v: %q", live, lines)
		}
		if m := turnsOf(t, w)["My flight to Rome is at 10."]; m == nil || m.Status() != graph.Superseded || stored(t, w, ids[0]).Status() != graph.Superseded {
			t.Errorf("live %v: the first correction is %+v", live, m)
		}
	}
}

// The statement of a correction is a memory like others: its claims can be corrected on the page, and searches find it alone.
func TestTheStatementOfACorrectionCanBeCorrected(t *testing.T) {
	w, ids := talk(t, true, "u: My flight is at 9.", "u: Sorry, I meant 10.")
	whole := turnsOf(t, w)["My flight is at 10."]
	if whole == nil {
		t.Fatal("no statement")
	}
	found := enginetest.IDs(w.Search("When is my flight?", func(in *engine.SearchInput) { in.User = "ana" }))
	if !slices.Equal(found, []graph.ID{whole.ID}) {
		t.Errorf("found %v, want %v alone; the turns are %v", found, whole.ID, ids)
	}
	noon := "noon"
	if _, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: graph.ClaimID(whole.ID, whole.Claims[0].N), Object: &noon}); err != nil {
		t.Fatal(err)
	}
	if lines := current(t, w); !slices.Equal(lines, []string{"ana's flight | is at | noon"}) {
		t.Errorf("after the correction on the page: %q", lines)
	}
}

// What the turn before had revised stays revised, and what no correction may revise stays as it is.
func TestACorrectionKeepsWhatWasRevisedBefore(t *testing.T) {
	w, _ := talk(t, true, "u: I live in Oslo.", "u: I moved to Munich.", "u: Sorry, I meant Vienna.")
	for _, l := range current(t, w) {
		if strings.Contains(l, "Oslo") || strings.Contains(l, "Munich") {
			t.Errorf("still current: %q", l)
		}
	}
}

// A statement has the least trust of both turns, and nothing is taken from or for a turn without consent.
func TestAStatementHasTheTrustOfItsTurns(t *testing.T) {
	for _, x := range []struct{ first, second, want graph.Consent }{
		{graph.ConsentExplicit, graph.ConsentExplicit, graph.ConsentExplicit},
		{graph.ConsentImplicit, graph.ConsentExplicit, graph.ConsentImplicit},
		{graph.ConsentExplicit, graph.ConsentImplicit, graph.ConsentImplicit},
		{graph.ConsentNone, graph.ConsentExplicit, ""},
		{graph.ConsentExplicit, graph.ConsentNone, ""},
	} {
		w := enginetest.New(t)
		a, b := said("user", "My flight is at 9.", enginetest.Start), said("user", "Sorry, I meant 10.", enginetest.Start)
		a.Consent, b.Consent = x.first, x.second
		past(t, w, a, b)
		switch m := turnsOf(t, w)["My flight is at 10."]; {
		case x.want == "" && m != nil:
			t.Errorf("%s and %s: %q was taken", x.first, x.second, m.Content)
		case x.want != "" && (m == nil || m.Consent != x.want):
			t.Errorf("%s and %s: %+v", x.first, x.second, m)
		}
	}
}

// Only the last statement of the user in the session is corrected, and only by the same user, in the same project and soon.
func TestOnlyTheLastStatementOfTheUserIsCorrected(t *testing.T) {
	at := enginetest.Start
	first, second := said("user", "My flight is at 9.", at.Add(-time.Minute)), said("user", "Sorry, I meant 10.", at)
	changed := func(change func(x *engine.Observation)) engine.Observation {
		x := second
		change(&x)
		return x
	}
	for name, turns := range map[string][]engine.Observation{
		"another statement":     {first, said("user", "I like window seats.", at), second},
		"a turn of a tool":      {first, said("tool", "3 results", at), second},
		"much later":            {said("user", "My flight is at 9.", at.AddDate(0, 0, -1)), second},
		"another project":       {first, changed(func(x *engine.Observation) { x.Project = "atlas" })},
		"another user":          {first, changed(func(x *engine.Observation) { x.User = "bo" })},
		"another session":       {first, changed(func(x *engine.Observation) { x.Session = "new" })},
		"the assistant says it": {first, changed(func(x *engine.Observation) { x.Role = "assistant" })},
		"of the assistant":      {said("assistant", "Your flight is at 9.", at), second},
		"another value between": {first, said("assistant", "Your flight is at 9, and boarding at 8:20.", at), second},
		"a question between":    {first, said("assistant", "How many bags do you have?", at), second},
	} {
		w := enginetest.New(t)
		out := past(t, w, turns...)
		if m := stored(t, w, out[len(out)-1].Memory.ID); m.Status() != graph.Active || turnsOf(t, w)["My flight is at 10."] != nil {
			t.Errorf("%s: the turn is %s", name, m.Status())
		}
		if m := stored(t, w, out[0].Memory.ID); m.Status() != graph.Active || m.Conflict != 0 {
			t.Errorf("%s: the first turn is %s, conflict %v", name, m.Status(), m.Conflict)
		}
	}
}

// By remember nothing is completed: the text is the whole statement of its caller.
func TestRememberCompletesNothing(t *testing.T) {
	w := enginetest.New(t)
	by := func(in *engine.RememberInput) { in.User, in.Session = "ana", "old" }
	first := w.Remember("My flight is at 9.", by).Memory.ID
	if r := w.Remember("Sorry, I meant 10.", by); r.Memory.Content != "Sorry, I meant 10." || stored(t, w, first).Status() != graph.Active {
		t.Errorf("%q; the first is %s", r.Memory.Content, stored(t, w, first).Status())
	}
}
