package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// turnsOf returns the memories of the session of talk, by their texts.
func turnsOf(t *testing.T, w *enginetest.World) map[string]*graph.Memory {
	t.Helper()
	all, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Session: "old", Access: engine.Access{IncludeImplicit: true}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*graph.Memory{}
	for _, v := range all.Memories {
		out[v.Content] = stored(t, w, v.ID)
	}
	return out
}

func TestAnAnswerIsReadWithItsQuestion(t *testing.T) {
	for _, x := range []struct{ asked, answer, says, want, question string }{
		{"Is your birthday on 4 May?", "yes", "My birthday is on 4 May.", "ana's birthday | is on | 4 May", "When is my birthday?"},
		{"So where do you work now?", "Siemens", "I work at Siemens.", "ana | works at | Siemens", "Where do I work?"},
		{"And you live in Ulm?", "exactly", "I live in Ulm.", "ana | lives in | Ulm", "Where do I live?"},
	} {
		for _, live := range []bool{true, false} {
			w, ids := talk(t, live, "a: "+x.asked, "u: "+x.answer)
			if lines := current(t, w); !slices.Contains(lines, x.want) {
				t.Errorf("%q to %q, live %v: %q", x.answer, x.asked, live, lines)
			}
			turn, whole := stored(t, w, ids[1]), turnsOf(t, w)[x.says]
			if turn.Content != x.answer || turn.Status() != graph.Expired || len(turn.Claims) > 0 {
				t.Errorf("%q, live %v: the turn is %q, %s", x.answer, live, turn.Content, turn.Status())
			}
			if whole == nil || whole.Status() != graph.Active || whole.SourceKind != graph.FromUser || whole.Authority != turn.Authority {
				t.Fatalf("%q, live %v: the statement is %+v", x.answer, live, whole)
			}
			r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
			if len(r.Hits) == 0 || r.Hits[0].Memory.ID != whole.ID || slices.Contains(enginetest.IDs(r), turn.ID) {
				t.Errorf("%q is not answered by %q, live %v: %v", x.question, x.says, live, enginetest.IDs(r))
			}
		}
	}
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

// A correction of an answer, and of a correction, takes the whole statement.
func TestACorrectionOfWhatWasCompleted(t *testing.T) {
	for _, live := range []bool{true, false} {
		for want, turns := range map[string][]string{
			"ana's standup | is at | 9:45":       {"a: When is your standup?", "u: 9:30", "u: Oops, 9:45"},
			"ana's flight | is at | 11":          {"u: My flight to Rome is at 9.", "u: Sorry, I meant 10.", "u: Sorry, I meant 11."},
			"ana's birthday | is on | 5 October": {"a: Is your birthday on 4 October?", "u: yes", "u: No wait, 5 October."},
		} {
			w, _ := talk(t, live, turns...)
			lines := slices.DeleteFunc(current(t, w), func(l string) bool { return l == "memory: "+strings.TrimPrefix(turns[0], "a: ") })
			if !slices.Equal(lines, []string{want}) {
				t.Errorf("%q, live %v: %q, want %q", turns, live, lines, want)
			}
		}
	}
}

// What is taken from two turns has the least trust of both, and nothing is taken from a turn without consent.
func TestAStatementHasTheTrustOfItsTurns(t *testing.T) {
	for _, x := range []struct{ asked, answered, want graph.Consent }{
		{graph.ConsentExplicit, graph.ConsentExplicit, graph.ConsentExplicit},
		{graph.ConsentImplicit, graph.ConsentExplicit, graph.ConsentImplicit},
		{graph.ConsentExplicit, graph.ConsentImplicit, graph.ConsentImplicit},
		{graph.ConsentNone, graph.ConsentExplicit, ""},
		{graph.ConsentExplicit, graph.ConsentNone, ""},
	} {
		w := enginetest.New(t)
		q, a := said("assistant", "Where do you live?", enginetest.Start), said("user", "Ulm", enginetest.Start)
		q.Consent, a.Consent = x.asked, x.answered
		past(t, w, q, a)
		switch m := turnsOf(t, w)["I live in Ulm."]; {
		case x.want == "" && m != nil:
			t.Errorf("%s and %s: %q was taken", x.asked, x.answered, m.Content)
		case x.want != "" && (m == nil || m.Consent != x.want):
			t.Errorf("%s and %s: %+v", x.asked, x.answered, m)
		}
	}
}

// Turns of another user, project or time, and with another turn between them, complete nothing.
func TestOnlyTheTurnBeforeIsCompleted(t *testing.T) {
	at := enginetest.Start
	for name, turns := range map[string][]engine.Observation{
		"another turn": {said("assistant", "Where do you live?", at), said("tool", "3 results", at), said("user", "Ulm", at)},
		"much later":   {said("assistant", "Where do you live?", at.AddDate(0, 0, -1)), said("user", "Ulm", at)},
		"project": {said("assistant", "Where do you live?", at), func() engine.Observation {
			x := said("user", "Ulm", at)
			x.Project = "atlas"
			return x
		}()},
		"user": {said("assistant", "Where do you live?", at), func() engine.Observation {
			x := said("user", "Ulm", at)
			x.User = "bo"
			return x
		}()},
		"session": {said("assistant", "Where do you live?", at), func() engine.Observation {
			x := said("user", "Ulm", at)
			x.Session = "new"
			return x
		}()},
	} {
		w := enginetest.New(t)
		out := past(t, w, turns...)
		if m := stored(t, w, out[len(out)-1].Memory.ID); m.Status() != graph.Active || m.Content != "Ulm" {
			t.Errorf("%s: the turn is %s", name, m.Status())
		}
	}
}

// What stands between a statement and a turn, and what only looks like a correction or an answer, leaves the statement as it is.
func TestATurnDestroysNothing(t *testing.T) {
	for _, x := range []struct {
		turns []string
		want  string
	}{
		{[]string{"u: I have 2 kids.", "a: How many pets do you have?", "u: Oh, 5"}, "ana | has | 2 kids"},
		{[]string{"u: My train leaves at 8:10.", "a: I'll set an alarm for 7:00.", "u: Sorry, 7:15"}, "ana's train | leaves at | 8:10"},
		{[]string{"u: My train leaves at 8:10.", "a: Noted.", "u: Sorry, I meant 7:15"}, "ana's train | leaves at | 8:10"},
		{[]string{"u: I work at Lidl.", "a: Do you like working at Lidl?", "u: no", "a: Have you ever worked at Aldi?", "u: yes"}, "ana | works at | Lidl"},
		{[]string{"u: I live in Ghent.", "a: You live in Brussels, right?", "u: No"}, "ana | lives in | Ghent"},
		{[]string{"u: I'm married to Anton.", "a: Were you married before?", "u: Yes"}, "ana | is married to | Anton"},
		{[]string{"u: I'm allergic to shellfish.", "a: Are you allergic to anything else?", "u: No"}, "ana | is allergic to | shellfish"},
		{[]string{"u: I eat meat.", "a: Do you eat meat every day?", "u: no"}, "ana | eats | meat"},
		{[]string{"u: I live in Kiel.", "a: Do you live near the sea?", "u: yes", "a: Do you live alone?", "u: no"}, "ana | lives in | Kiel"},
		{[]string{"u: Our standup is at 10.", "u: No calls before 9."}, "ana's standup | is at | 10"},
	} {
		for _, live := range []bool{true, false} {
			w, ids := talk(t, live, x.turns...)
			lines := current(t, w)
			if m := stored(t, w, ids[0]); m.Status() != graph.Active || m.Conflict != 0 || !slices.Contains(lines, x.want) {
				t.Errorf("%q, live %v: the first is %s, contested %v; %q", x.turns, live, m.Status(), m.Conflict, lines)
			}
		}
	}
}
