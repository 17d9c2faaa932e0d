package enginetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// sleepNight sleeps deeply and moves to the next morning.
func sleepNight(t *testing.T, w *World) {
	t.Helper()
	w.Clock.Advance(15 * time.Hour)
	if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(9 * time.Hour)
}

// buildContext builds a context for a session.
func buildContext(t *testing.T, w *World, session, query string) {
	t.Helper()
	if _, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: session, Query: query}); err != nil {
		t.Fatal(err)
	}
}

// say observes a turn.
func say(t *testing.T, w *World, session, role, text string) {
	t.Helper()
	if _, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: session, Role: role, Text: text, Consent: graph.ConsentExplicit}); err != nil {
		t.Fatal(err)
	}
}

// engrams are the contents of the memories in the recess.
func engrams(t *testing.T, w *World) (all []string) {
	t.Helper()
	for after := graph.ID(""); ; {
		list, err := w.Memories(t.Context(), w.Caller, engine.ListInput{First: 200, After: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list.Memories {
			if v.State.Tier == graph.L3 {
				all = append(all, v.Content)
			}
			after = v.ID
		}
		if !list.More {
			return all
		}
	}
}

// note makes a random note out of made-up words.
func note(r *rand.Rand) string {
	word := func() string {
		var b strings.Builder
		for range 2 + r.IntN(2) {
			b.WriteByte("bdfgklmnprstvz"[r.IntN(14)])
			b.WriteByte("aeiou"[r.IntN(5)])
		}
		return b.String() + []string{"", "n", "r", "s"}[r.IntN(4)]
	}
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("The %s of the %s is in %s.", word(), word(), pick("the shed", "box "+fmt.Sprint(r.IntN(90)), "the hall"))
	case 1:
		return fmt.Sprintf("%s%s keeps %d %ss.", strings.ToUpper(word()[:1]), word(), 2+r.IntN(80), word())
	case 2:
		return fmt.Sprintf("We %s the %s with %s.", pick("paint", "mend", "wash", "store"), word(), word())
	}
	return fmt.Sprintf("The %s has a %s %s.", word(), pick("red", "broad", "heavy", "thin"), word())
}

// notes writes random notes.
func notes(w *World, n int) {
	r := rand.New(rand.NewPCG(14, 62))
	for range n {
		w.Remember(note(r), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
}

// What is only shown never becomes permanent: at the start of sessions, with prompts that ask
// nothing, and in an agent's talk to itself.
func TestShownNotesAreNeverEngraved(t *testing.T) {
	for name, day := range map[string]func(t *testing.T, w *World, session string){
		"session starts": func(t *testing.T, w *World, session string) { buildContext(t, w, session, "") },
		"prompts without content": func(t *testing.T, w *World, session string) {
			buildContext(t, w, session, "")
			for _, text := range []string{"ok thanks, go on", "Thanks!", "yes, exactly", "continue please"} {
				buildContext(t, w, session, text)
				w.Search(text, func(in *engine.SearchInput) { in.Track, in.AskedIn, in.TopK = true, session, 50 })
			}
		},
		"observed small talk": func(t *testing.T, w *World, session string) {
			buildContext(t, w, session, "")
			for _, text := range []string{"Good morning!", "ok thanks, go on"} {
				say(t, w, session, "user", text)
				buildContext(t, w, session, "")
				say(t, w, session, "assistant", "You are welcome, shall we continue?")
			}
		},
		"an agent that polls": func(t *testing.T, w *World, session string) {
			say(t, w, session, "tool", "The queue is empty.")
			for range 5 {
				w.Search("What is in the shed?", func(in *engine.SearchInput) { in.Track, in.AskedIn = true, session })
				say(t, w, session, "assistant", "I look into the shed.")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := With(t, Options{Recess: NewFakeArchive(), Sweep: 24 * time.Hour})
			notes(w, 400)
			w.Remember("TODO: write the rollback plan")
			w.Remember("The deploy target is production now")
			for n := range 12 {
				day(t, w, fmt.Sprint("session ", n))
				sleepNight(t, w)
			}
			if all := engrams(t, w); len(all) != 0 {
				t.Errorf("%d engrams: %q", len(all), all)
			}
			if h, err := w.Health(t.Context(), w.Caller); err != nil || h.Details["exposures"].(int) == 0 || h.Details["uses"].(int) != 0 {
				t.Errorf("health counts %v exposures, %v uses, %v", h.Details["exposures"], h.Details["uses"], err)
			}
		})
	}
}

// gold are facts with a question each, and an answer that an assistant gives.
var gold = []struct{ fact, question, answer string }{
	{"Mira is allergic to walnuts.", "What is Mira allergic to?", "She can't have walnuts."},
	{"The spare key of the boathouse hangs behind the blue door.", "Where does the spare key of the boathouse hang?", "It hangs behind the blue door."},
	{"Tomas was born on 14 March.", "When was Tomas born?", "On 14 March."},
	{"The kite Heron 3 may fly in winds up to 15 metres per second.", "Up to what wind may the kite Heron 3 fly?", "Up to 15 metres per second."},
	{"Our landlord is called Ilse Brandt.", "What is our landlord called?", "Ilse Brandt."},
}

// What is asked for on five days in five sessions is permanent on the fifth, not before.
func TestFactsInUseAreEngravedOnTheFifthDay(t *testing.T) {
	for name, ask := range map[string]func(t *testing.T, w *World, session string, i int){
		"searches in sessions": func(t *testing.T, w *World, session string, i int) {
			w.Search(gold[i].question, func(in *engine.SearchInput) { in.Track, in.AskedIn = true, session })
		},
		"searches without a session": func(t *testing.T, w *World, _ string, i int) {
			w.Search(gold[i].question, func(in *engine.SearchInput) { in.Track = true })
		},
		"contexts without turns": func(t *testing.T, w *World, session string, i int) { buildContext(t, w, session, gold[i].question) },
		"contexts before the turns": func(t *testing.T, w *World, session string, i int) {
			buildContext(t, w, session, gold[i].question)
			say(t, w, session, "user", gold[i].question)
			say(t, w, session, "assistant", gold[i].answer)
		},
		"observed answers": func(t *testing.T, w *World, session string, i int) {
			say(t, w, session, "user", gold[i].question)
			buildContext(t, w, session, gold[i].question)
			say(t, w, session, "assistant", gold[i].answer)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := With(t, Options{Recess: NewFakeArchive(), Sweep: 24 * time.Hour})
			notes(w, 200)
			for _, g := range gold {
				w.Remember(g.fact)
			}
			for day := range 5 {
				if all := engrams(t, w); len(all) != 0 {
					t.Fatalf("after %d days: %q", day, all)
				}
				for i := range gold {
					ask(t, w, fmt.Sprint("session ", day), i)
				}
				sleepNight(t, w)
			}
			all := engrams(t, w)
			for _, g := range gold {
				if !strings.Contains(strings.Join(all, "\n"), g.fact) {
					t.Errorf("%q is not engraved", g.fact)
				}
			}
			if len(all) != len(gold) {
				t.Errorf("%d engrams: %q", len(all), all)
			}
		})
	}
}

// One session, a state that passes, and an answer that says nothing of the fact are not enough.
func TestUsesThatDoNotEngrave(t *testing.T) {
	for name, c := range map[string]struct {
		fact string
		ask  func(t *testing.T, w *World, day int)
	}{
		"one session": {"Mira is allergic to walnuts.", func(t *testing.T, w *World, _ int) {
			w.Search("What is Mira allergic to?", func(in *engine.SearchInput) { in.Track, in.AskedIn = true, "main" })
		}},
		"a passing state": {"Our deploy target is staging for now.", func(t *testing.T, w *World, day int) {
			w.Search("What is our deploy target?", func(in *engine.SearchInput) { in.Track, in.AskedIn = true, fmt.Sprint(day) })
		}},
		"a plan": {"The mooring moves to pier 9.", func(t *testing.T, w *World, day int) {
			w.Search("Where does the mooring move?", func(in *engine.SearchInput) { in.Track, in.AskedIn = true, fmt.Sprint(day) })
		}},
		"other answers": {"Mira is allergic to walnuts.", func(t *testing.T, w *World, day int) {
			session := fmt.Sprint("s", day)
			say(t, w, session, "user", "What is Mira allergic to?")
			buildContext(t, w, session, "What is Mira allergic to?")
			say(t, w, session, "assistant", "I do not know what Mira is allergic to.")
		}},
		"a context before turns that say nothing of it": {"Mira is allergic to walnuts.", func(t *testing.T, w *World, day int) {
			session := fmt.Sprint("s", day)
			buildContext(t, w, session, "What is Mira allergic to?")
			say(t, w, session, "user", "What is Mira allergic to?")
			say(t, w, session, "assistant", "I do not know.")
		}},
		"an agent that polls in new sessions": {"Mira is allergic to walnuts.", func(t *testing.T, w *World, day int) {
			for n := range 12 {
				w.Search("What is Mira allergic to?", func(in *engine.SearchInput) { in.Track, in.AskedIn = true, fmt.Sprint(day, " ", n) })
			}
		}},
		"a question that comes back by itself": {"Mira is allergic to walnuts.", func(t *testing.T, w *World, _ int) {
			for range 4 {
				w.Search("What is Mira allergic to?", func(in *engine.SearchInput) { in.Track = true })
				w.Clock.Advance(time.Minute)
			}
			w.Clock.Advance(-6 * time.Minute)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := With(t, Options{Recess: NewFakeArchive(), Sweep: 24 * time.Hour})
			notes(w, 50)
			w.Remember(c.fact, func(in *engine.RememberInput) {
				if name == "a plan" {
					in.ValidFrom = w.Clock.Now().AddDate(0, 0, 3)
				}
			})
			for day := range 7 {
				c.ask(t, w, day)
				sleepNight(t, w)
			}
			if all := engrams(t, w); len(all) != 0 {
				t.Errorf("engraved: %q", all)
			}
		})
	}
}
