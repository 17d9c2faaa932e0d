package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// The time of which a statement tells is that of its fact and of its memory, and ends what it replaces. When it was recorded stays.
func TestFactsHoldFromTheTimeThatIsTold(t *testing.T) {
	day := func(text string) time.Time {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, x := range []struct {
		text, predicate, fact string
		from, to              string // of the memory and of the fact; to may be open
	}{
		{"I moved to Bergen in March.", "lives in", "ana | lives in | Bergen", "2031-03-01", ""},
		{"I moved to Bergen on 3 March.", "lives in", "ana | lives in | Bergen", "2031-03-03", ""},
		{"I joined Aker in 2029.", "works at", "ana | works at | Aker", "2029-01-01", ""},
		{"I've lived in Bergen since 2029.", "lives in", "ana | lives in | Bergen", "2029-01-01", ""},
		{"I have worked at Aker since January.", "works at", "ana | works at | Aker", "2031-01-01", ""},
		{"We have used Postgres since March 2030.", "uses", "ana | uses | Postgres", "2030-03-01", ""},
		{"I worked at Aker from 2019 to 2022.", "works at", "ana | worked at | Aker", "2019-01-01", "2023-01-01"},
		{"I lived in Kiel between 2010 and 2014.", "lives in", "ana | lived in | Kiel", "2010-01-01", "2015-01-01"},
	} {
		w := enginetest.New(t)
		w.Clock.Advance(day("2031-06-01").Add(10 * time.Hour).Sub(w.Clock.Now()))
		m := w.Remember(x.text, byUser("ana")).Memory
		if !m.ValidFrom.Equal(day(x.from)) || !m.RecordedAt.Equal(m.OccurredAt) || m.OccurredAt.Before(day("2031-06-01")) {
			t.Errorf("%q is valid from %s, occurred at %s, was recorded at %s", x.text, m.ValidFrom, m.OccurredAt, m.RecordedAt)
		}
		at := func(instant time.Time) engine.FactsInput {
			return engine.FactsInput{Subject: "ana", Predicate: x.predicate, Access: engine.Access{AsOf: graph.AsOf{Valid: instant}}}
		}
		want(w, x.text+" before", at(day(x.from).Add(-time.Hour)))
		want(w, x.text+" then", at(day(x.from).AddDate(0, 0, 1)), x.fact)
		if x.to != "" {
			want(w, x.text+" at the end", at(day(x.to).Add(-time.Hour)), x.fact)
			want(w, x.text+" after", at(day(x.to)))
		}
	}
}

func TestWhatIsToldEndsTheEarlierFactThen(t *testing.T) {
	w := enginetest.New(t)
	w.Clock.Advance(time.Date(2031, 1, 10, 10, 0, 0, 0, time.UTC).Sub(w.Clock.Now()))
	w.Remember("I live in Oslo.", byUser("ana"))
	w.Clock.Advance(150 * 24 * time.Hour)
	w.Remember("I moved to Bergen in March.", byUser("ana"))
	for _, x := range []struct {
		at   time.Time
		fact string
	}{
		{time.Date(2031, 2, 28, 12, 0, 0, 0, time.UTC), "ana | lives in | Oslo"},
		{time.Date(2031, 3, 2, 0, 0, 0, 0, time.UTC), "ana | lives in | Bergen"},
		{w.Clock.Now(), "ana | lives in | Bergen"},
	} {
		want(w, x.at.String(), engine.FactsInput{Subject: "ana", Predicate: "lives in", Access: engine.Access{AsOf: graph.AsOf{Valid: x.at}}}, x.fact)
	}
}
