package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/graph"
)

const day = 24 * time.Hour

// changed returns a world with a statement of 12 March 2026, one that revises it eighteen days later, and other memories, on 11 April.
func changed(t *testing.T, earlier, later string) (w *enginetest.World, old, now, pipe graph.ID) {
	t.Helper()
	w = enginetest.New(t)
	w.Clock.Advance(time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC).Sub(w.Clock.Now()))
	old = said(w, earlier, day)
	said(w, "The weather was awful all weekend.", 17*day)
	now = said(w, later, 9*day)
	pipe = said(w, "On 14 March a pipe burst in the cellar.", 3*day)
	m, err := w.Engine.Memory(t.Context(), w.Caller, old, engine.Access{})
	if err != nil || m.State.Status != graph.Superseded || m.SupersededBy != now {
		t.Fatalf("%q does not revise %q: %+v, %v", later, earlier, m, err)
	}
	return w, old, now, pipe
}

func asAna(in *engine.SearchInput) { in.User = "ana" }

func promptFor(t *testing.T, w *enginetest.World, query string) string {
	t.Helper()
	r, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", User: "ana", Query: query})
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

var changes = []struct {
	earlier, later string
	present        string
	past           []string
}{
	{"I work at Corvid.", "I work at Lumen now.", "Where do I work?", []string{"Where did I work on 20 March?", "Where did I work in March?", "Where did I work before?", "Where did I use to work?", "Where did I work before Lumen?"}},
	{"My physiotherapist is Mr Okoro.", "My physiotherapist is Mrs Haas now.", "Who is my physiotherapist?", []string{"Who was my physiotherapist in March?", "Who was my physiotherapist before Mrs Haas?", "Who used to be my physiotherapist?"}},
	{"The parts list is kept on the server heron.", "The parts list is kept on the server egret now.", "On which server is the parts list kept?", []string{"On which server was the parts list kept on 15 March 2026?", "On which server was the parts list kept previously?"}},
	{"The firmware of the buoy is version 1.8.", "The firmware of the buoy is version 1.9 now.", "Which version is the firmware of the buoy?", []string{"Which version was the firmware of the buoy in the middle of March?", "Which version was the firmware of the buoy before 1.9?"}},
	{"We rehearse on Tuesdays.", "We rehearse on Thursdays now.", "On which day do we rehearse?", []string{"On which day did we use to rehearse?", "On which day did we rehearse in March?"}},
	{"Edda leads the choir.", "Jonas leads the choir now.", "Who leads the choir?", []string{"Who led the choir on 18 March?", "Who led the choir formerly?"}},
}

// A question about what was so at a time, or before, is answered by the statement that held then, although it was superseded since.
func TestWhatWasSoComesFirst(t *testing.T) {
	for _, x := range changes {
		w, old, now, _ := changed(t, x.earlier, x.later)
		for _, question := range x.past {
			r := w.Search(question, asAna)
			if placeOf(r, old) != 0 || r.Hits[0].Label != recall.Historical || r.Hits[0].Memory.State.ValidTo.IsZero() {
				t.Errorf("%q: %v", question, labels(r))
			}
			text := promptFor(t, w, question)
			then, since := strings.Index(text, x.earlier), strings.Index(text, x.later)
			if then < 0 || since >= 0 && since < then || !strings.Contains(text, "2026-03-12 (changed since 2026-03-30)") {
				t.Errorf("%q: %s", question, text)
			}
		}
		r := w.Search(x.present, asAna)
		if placeOf(r, now) != 0 || placeOf(r, old) >= 0 || strings.Contains(promptFor(t, w, x.present), x.earlier) {
			t.Errorf("%q: %v", x.present, labels(r))
		}
	}
}

// Other questions do not look at what was superseded, and a question about the past keeps its other hits.
func TestWhatWasSoIsAddedToOtherHits(t *testing.T) {
	w, old, now, pipe := changed(t, "I work at Corvid.", "I work at Lumen now.")
	for _, question := range []string{"Where do I work?", "Where will I work on 1 June?", "What should I do at work before noon?", "Where did I work on 10 April?", "What happened in March?", "What happened on 14 March?"} {
		if r := w.Search(question, asAna); placeOf(r, old) >= 0 {
			t.Errorf("%q: %v", question, labels(r))
		}
	}
	if r := w.Search("What happened in March?", asAna); placeOf(r, pipe) < 0 {
		t.Errorf("told later: %v", labels(r))
	}
	if r := w.Search("Where did the pipe burst in March?", asAna); placeOf(r, pipe) != 0 {
		t.Errorf("told later: %v", labels(r))
	}
	if r := w.Search("Where did I work in March?", asAna); placeOf(r, pipe) < 0 {
		t.Errorf("dropped: %v", labels(r))
	}
	explicit := func(in *engine.SearchInput) { in.User, in.Access.AsOf.Recorded = "ana", w.Clock.Now() }
	if r := w.Search("Where did I work in March?", explicit); placeOf(r, old) >= 0 {
		t.Errorf("an instant of the caller: %v", labels(r))
	}
	active := func(in *engine.SearchInput) { in.User, in.Statuses = "ana", []graph.Status{graph.Active} }
	if r := w.Search("Where did I work before?", active); placeOf(r, old) >= 0 || placeOf(r, now) != 0 {
		t.Errorf("statuses of the caller: %v", labels(r))
	}
}

// Of several earlier statements the last comes first, the first if the question asks for it, and what was before a value comes before it.
func TestWhatWasSoBeforeSeveralChanges(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for _, tea := range []string{"My favourite tea is rooibos.", "My favourite tea is sencha now.", "My favourite tea is lapsang now."} {
		ids = append(ids, said(w, tea, 10*day))
	}
	for question, want := range map[string][]int{
		"What was my favourite tea before?":         {1, 0, 2},
		"What was my favourite tea before lapsang?": {1, 0, 2},
		"What was my favourite tea before sencha?":  {0, 1, 2},
		"What was my favourite tea originally?":     {0, 1, 2},
		"What is my favourite tea?":                 {2},
	} {
		var got []int
		for _, h := range w.Search(question, asAna).Hits {
			got = append(got, slices.Index(ids, h.Memory.ID))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

// A part of a memory that was revised is printed to a question about the past.
func TestAPartThatWasSo(t *testing.T) {
	w := enginetest.New(t)
	both := said(w, "I work at Corvid and I live in Ghent.", 10*day)
	later := said(w, "I live in Antwerp now.", 10*day)
	r := w.Search("Where did I live before?", asAna)
	if len(r.Hits) != 2 || r.Hits[0].Memory.ID != both || r.Hits[1].Memory.ID != later {
		t.Errorf("%v", labels(r))
	}
	if text := promptFor(t, w, "Where did I live before?"); !strings.Contains(text, "live in Ghent") || strings.Index(text, "Ghent") > strings.Index(text, "Antwerp") {
		t.Error(text)
	}
	if text := promptFor(t, w, "Where do I live?"); strings.Contains(text, "live in Ghent") {
		t.Error(text)
	}
}

// What was corrected never was, what was erased is gone, and what needs consent stays withheld.
func TestWhatNeverWasSo(t *testing.T) {
	w := enginetest.New(t)
	said(w, "My son's teacher is Mr Abara.", 10*day)
	right := said(w, "No, my son's teacher is Mrs Lund, not Mr Abara.", 10*day)
	if r := w.Search("Who was my son's teacher before?", asAna); len(r.Hits) != 1 || r.Hits[0].Memory.ID != right {
		t.Errorf("corrected: %v", labels(r))
	}

	w = enginetest.New(t)
	old := w.Remember("I work at Corvid.", func(in *engine.RememberInput) { in.User, in.Consent = "ana", graph.ConsentImplicit }).Memory.ID
	w.Clock.Advance(20 * day)
	said(w, "I work at Lumen now.", 20*day)
	question := "Where did I work before?"
	if r := w.Search(question, asAna); placeOf(r, old) != 0 {
		t.Errorf("with any consent: %v", labels(r))
	}
	explicit := func(in *engine.SearchInput) { in.User, in.Access.RequireConsent = "ana", true }
	if r := w.Search(question, explicit); len(r.Hits) != 1 || placeOf(r, old) >= 0 {
		t.Errorf("without consent: %v", labels(r))
	}
	if r := w.Search(question, func(in *engine.SearchInput) { in.User = "ben" }); len(r.Hits) > 0 {
		t.Errorf("of another user: %v", labels(r))
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{old}}); err != nil {
		t.Fatal(err)
	}
	if r := w.Search(question, asAna); placeOf(r, old) >= 0 {
		t.Errorf("erased: %v", labels(r))
	}
}

// "Have I ever …?" asks for what was so at any time.
func TestAQuestionWithEverFindsWhatWasSuperseded(t *testing.T) {
	for _, x := range []struct{ old, now, question string }{
		{"I live in Oslo", "I moved to Bergen", "Have I ever lived in Oslo?"},
		{"I work at Siemens", "I work at Vodafone now", "Have I ever worked at Siemens?"},
	} {
		w := enginetest.New(t)
		old := said(w, x.old, 40*24*time.Hour)
		said(w, x.now, time.Hour)
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if p := placeOf(r, old); p < 0 || r.Hits[p].Label != engine.Historical {
			t.Errorf("%q: at %d of %d", x.question, p, len(r.Hits))
		}
	}
}
