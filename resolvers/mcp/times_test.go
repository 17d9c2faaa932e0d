package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Times are accepted as a model writes them, by the clock of the server. The answer says how they were read.
func TestTimesInWords(t *testing.T) {
	s := start(t)
	c := s.connect("/mcp?user=ana", nil)
	first := id(t, c.ok("remember", object{"text": "I live in Oslo.", "quote": "I live in Oslo."}))
	began := s.Clock.Now()
	s.Clock.Advance(10 * 24 * time.Hour)
	c.ok("correct", object{"id": first, "text": "I live in Turku."})
	day := func(days int) time.Time {
		y, m, d := s.Clock.Now().AddDate(0, 0, days).UTC().Date()
		return time.Date(y, m, d, 23, 59, 59, 0, time.UTC)
	}
	for words, want := range map[string]struct {
		at   time.Time
		city string
	}{
		"yesterday":  {day(-1), "Oslo"},
		"a week ago": {day(-7), "Oslo"},
		began.AddDate(0, 0, 1).Format(time.DateOnly): {day(-9), "Oslo"},
		"today":                         {day(0), "Turku"},
		s.Clock.Now().Format("2006-01"): {day(0), "Turku"},
		began.Add(time.Hour).Format(time.RFC3339): {began.Add(time.Hour), "Oslo"},
		"a year ago": {s.Clock.Now().AddDate(-1, 0, 0), ""},
	} {
		head := "As of " + want.at.UTC().Format(time.RFC3339) + ":\n"
		if want.city == "" {
			head = "As of " + want.at.UTC().Format(time.DateOnly) + "T23:59:59Z:\n"
		}
		for tool, args := range map[string]object{"recall": {"query": "Where do I live?"}, "history": {"subject": "user"}} {
			args["asOf"] = words
			text := c.ok(tool, args)
			if !strings.HasPrefix(text, head) || strings.Contains(text, "Oslo") != (want.city == "Oslo") || strings.Contains(text, "Turku") != (want.city == "Turku") {
				t.Errorf("%s as of %s: %q, want %q and %q", tool, words, text, head, want.city)
			}
		}
	}
	for words, want := range map[string]time.Time{"tomorrow": day(1), "in two weeks": day(14), day(3).Format(time.DateOnly): day(3), "next " + day(5).Weekday().String(): day(5)} {
		text := c.ok("remember", object{"text": "The pontoon " + words + " carries number " + words + ".", "until": words})
		m, err := s.Engine.Memory(t.Context(), s.Caller, graph.ID(id(t, text)), engine.Access{})
		if err != nil || !m.State.ValidTo.Truncate(time.Second).Equal(want) || !strings.Contains(text, "It is true until "+want.Format(time.RFC3339)+".") {
			t.Errorf("until %s: %q, %v, %v, want %s", words, text, m, err, want)
		}
	}
}

// Each declaration of a time says what is accepted.
func TestDeclarationsOfTimes(t *testing.T) {
	r, err := start(t).connect("/mcp", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, tool := range r.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"asOf", "until"} {
			_, declared, there := strings.Cut(string(raw), `"`+name+`":{`)
			if !there {
				continue
			}
			found++
			declared, _, _ = strings.Cut(declared, "}")
			if !strings.Contains(declared, "RFC 3339, a day (2026-03-01)") || !strings.Contains(declared, `"type":"string"`) {
				t.Errorf("%s.%s is declared as %s", tool.Name, name, declared)
			}
		}
	}
	if found != 3 {
		t.Errorf("%d times are declared, want 3", found)
	}
}
