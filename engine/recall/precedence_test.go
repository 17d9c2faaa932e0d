package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func inConsent(c graph.Consent) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.Consent = c }
}

// A plain write neither hides a safety-critical memory from prompts nor comes before it in a search.
func TestASafetyCriticalMemoryPrevailsOverPlainWrites(t *testing.T) {
	for _, consent := range []graph.Consent{graph.ConsentNone, graph.ConsentImplicit, graph.ConsentExplicit} {
		w := enginetest.New(t)
		safe := w.Remember("Maria Lopez is severely allergic to penicillin.", by("ana"), func(in *engine.RememberInput) { in.SafetyCritical = true }).Memory.ID
		w.Clock.Advance(24 * time.Hour)
		plain := w.Remember("Maria Lopez is no longer allergic to penicillin.", by("ana"), inConsent(consent)).Memory.ID
		if v := fixture.MustView(w, safe); v.State.Status != graph.Active {
			t.Fatalf("%s: the safety-critical memory is %s", consent, v.State.Status)
		}
		for _, query := range []string{"Is Maria Lopez allergic to penicillin?", "penicillin no longer", ""} {
			if r := contextOf(w, query); !strings.Contains(r.Text, "severely allergic") {
				t.Errorf("%s, query %q: it is missing in\n%s", consent, query, r.Text)
			}
			if query == "" {
				continue
			}
			ids := enginetest.IDs(w.Search(query))
			if at, other := slices.Index(ids, safe), slices.Index(ids, plain); at < 0 || other >= 0 && other < at {
				t.Errorf("%s, query %q: places %d and %d", consent, query, at, other)
			}
		}
	}
}

// What has consent NONE prevails over nothing that is better permitted.
func TestConsentNoneDoesNotPrevail(t *testing.T) {
	for _, better := range []graph.Consent{graph.ConsentImplicit, graph.ConsentExplicit} {
		w := enginetest.New(t)
		dana := w.Remember("My manager is Dana.", by("ana"), inConsent(better)).Memory.ID
		w.Clock.Advance(24 * time.Hour)
		priya := w.Remember("My manager is Priya.", by("ana"), inConsent(graph.ConsentNone)).Memory.ID
		if r := contextOf(w, "Who is my manager?"); !strings.Contains(r.Text, "Dana") || strings.Contains(r.Text, "Priya") {
			t.Errorf("%s:\n%s", better, r.Text)
		}
		ids := enginetest.IDs(w.Search("Who is my manager?", func(in *engine.SearchInput) { in.User = "ana" }))
		if at, other := slices.Index(ids, dana), slices.Index(ids, priya); at != 0 || other == 0 {
			t.Errorf("%s: places %d and %d", better, at, other)
		}
	}
}

// A hit that feedback marked comes after those like it that it did not mark.
func TestMarkedHitsAreNotFirst(t *testing.T) {
	for _, effort := range []engine.Effort{engine.EffortFast, engine.EffortBalanced} {
		for _, outcome := range []engine.FeedbackOutcome{engine.OutcomeIgnored, engine.OutcomeHarmed} {
			w := enginetest.New(t)
			var last graph.ID
			for _, text := range []string{"Hotel Aurora in Tromso has a sauna.", "Hotel Polaris in Tromso has a sauna.", "Hotel Borealis in Tromso has a sauna and a quiet garden."} {
				w.Clock.Advance(time.Minute)
				last = w.Remember(text).Memory.ID
			}
			const query = "Which hotel in Tromso has a sauna?"
			if _, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: query, ID: last, Outcome: outcome}); err != nil {
				t.Fatal(err)
			}
			if at, _ := place(w, last, query, func(in *engine.SearchInput) { in.Effort = effort }); at == 0 {
				t.Errorf("%s, %s: it is the first hit", effort, outcome)
			}
		}
	}
}

// A mark lowers no memory of another namespace.
func TestMarksHoldInTheirNamespace(t *testing.T) {
	w := enginetest.New(t)
	put := func(namespace string) graph.ID {
		return w.Remember("The harbour cafe sells fresh herring on Fridays.", by("x"), func(in *engine.RememberInput) { in.Namespace = namespace }).Memory.ID
	}
	marked, other := put("na"), put("nb")
	w.Remember("The harbour office sells maps.", by("x"), func(in *engine.RememberInput) { in.Namespace = "nb" })
	const query = "What does the harbour cafe sell?"
	score := func() float64 {
		for _, h := range w.Search(query, func(in *engine.SearchInput) { in.User, in.Namespaces = "x", []string{"nb"} }).Hits {
			if h.Memory.ID == other {
				return h.Score
			}
		}
		t.Fatal("no hit")
		return 0
	}
	before := score()
	if _, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: query, ID: marked, Outcome: engine.OutcomeIgnored, User: "x"}); err != nil {
		t.Fatal(err)
	}
	if after := score(); after != before {
		t.Errorf("score %v, before %v", after, before)
	}
}

// Where conversations are observed, a prompt of a new session counts no use before an observed answer says something of its
// hits. Where none are, the best hits of a question count.
func TestAPromptOfAnObservedUserCountsNoUseByItself(t *testing.T) {
	for name, c := range map[string]struct {
		observed bool // a conversation was observed the day before
		turns    [][2]string
		uses     int
	}{
		"nothing is observed":          {false, nil, 1},
		"no turns":                     {true, nil, 0},
		"an answer without the memory": {true, [][2]string{{"user", "What is Mira allergic to?"}, {"assistant", "I do not know."}}, 0},
		"an answer from the memory":    {true, [][2]string{{"user", "What is Mira allergic to?"}, {"assistant", "Walnuts."}}, 1},
		"an agent talks to itself":     {true, [][2]string{{"assistant", "Walnuts."}}, 0},
	} {
		w := enginetest.New(t)
		id := w.Remember("Mira is allergic to walnuts.").Memory.ID
		if c.observed {
			observe(t, w, "yesterday", "user", "The rain is loud.")
			w.Clock.Advance(24 * time.Hour)
		}
		if _, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "talk", Query: "What is Mira allergic to?"}); err != nil {
			t.Fatal(err)
		}
		for _, turn := range c.turns {
			observe(t, w, "talk", turn[0], turn[1])
		}
		if u := fixture.MustView(w, id).Usage; u.Count != c.uses {
			t.Errorf("%s: %+v, want %d uses", name, u, c.uses)
		}
	}
}

// A search in a new session waits for its answer if the conversations of the source are observed.
func TestASearchInASessionOfAnObservedSourceWaits(t *testing.T) {
	for answer, uses := range map[string]int{"I do not know.": 0, "Walnuts.": 1} {
		w := enginetest.New(t)
		id := w.Remember("Mira is allergic to walnuts.").Memory.ID
		observe(t, w, "first", "user", "Good morning!")
		w.Clock.Advance(24 * time.Hour)
		const question = "What is Mira allergic to?"
		w.Search(question, track, func(in *engine.SearchInput) { in.AskedIn = "second" })
		observe(t, w, "second", "user", question)
		observe(t, w, "second", "assistant", answer)
		if u := fixture.MustView(w, id).Usage; u.Count != uses {
			t.Errorf("%q: %+v, want %d uses", answer, u, uses)
		}
	}
}

// The turns of a session take no place of the memories in its prompt.
func TestTurnsOfTheSessionCrowdOutNoMemories(t *testing.T) {
	w := enginetest.New(t)
	for i := range 60 {
		w.Remember("Heron flight "+word(i)+": the kite Heron flew over "+word(i+60)+" hill.", func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	for i := range 30 {
		observe(t, w, "talk", []string{"user", "assistant"}[i%2], "Heron flights, "+word(i+130)+".")
	}
	r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "talk", Query: "Heron flights"})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(r.Text, "the kite Heron flew"); n < 5 {
		t.Errorf("%d memories in\n%s", n, r.Text)
	}
}

// word makes a word of a number.
func word(n int) string {
	const c, v = "bdfgklmnprst", "aeiou"
	return string([]byte{c[n%12], v[n/12%5], c[n/60%12], v[n%5], c[(n+7)%12]})
}
