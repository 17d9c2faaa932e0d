package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// inFebruary returns a world on 1 February 2031.
func inFebruary(t *testing.T) *enginetest.World {
	w := enginetest.New(t)
	w.Clock.Advance(time.Date(2031, 2, 1, 9, 0, 0, 0, time.UTC).Sub(w.Clock.Now()))
	return w
}

// factsAt returns what is believed about a subject on a day of March 2031, as "predicate object"; day 0 is now.
func factsAt(w *enginetest.World, subject string, day int) string {
	w.T.Helper()
	in := engine.FactsInput{Subject: subject}
	if day > 0 {
		in.Access.AsOf.Valid = time.Date(2031, 3, day, 12, 0, 0, 0, time.UTC)
	}
	found, err := w.Facts(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatal(err)
	}
	var out []string
	for _, x := range found {
		if !x.State.Negated {
			out = append(out, x.State.Predicate+" "+x.State.Object)
		}
	}
	return strings.Join(out, "; ")
}

// A plan that gets another day holds on that day only.
func TestAPlanThatSlipsHoldsOnItsNewDay(t *testing.T) {
	const plan = "The release is planned for 3 March."
	for _, x := range []struct{ earlier, later, subject, fact string }{
		{plan, "The release was postponed to 17 March.", "release", "is planned for 17 March"},
		{plan, "The release was pushed back to 17 March.", "release", "is planned for 17 March"},
		{plan, "The release has been brought forward to 1 March.", "release", "is planned for 1 March"},
		{plan, "The release is delayed until 17 March.", "release", "is planned for 17 March"},
		{plan, "The release slipped to 17 March.", "release", "is planned for 17 March"},
		{plan, "The release was rescheduled for 17 March.", "release", "is planned for 17 March"},
		{plan, "We moved the release to 17 March.", "release", "is planned for 17 March"},
		{plan, "The release has been put off until 17 March.", "release", "is planned for 17 March"},
		{"The release will be on 3 March.", "The release was postponed to 17 March.", "release", "is planned for 17 March"},
		{"We will ship version 2 on 3 March.", "Version 2 slipped to 17 March.", "version 2", "is planned for 17 March"},
		{"The exam is on 9 March.", "The exam was postponed from 9 March to 16 March.", "exam", "is planned for 16 March"},
		{"The deadline is 3 March.", "They pushed the deadline back to 17 March.", "deadline", "is 17 March"},
	} {
		w := inFebruary(t)
		old := says(w, x.earlier, by("ana", "s1")).Memory.ID
		r := says(w, x.later, by("ana", "s2"))
		if m := view(w, old); m.Status() != graph.Superseded || m.Memory.SupersededBy != r.Memory.ID {
			t.Errorf("%q: the plan is %s", x.later, m.Status())
		}
		for _, day := range []int{0, 5, 20} {
			if got := factsAt(w, x.subject, day); got != x.fact {
				t.Errorf("%q: on day %d of March %q, want %q", x.later, day, got, x.fact)
			}
		}
	}
}

// What says nothing for sure of the day of a plan leaves it.
func TestAPlanKeepsItsDay(t *testing.T) {
	for _, later := range []string{
		"The release might be postponed to 17 March.",
		"Was the release postponed to 17 March?",
		"If the release slips to 17 March, we lose the customer.",
		"The release was not postponed to 17 March.",
		"The concert was postponed to 17 March.",
		"We moved the release to the staging cluster.",
	} {
		w := inFebruary(t)
		old := says(w, "The release is planned for 3 March.", by("ana", "s1")).Memory.ID
		says(w, later, by("ana", "s2"))
		if m := view(w, old); m.Status() != graph.Active {
			t.Errorf("%q: the plan is %s", later, m.Status())
		}
		if got := factsAt(w, "release", 20); !strings.HasSuffix(got, "is planned for 3 March") || strings.Contains(got, "17 March") {
			t.Errorf("%q: %q", later, got)
		}
	}
	w := inFebruary(t)
	old := says(w, "The release is planned for 3 March.", by("ana", "s1")).Memory.ID
	says(w, "The release was postponed to 17 March.", by("", "s2", func(in *engine.RememberInput) { in.SourceKind = graph.FromAssistant }))
	if m := view(w, old); m.Status() != graph.Active {
		t.Errorf("an assistant moved the plan: %s", m.Status())
	}
}

// What a plan ends holds until the plan's new day, and until the first one again after the revision is undone.
func TestWhatAPlanEndsHoldsUntilItsNewDay(t *testing.T) {
	for _, x := range [][5]string{
		{"I work at Bosch.", "I will start at Siemens on 3 March.", "I will start at Siemens on 17 March instead.", "works at Bosch", "works at Siemens"},
		{"I live in Graz.", "I'm moving to Berlin on 3 March.", "I'm moving to Berlin on 17 March instead.", "lives in Graz", "lives in Berlin"},
	} {
		w := inFebruary(t)
		var later graph.ID
		for i, text := range x[:3] {
			later = says(w, text, by("ana", fmt.Sprint("s", i))).Memory.ID
		}
		if got := factsAt(w, "ana", 5); got != x[3] {
			t.Errorf("%q: on 5 March %q, want %q", x[2], got, x[3])
		}
		if got := factsAt(w, "ana", 20); got != x[4] {
			t.Errorf("%q: on 20 March %q, want %q", x[2], got, x[4])
		}
		if _, err := w.UndoRevision(t.Context(), w.Caller, later); err != nil {
			t.Fatal(err)
		}
		if got := factsAt(w, "ana", 5); got != x[4] {
			t.Errorf("%q was undone: on 5 March %q, want %q", x[2], got, x[4])
		}
	}
}
