package extract_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

func TestDone(t *testing.T) {
	for _, x := range []struct {
		task, text string
		want       bool
	}{
		{"call grandma", "I called grandma", true},
		{"file tax", "I've finally filed my taxes yesterday.", true},
		{"file tax", "The taxes are filed.", true},
		{"send report to finance", "We sent the report to Finance this morning, phew.", true},
		{"send report to finance", "The report has been sent to finance.", true},
		{"book dentist", "Good news: I booked the dentist for Monday.", true},
		{"pay electricity bill", "I have already paid the electricity bill", true},
		{"call grandma", "I called mum", false},
		{"call grandma", "Grandma called", false},
		{"call grandma", "I haven't called grandma", false},
		{"call grandma", "I never called grandma", false},
		{"call grandma", "I wish I called grandma more often", false},
		{"call grandma", "If I called grandma she would be glad", false},
		{"call grandma", "Have I called grandma?", false},
		{"call grandma", "TODO: call grandma", false},
		{"send report to finance", "I sent the report to Lina.", false},
		{"file tax", "The taxes are not filed.", false},
		{"file tax", "My brother filed his taxes.", false},
		{"call", "I called", false},
	} {
		var lemmas []string
		for word := range strings.FieldsSeq(x.task) {
			lemmas = append(lemmas, english.Lemma(word))
		}
		if got := extract.Done(lemmas, x.text); got != x.want {
			t.Errorf("%q, %q: %v", x.task, x.text, got)
		}
	}
}
