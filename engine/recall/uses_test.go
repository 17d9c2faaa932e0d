package recall_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func observe(t *testing.T, w *enginetest.World, session, role, text string) {
	t.Helper()
	if _, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: session, Role: role, Text: text, Consent: graph.ConsentExplicit}); err != nil {
		t.Fatal(err)
	}
}

func track(in *engine.SearchInput) { in.Track = true }

// In an observed conversation the next answer decides what was used, and a user who only agrees.
func TestAnObservedAnswerDecidesWhatWasUsed(t *testing.T) {
	const question = "What is Mira allergic to?"
	for name, c := range map[string]struct {
		turns [][2]string
		uses  int
	}{
		"an answer from memory":         {[][2]string{{"assistant", "She must not eat walnuts."}}, 1},
		"an answer without it":          {[][2]string{{"assistant", "I do not know what Mira is allergic to."}}, 0},
		"only the next answer counts":   {[][2]string{{"assistant", "Let me look."}, {"assistant", "Walnuts."}}, 0},
		"a user agrees":                 {[][2]string{{"assistant", "To those."}, {"user", "Yes, exactly."}}, 1},
		"a user disagrees":              {[][2]string{{"assistant", "To those."}, {"user", "Yes, but that was long ago."}}, 0},
		"agreeing again counts no more": {[][2]string{{"assistant", "Walnuts."}, {"user", "Exactly."}}, 1},
	} {
		w := enginetest.New(t)
		id := w.Remember("Mira is allergic to walnuts.").Memory.ID
		observe(t, w, "talk", "user", question)
		w.Search(question, track, func(in *engine.SearchInput) { in.AskedIn = "talk" })
		for _, turn := range c.turns {
			observe(t, w, "talk", turn[0], turn[1])
		}
		if u := fixture.MustView(w, id).Usage; u.Count != c.uses || len(u.Sessions) != c.uses {
			t.Errorf("%s: %+v, want %d uses", name, u, c.uses)
		}
	}
}

// An open task in a prompt is used if the next answer says something of it that the question did not
// say, as a memory is; that it is shown counts nothing.
func TestTasksInAPromptAreUsedIfTheAnswerSaysThem(t *testing.T) {
	for name, c := range map[string]struct {
		question, answer string
		uses             int
	}{
		"the answer names the task":    {"What is left to do before we sail?", "First you mend the keel.", 1},
		"the answer names another one": {"What is left to do before we sail?", "First you paint the hull.", 0},
		"the question names it":        {"When do we mend the keel?", "We mend the keel later.", 0},
		"nothing is asked":             {"OK thanks, go on.", "You could mend the keel.", 0},
	} {
		w := enginetest.New(t)
		observe(t, w, "plan", "user", "TODO: mend the keel")
		tasks := fixture.Tasks(t, w)
		if len(tasks) != 1 {
			t.Fatalf("%d tasks", len(tasks))
		}
		id := tasks[0].Memory.ID
		w.Clock.Advance(time.Minute)
		observe(t, w, "talk", "user", c.question)
		shown, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "talk"})
		if err != nil || !strings.Contains(shown.Text, "(open task) extraction: mend the keel") {
			t.Fatalf("%s: the prompt is %+v, %v", name, shown, err)
		}
		if u := fixture.MustView(w, id).Usage; u.Count != 0 {
			t.Errorf("%s: shown: %+v", name, u)
		}
		observe(t, w, "talk", "assistant", c.answer)
		if u := fixture.MustView(w, id).Usage; u.Count != c.uses || len(u.Sessions) != c.uses {
			t.Errorf("%s: %+v, want %d uses", name, u, c.uses)
		}
	}
}

// Salience rises once a day of use, on reads at once, and is stored by the next sleep only once.
func TestUseRaisesSalienceOnceADay(t *testing.T) {
	w := enginetest.New(t)
	half, third := 0.5, 0.3
	id := w.Remember("The sextant is in the chart room.", func(in *engine.RememberInput) { in.Salience, in.Surprise = &half, &third }).Memory.ID
	want := 0.5
	for range 3 {
		for range 2 {
			w.Search("sextant", track)
		}
		want += 0.05 * 1.3 * (1 - want)
		if got := fixture.MustView(w, id).Salience; math.Abs(got-want) > 1e-9 {
			t.Fatalf("salience %v, want %v", got, want)
		}
		if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
		if got := fixture.MustView(w, id).Salience; math.Abs(got-want) > 1e-9 {
			t.Fatalf("after a sleep: salience %v, want %v", got, want)
		}
		w.Clock.Advance(24 * time.Hour)
	}
}

// A repetition reinforces once a day for each source, and not at all what recall has just served.
func TestRepetitionReinforcesOnceADay(t *testing.T) {
	w := enginetest.New(t)
	const text = "Mara keeps the spare key under the blue pot."
	write := func(source string, kind graph.SourceKind) {
		w.Remember(text, func(in *engine.RememberInput) { in.Type, in.Source, in.SourceKind = graph.Semantic, source, kind })
	}
	id := w.Remember(text, func(in *engine.RememberInput) { in.Type = graph.Semantic }).Memory.ID
	for range 300 {
		write("mallory", graph.FromUser)
	}
	first := fixture.MustView(w, id)
	if first.Usage.Count != 1 || len(first.Usage.Sessions) != 0 {
		t.Fatalf("300 repetitions: %+v", first.Usage)
	}
	write("ben", graph.FromUser)
	if v := fixture.MustView(w, id); v.Usage.Count != 2 || v.Salience != first.Salience {
		t.Errorf("another source: %+v, salience %v, before %v", v.Usage, v.Salience, first.Salience)
	}
	w.Clock.Advance(24 * time.Hour)
	write("mallory", graph.FromUser)
	next := fixture.MustView(w, id)
	if next.Usage.Count != 3 || next.Salience <= first.Salience {
		t.Errorf("on the next day: %+v, salience %v", next.Usage, next.Salience)
	}
	w.Clock.Advance(24 * time.Hour)
	w.Search("Where is the spare key?")
	for _, kind := range []graph.SourceKind{graph.FromUser, graph.FromDocument, graph.FromSystem, graph.FromExtraction, graph.FromTool} {
		for _, source := range []string{"mallory", "carl", string(kind)} {
			write(source, kind)
		}
	}
	if v := fixture.MustView(w, id); v.Usage.Count != 3 || v.Salience != next.Salience || !v.AnchorAt.Equal(next.AnchorAt) {
		t.Errorf("what was served reinforces: %+v, salience %v", v.Usage, v.Salience)
	}
}

func TestFeedbackOutcomes(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	tell := func(outcome engine.FeedbackOutcome) *engine.View {
		t.Helper()
		v, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: ferry, ID: best, Outcome: outcome})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := tell(engine.OutcomeIgnored); v.Usage.Count != 0 {
		t.Errorf("IGNORED: %+v", v.Usage)
	}
	if at, _ := place(w, best, ferry); at < 1 {
		t.Errorf("IGNORED: place %d", at)
	}
	if v := tell(engine.OutcomeUsed); v.Usage.Count != 1 || len(v.Usage.Sessions) != 1 {
		t.Errorf("USED: %+v", v.Usage)
	}
	if at, _ := place(w, best, ferry); at != 0 {
		t.Errorf("USED takes the mark back: place %d", at)
	}
	if v := tell(engine.OutcomeHelped); v.Usage.Count != 1 {
		t.Errorf("HELPED on the same day: %+v", v.Usage)
	}
	before := fixture.MustView(w, best).Memory.Confidence
	tell(engine.OutcomeHarmed)
	if v := tell(engine.OutcomeHarmed); v.Usage.Count != 1 || math.Abs(v.Memory.Confidence-0.95*before) > 1e-9 {
		t.Errorf("HARMED: %+v, confidence %v, before %v", v.Usage, v.Memory.Confidence, before)
	}
	_, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: ferry, ID: best, Outcome: "LIKED"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "outcome")
}

// What was ignored lowers results like it, for similar questions only, to half at most.
func TestIgnoredResultsLowerThoseLikeThem(t *testing.T) {
	w := enginetest.New(t)
	insert := func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }
	ignored := w.Remember("The harbour cafe sells fresh herring on Fridays.", insert).Memory.ID
	like := w.Remember("The harbour cafe sells fresh herrings on Fridays", insert).Memory.ID
	other := w.Remember("Our anchor weighs forty kilos.", insert).Memory.ID
	score := func(id graph.ID, query string) float64 {
		for _, h := range w.Search(query).Hits {
			if h.Memory.ID == id {
				return h.Score
			}
		}
		return 0
	}
	const question = "What does the harbour cafe sell?"
	before, apart := score(like, question), score(like, "Fridays")
	if _, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: question, ID: ignored, Outcome: engine.OutcomeIgnored}); err != nil {
		t.Fatal(err)
	}
	if after := score(like, question); after >= before || after < before/2-1e-9 {
		t.Errorf("the score of a memory like the ignored one is %v, before %v", after, before)
	}
	if after := score(like, "Fridays"); after != apart {
		t.Errorf("for another question %v, before %v", after, apart)
	}
	if s := score(other, "How much does our anchor weigh?"); s == 0 {
		t.Error("another memory is gone")
	}
}

// The relation between two things rises when memories of both are used together, and its strength
// fades on every read.
func TestUsedTogetherRaisesRelations(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("Ana works at Nordlys.", func(in *engine.RememberInput) { in.Entities = []string{"Ana", "Nordlys"} }).Memory
	strength := func() float64 {
		for _, id := range a.Entities {
			list, _, err := w.Relations(t.Context(), w.Caller, engine.RelationInput{Entity: id, Direction: graph.Out, First: 10})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) > 0 {
				return list[0].Strength
			}
		}
		t.Fatal("no relation")
		return 0
	}
	before := strength()
	w.Search("Where does Ana work?", track)
	if after := strength(); math.Abs(after-before-0.01) > 1e-6 {
		t.Errorf("strength %v, before %v", after, before)
	}
	after := strength()
	w.Clock.Advance(90 * 24 * time.Hour)
	if faded := strength(); math.Abs(faded-after/2) > 1e-3 {
		t.Errorf("after a half-life %v, want %v", faded, after/2)
	}
}

// A standing rule that prompts show does not fade, without a use; one that feedback objects to does.
func TestShownRulesDoNotFade(t *testing.T) {
	w := enginetest.New(t)
	procedural := func(in *engine.RememberInput) { in.Type = graph.Procedural }
	rule := w.Remember("Always answer in Dutch.", procedural).Memory.ID
	refused := w.Remember("Never write more than three lines.", procedural).Memory.ID
	if _, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: "How long may a line be?", ID: refused, Outcome: engine.OutcomeIgnored}); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		w.Clock.Advance(10 * 24 * time.Hour)
		if _, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s"}); err != nil {
			t.Fatal(err)
		}
	}
	if v := fixture.MustView(w, rule); v.Retention < 0.99 || v.Usage.Count != 0 {
		t.Errorf("retention %v after 600 days, %+v", v.Retention, v.Usage)
	}
	if v := fixture.MustView(w, refused); v.Retention > 0.1 {
		t.Errorf("objected to: retention %v after 600 days", v.Retention)
	}
}

// The uses that an earlier version counted open no gate.
func TestCountsOfAnEarlierVersionEngraveNothing(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Recess: enginetest.NewFakeArchive()})
	one := 1.0
	id := w.Remember("The sextant is in the chart room.", func(in *engine.RememberInput) { in.Salience, in.Authority, in.Confidence = &one, &one, &one }).Memory.ID
	for range 12 {
		if err := w.Store.CountUses(t.Context(), w.Caller.Scope(), []graph.ID{id}, graph.Use{At: w.Clock.Now()}); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(24 * time.Hour)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	sleep := func() {
		t.Helper()
		if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	sleep()
	v := fixture.MustView(w, id)
	if v.State.Tier == graph.L3 || v.Usage.Count != 12 {
		t.Fatalf("tier %s, %+v", v.State.Tier, v.Usage)
	}
	for day := range 5 {
		if v := fixture.MustView(w, id); v.State.Tier == graph.L3 {
			t.Fatalf("engraved after %d days of use", day)
		}
		w.Search("Where is the sextant?", track)
		w.Clock.Advance(24 * time.Hour)
		sleep()
	}
	if v := fixture.MustView(w, id); v.State.Tier != graph.L3 {
		t.Errorf("after five days of use: tier %s, %+v", v.State.Tier, v.Usage)
	}
}

// An engram without uses in sessions is listed in health and can be released.
func TestUnprovenEngramsAreReleased(t *testing.T) {
	archive := enginetest.NewFakeArchive()
	w := enginetest.With(t, enginetest.Options{Recess: archive})
	m := w.Remember("Somebody whistled on the quay.").Memory
	if _, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		stored, err := tx.Memory(m.ID)
		if err != nil {
			return err
		}
		stored.UpdatedAt = stored.SetState(w.Clock.Now(), func(s *graph.State) { s.Tier = graph.L3 })
		if err := archive.Engrave(t.Context(), w.Caller.Scope(), stored, nil, w.Clock.Now()); err != nil {
			return err
		}
		return tx.PutMemory(stored, graph.EventEngraved)
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	unproven := func() any {
		h, err := w.Health(t.Context(), w.Caller)
		if err != nil {
			t.Fatal(err)
		}
		return h.Details["unprovenEngrams"]
	}
	list, _ := unproven().(map[string]any)
	if list == nil || list["count"] != 1 || list["ids"].([]graph.ID)[0] != m.ID {
		t.Fatalf("health lists %v", list)
	}
	plain := w.Caller
	plain.Admin = false
	_, err := w.ReleaseEngrams(t.Context(), plain, []graph.ID{m.ID})
	fixture.WantError(t, err, graph.CodeForbidden, "")
	_, err = w.ReleaseEngrams(t.Context(), w.Caller, nil)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "ids")
	released, err := w.ReleaseEngrams(t.Context(), w.Caller, []graph.ID{m.ID})
	if err != nil || len(released) != 1 || released[0].State.Tier != graph.L2 {
		t.Fatalf("%+v, %v", released, err)
	}
	if _, err := archive.Read(t.Context(), w.Caller.Scope(), m.ID); err == nil {
		t.Error("it is still in the recess")
	}
	if x := unproven(); x != nil {
		t.Errorf("health still lists %v", x)
	}
}
