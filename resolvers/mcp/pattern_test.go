package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// A recall says of a pattern that it is one, and in how many memories it occurs.
func TestRecallNamesPatterns(t *testing.T) {
	s := start(t)
	texts := []string{"On day %d Ada said that the winch must never run above 12 knots of wind.", "On day %d we heard that the winch must never run above 12 knots of wind."}
	for i := range 40 {
		_, err := s.Engine.Remember(t.Context(), s.Caller, engine.RememberInput{Content: fmt.Sprintf(texts[i%2], i), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Hour)
	}
	s.Clock.Advance(24 * time.Hour)
	if _, err := s.Engine.Sleep(t.Context(), s.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	text := s.connect("/mcp", nil).ok("recall", object{"query": "Above which wind must the winch never run?"})
	if !strings.Contains(text, ` pattern, 40 occurrences: "The winch must never run above 12 knots`) {
		t.Errorf("the recall is\n%s", text)
	}
}
