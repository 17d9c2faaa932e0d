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

// talk is a conversation of ana with an assistant: "a: " and "u: " before each turn.
func talk(t *testing.T, live bool, turns ...string) (w *enginetest.World, ids []graph.ID) {
	t.Helper()
	w = enginetest.New(t)
	var told []engine.Observation
	for i, turn := range turns {
		role := "user"
		who, text, _ := strings.Cut(turn, ": ")
		if who == "a" {
			role = "assistant"
		}
		told = append(told, said(role, text, enginetest.Start.Add(time.Duration(i)*time.Minute)))
	}
	w.Clock.Advance(time.Duration(len(turns)) * time.Minute)
	if !live {
		for _, x := range past(t, w, told...) {
			ids = append(ids, x.Memory.ID)
		}
		return w, ids
	}
	for _, x := range told {
		o, err := w.Observe(t.Context(), w.Caller, x)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, o.Memory.ID)
	}
	if _, err := w.CloseSession(t.Context(), w.Caller, "old", ""); err != nil {
		t.Fatal(err)
	}
	return w, ids
}

// current returns what holds of ana, as text.
func current(t *testing.T, w *enginetest.World) (lines []string) {
	t.Helper()
	page, err := w.Known(t.Context(), w.Caller, engine.KnownInput{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range page.Lines {
		if l.Claim == nil {
			lines = append(lines, "memory: "+l.Memory.Content)
		} else if s := l.Claim.State; l.Claim.Current {
			line := s.Subject + " | " + s.Predicate + " | " + s.Object
			if s.Negated {
				line = "not: " + line
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func TestAnAnswerIsReadWithItsQuestion(t *testing.T) {
	for _, x := range []struct{ asked, answer, want, question string }{
		{"Is your birthday on 4 May?", "yes", "ana's birthday | is on | 4 May", "When is my birthday?"},
		{"So where do you work now?", "Siemens", "ana | works at | Siemens", "Where do I work?"},
		{"And you live in Ulm?", "exactly", "ana | lives in | Ulm", "Where do I live?"},
		{"Do you live in Ulm?", "No.", "not: ana | lives in | Ulm", ""},
	} {
		for _, live := range []bool{true, false} {
			w, ids := talk(t, live, "a: "+x.asked, "u: "+x.answer)
			if lines := current(t, w); !slices.Contains(lines, x.want) {
				t.Errorf("%q to %q, live %v: %q", x.answer, x.asked, live, lines)
			}
			m, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Session: "old"})
			if err != nil || len(m.Memories) != 2 || m.Memories[1].Content != x.answer {
				t.Errorf("%q: the turn does not stay as it was said: %v %v", x.answer, m, err)
			}
			if x.question == "" {
				continue
			}
			if r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" }); len(r.Hits) == 0 || r.Hits[0].Memory.ID != ids[1] {
				t.Errorf("%q is not answered by %q, live %v", x.question, x.answer, live)
			}
		}
	}
}

func TestACorrectionInTheNextTurnRevises(t *testing.T) {
	for _, x := range []struct{ first, second, want string }{
		{"My flight to Rome is at 9.", "Sorry, I meant 10.", "ana's flight to Rome | is at | 10"},
		{"The meeting room is B12.", "Oops, B21.", "meeting room | is | B21"},
	} {
		for _, live := range []bool{true, false} {
			w, ids := talk(t, live, "u: "+x.first, "a: Noted.", "u: "+x.second)
			first, second := stored(t, w, ids[0]), stored(t, w, ids[2])
			if first.Status() != graph.Superseded || first.SupersededBy != second.ID || second.Status() != graph.Active || second.Reason != "CORRECTED" {
				t.Errorf("%q, live %v: the first is %s, the second %s by %q (%+v)", x.second, live, first.Status(), second.Status(), second.Reason, second.Claims)
			}
			if second.Content != x.second || second.Summary == "" {
				t.Errorf("%q says %q", second.Content, second.Summary)
			}
		}
	}
}

func TestTurnsThatSayNothingAreNoMemories(t *testing.T) {
	for _, live := range []bool{true, false} {
		w, ids := talk(t, live, "u: My dog is called Biscuit.", "a: Got it.", "u: thanks!", "a: Sure.", "u: lol")
		for i, id := range ids {
			if m := stored(t, w, id); m.Status() == graph.Active != (i == 0) || i > 0 && len(m.Claims) > 0 {
				t.Errorf("live %v: turn %d %q is %s with %d claims", live, i, m.Content, m.Status(), len(m.Claims))
			}
		}
		if lines := current(t, w); len(lines) != 1 {
			t.Errorf("live %v: %q", live, lines)
		}
	}
}
