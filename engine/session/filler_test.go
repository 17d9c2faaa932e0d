package session_test

import (
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
