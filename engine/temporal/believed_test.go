package temporal

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestBelieved(t *testing.T) {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) // a Friday
	for question, want := range map[string]string{
		"What did we believe in February?":                       "2026-02-28",
		"Where did we think Ana lived in March?":                 "2026-03-31",
		"What did you know about the launch last week?":          "2026-11-22",
		"What was known about the pump on 3 March?":              "2026-03-03",
		"Who was believed to own the boat as of 1 May?":          "2026-05-01",
		"Who was the boat thought to belong to in spring?":       "2026-05-31",
		"According to what we knew in March, who was the owner?": "2026-03-31",
		"What did I really think of Lisbon three weeks ago?":     "2026-11-09",
		"What did we assume before April?":                       "2026-03-31",

		"What did we believe?":                          "",
		"What do we believe in February?":               "",
		"What did we say in February?":                  "",
		"What did Ana think about the launch in March?": "",
		"What did we think about the February release?": "",
		"What did we think since March?":                "",
		"What did we think in March or in April?":       "",
		"What did we do in February?":                   "",
		"What happened in February?":                    "",
		"Did we know Ana in the end?":                   "",
		"What will we think next week?":                 "",
		"What did we know today?":                       "",
	} {
		got := ""
		if b, ok := Believed(question, at); ok {
			got = b.Last.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

func TestSubjectOfABelief(t *testing.T) {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for question, want := range map[string]string{
		"Where did we really think Ana lived in March?":          "Where really Ana lived ?",
		"What was known about the pump on 3 March?":              "What about the pump ?",
		"Who was the boat thought to belong to in spring?":       "Who the boat belong to ?",
		"According to what we knew in March, who was the owner?": "According to what , who was the owner?",
		"What did we believe in February?":                       "What ?",
	} {
		if b, ok := Believed(question, at); !ok || b.Subject != want {
			t.Errorf("%s: %q, want %q", question, b.Subject, want)
		}
	}
}

// The share of questions, written after the rules, that are read as what was believed.
func TestBelievedHeldOut(t *testing.T) {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	text, err := os.ReadFile("testdata/beliefs.txt")
	if err != nil {
		t.Fatal(err)
	}
	read, all, wrong := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		kind, question, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, ok := Believed(question, at)
		switch {
		case kind == "yes":
			if all++; ok {
				read++
			} else {
				t.Log("not read:", question)
			}
		case kind == "no" && ok:
			wrong++
			t.Log("wrong:", question)
		}
	}
	t.Logf("read %d of %d, wrong %d", read, all, wrong)
	if read < 24 || wrong > 0 {
		t.Error("less than before")
	}
}
