package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// How answers should be is in every prompt, with and without a query, also after two years.
func TestHowAnswersShouldBeIsInEveryContext(t *testing.T) {
	w := enginetest.New(t)
	rules := []string{"I prefer bullet points over long paragraphs", "No spoilers, ever", "Keep it short, I read on my phone", "Stop apologising all the time"}
	for _, text := range rules {
		w.Remember(text, by("ana"))
	}
	w.Remember("The train to the museum leaves at nine.", by("ana"))
	for day := range 3 {
		if day > 0 {
			w.Clock.Advance(300 * 24 * time.Hour)
			if _, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Wait: true}); err != nil {
				t.Fatal(err)
			}
		}
		for _, query := range []string{"", "When does the train to the museum leave?"} {
			text := contextOf(w, query).Text
			for _, rule := range rules {
				if !strings.Contains(text, rule) {
					t.Errorf("day %d, %q: no %q in\n%s", 300*day, query, rule, text)
				}
			}
		}
	}
}

// A rule for a time leaves the context when that time is over. An exclamation and what is so in a game were never one.
func TestWhatIsNoRuleAnyMoreLeavesTheContext(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Never have I been so tired.", "In the game you must always roll twice.", "In my novel, never trust the butler."} {
		if m := w.Remember(text, by("ana")).Memory; m.Type == graph.Procedural {
			t.Errorf("%q is a rule", text)
		}
	}
	w.Remember("Don't call me today.", by("ana"))
	w.Remember("Don't call me before nine.", by("ana"))
	if text := contextOf(w, "").Text; !strings.Contains(text, "Don't call me today.") {
		t.Errorf("the rule of today is not in\n%s", text)
	}
	w.Clock.Advance(3 * 24 * time.Hour)
	if text := contextOf(w, "").Text; strings.Contains(text, "call me today") || !strings.Contains(text, "before nine") {
		t.Errorf("three days later the context is\n%s", text)
	}
}
