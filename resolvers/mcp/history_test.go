package mcp_test

import (
	"strings"
	"testing"
	"time"
)

// A fact is printed in the words that say it.
func TestFactsAreSentences(t *testing.T) {
	s := start(t)
	c := s.connect("/mcp?user=ana", nil)
	said := []string{
		"I like my coffee black.", "I don't like milk in my coffee.", "I never drink cola.", "I prefer that the window stays open.", "I want my reports in PDF.",
		"I would rather take the train than fly.", "I'd love a seat at the aisle.", "I can't stand loud music.",
	}
	for _, x := range said {
		c.ok("remember", object{"text": x, "quote": x})
	}
	text := c.ok("history", object{"subject": "user"})
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		_, words, _ := strings.Cut(line, ": ")
		known := false
		for _, x := range said {
			known = known || words == `"`+x+`"`
		}
		if !known || !strings.HasPrefix(line, "- from 2026-") || !strings.Contains(line, " id=") {
			t.Errorf("history prints %q", line)
		}
	}
	if len(lines) < 5 || strings.Contains(text, "|") {
		t.Errorf("history prints %q", text)
	}
}

// A text that says several things is one line, unless a part of it is over: then each part has its times. A long text, and what a
// person corrected, have the words of the fact.
func TestFactsOfOneText(t *testing.T) {
	s := start(t)
	c := s.connect("/mcp?user=ana", nil)
	both := "I live in Oslo and I work at Bosch."
	made := id(t, c.ok("remember", object{"text": both, "quote": both}))
	if text := c.ok("history", object{"subject": "user"}); strings.Count(text, "\n") != 1 || !strings.Contains(text, both) {
		t.Errorf("both facts: %q", text)
	}
	s.Clock.Advance(48 * time.Hour)
	c.ok("remember", object{"text": "I work at Siemens now.", "quote": "I work at Siemens now"})
	text := c.ok("history", object{"subject": "user"})
	for _, want := range []string{`[PAST] id=` + made + `: "I work at Bosch"`, `id=` + made + `: "I live in Oslo"`, `: "I work at Siemens now."`} {
		if !strings.Contains(text, want) {
			t.Errorf("a part is over: %q lacks %q", text, want)
		}
	}
	if text := c.ok("history", object{"subject": "user", "asOf": "today"}); strings.Contains(text, "Bosch") || !strings.Contains(text, "Oslo") {
		t.Errorf("as of today: %q", text)
	}
	long := "Mia repairs clocks. " + strings.Repeat("The day was long and the weather was fine. ", 10)
	c.ok("remember", object{"text": long, "quote": long})
	if text := c.ok("history", object{"subject": "Mia"}); !strings.Contains(text, `: "Mia repairs clocks"`) || len(text) > 200 {
		t.Errorf("a long text: %q", text)
	}
	c.ok("graphql", object{"query": `mutation($t: String!) { remember(input: {content: $t, user: "ana", consent: EXPLICIT, subject: "Zorba", predicate: "lives in", object: "Corfu"}) { memory { id } } }`,
		"variables": object{"t": strings.Repeat("The ferry was late and the sea was rough. ", 10)}})
	if text := c.ok("history", object{"subject": "Zorba"}); !strings.Contains(text, `: "Zorba lives in Corfu"`) || len(text) > 200 {
		t.Errorf("a fact that was given beside a long text: %q", text)
	}
	city := c.ok("graphql", object{"query": `{ facts(subject: "user", user: "ana", predicate: "lives in") { id } }`})
	_, claim, _ := strings.Cut(city, `"id":"`)
	claim, _, _ = strings.Cut(claim, `"`)
	c.ok("graphql", object{"query": `mutation($id: ID!) { correctClaim(id: $id, object: "Bergen") { id } }`, "variables": object{"id": claim}})
	if text := c.ok("history", object{"subject": "user"}); !strings.Contains(text, `: "ana lives in Bergen"`) {
		t.Errorf("a corrected fact: %q", text)
	}
}

func TestHistoryOfASubject(t *testing.T) {
	c := start(t).connect("/mcp?user=ana", nil)
	c.ok("remember", object{"text": "I live in Oslo.", "quote": "I live in Oslo."})
	text := c.ok("history", object{"subject": "user"})
	if !strings.Contains(text, "Oslo") {
		t.Errorf("history of the user says %q", text)
	}
	if text := c.ok("history", object{"subject": "Mount Nowhere"}); !strings.HasPrefix(text, "Nothing is known") {
		t.Errorf("history of something unknown says %q", text)
	}
}
