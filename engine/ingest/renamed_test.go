package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// renamedPair is an earlier statement, what is said in between, and a later statement.
type renamedPair struct {
	earlier, between, later string
	want                    outcome
}

var renamedPairs = []renamedPair{
	{"The ferry Aurora leaves at 8.", "The Aurora is now called Nordlicht.", "Nordlicht leaves at 9.", revised},
	{"Aurora leaves at 8.", "The ferry Aurora is now called Nordlicht.", "Nordlicht leaves at 9.", revised},
	{"Aurora leaves at 8.", "Aurora is now called Nordlicht.", "The Nordlicht leaves at 9.", revised},
	{"Project Falcon is owned by Ines.", "We renamed Project Falcon to Project Kestrel.", "Kestrel is owned by Omar.", revised},
	{"Falcon runs on Hetzner.", "Falcon was renamed Kestrel.", "Kestrel runs on AWS.", revised},
	{"Falcon's owner is Ines.", "Falcon was renamed Kestrel.", "Kestrel runs on AWS.", stands},
	{"The yacht Aurora leaves at 8.", "The ferry Aurora is now called Nordlicht.", "Nordlicht leaves at 9.", stands},
	{"Aurora leaves at 8.", "The Aurora might be called Nordlicht soon.", "Nordlicht leaves at 9.", stands},
	{"Aurora leaves at 8.", "The Aurora is not called Nordlicht.", "Nordlicht leaves at 9.", stands},
	{"Aurora leaves at 8.", "Is the Aurora now called Nordlicht?", "Nordlicht leaves at 9.", stands},
	{"Aurora leaves at 8.", "Aurora is now called Nordlicht.", "Is Nordlicht leaving at 9?", stands},
	{"Aurora leaves at 8.", "Aurora is now called Nordlicht.", "Nordlicht leaves from pier 4.", stands},
	{"Aurora leaves at 8.", "Borealis is now called Nordlicht.", "Nordlicht leaves at 9.", stands},
}

// outcomeOfThree states three texts a day apart, as one user.
func outcomeOfThree(w *enginetest.World, user string, p renamedPair) outcome {
	old := says(w, p.earlier, by(user, user+"a")).Memory.ID
	says(w, p.between, by(user, user+"b"))
	id := says(w, p.later, by(user, user+"c")).Memory.ID
	a, b := view(w, old), view(w, id)
	switch {
	case a.Status() == graph.Superseded:
		return revised
	case max(a.Conflict, b.Conflict) > contestedAbove:
		return rivals
	}
	return stands
}

func TestALaterNameRevisesWhatWasSaidUnderTheEarlierOne(t *testing.T) {
	w := enginetest.New(t)
	for i, p := range renamedPairs {
		if got := outcomeOfThree(w, fmt.Sprintf("user%d", i), p); got != p.want {
			t.Errorf("%q, %q, %q: %s, want %s", p.earlier, p.between, p.later, got, p.want)
		}
	}
}

// Names follow one another, and turns of a session rename as memories do.
func TestTurnsUnderALaterName(t *testing.T) {
	w := enginetest.New(t)
	in := func(session string) func(*engine.Observation) {
		return func(in *engine.Observation) { in.User, in.Session = "ana", session }
	}
	old := says(w, "Falcon runs on Hetzner.", by("ana", "s1")).Memory.ID
	w.Clock.Advance(25 * time.Hour)
	fixture.Observe(t, w, "user", "We renamed Falcon to Kestrel.", in("s2"))
	fixture.Observe(t, w, "user", "We renamed Kestrel to Osprey.", in("s2"))
	fixture.Observe(t, w, "user", "Osprey runs on AWS.", in("s2"))
	if _, err := w.CloseSession(t.Context(), w.Caller, "s2", ""); err != nil {
		t.Fatal(err)
	}
	if got := view(w, old); got.Status() != graph.Superseded {
		t.Errorf("%q: %s", got.Content, got.Status())
	}
}

// The renaming counts only for whom it was said, if a user or the system said it, and not for what was said later under the
// former name.
func TestANameThatWasNotGivenToTheSubject(t *testing.T) {
	for name, between := range map[string]func(w *enginetest.World){
		"another user": func(w *enginetest.World) { says(w, "Aurora is now called Nordlicht.", by("bo", "b")) },
		"an assistant": func(w *enginetest.World) {
			says(w, "Aurora is now called Nordlicht.", by("ana", "b", func(in *engine.RememberInput) { in.SourceKind = graph.FromAssistant }))
		},
		"ended": func(w *enginetest.World) {
			id := says(w, "Aurora is now called Nordlicht.", by("ana", "b")).Memory.ID
			if _, err := w.Expire(t.Context(), w.Caller, id); err != nil {
				t.Fatal(err)
			}
		},
	} {
		w := enginetest.New(t)
		old := says(w, "Aurora leaves at 8.", by("ana", "a")).Memory.ID
		between(w)
		says(w, "Nordlicht leaves at 9.", by("ana", "c"))
		if got := view(w, old); got.Status() != graph.Active {
			t.Errorf("%s: %s", name, got.Status())
		}
	}
	w := enginetest.New(t)
	says(w, "Aurora is now called Nordlicht.", by("ana", "a"))
	old := says(w, "Aurora leaves at 8.", by("ana", "b")).Memory.ID
	says(w, "Nordlicht leaves at 9.", by("ana", "c"))
	if got := view(w, old); got.Status() != graph.Active {
		t.Errorf("said of another thing with the former name: %s", got.Status())
	}
}
