package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
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
