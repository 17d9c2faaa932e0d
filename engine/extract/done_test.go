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
		{"pay rent", "The rent isn't paid.", false},
		{"file tax", "The taxes aren't filed yet.", false},
		{"file tax", "The taxes must be filed by Friday.", false},
		{"pay rent", "The rent will be paid tomorrow.", false},
		{"file tax", "The taxes have to be filed.", false},
		{"file tax", "The taxes can be filed online.", false},
		{"pay rent", "I need the rent to be paid.", false},
		{"file tax", "Please make sure the taxes are filed.", false},
		{"file tax", "I will call as soon as the taxes are filed.", false},
		{"file tax", "I doubt the taxes are filed.", false},
		{"call grandma", "I dreamt that I called grandma.", false},
		{"pay rent", "I thought I paid the rent.", false},
		{"pay rent", "I paid no rent.", false},
		{"file tax", "Taxes are filed in April here.", false},
		{"pay rent", "The rent is paid monthly.", false},
		{"send report to finance", "The report is sent to finance every Monday.", false},
		{"file tax", "My brother's taxes are filed.", false},
		{"pay rent", "I paid for lunch but the rent is still open.", false},
		{"call grandma", "I called a friend of grandma.", false},
		{"call grandma", "I called grandma, nobody picked up.", false},
		{"pay rent", "Yes, I paid the rent.", true},
		{"update doc", "I updated the docs of another project.", false},
		{"call bank", "I called the bank twice but nobody answered.", false},
		{"update doc", "I updated the docs this morning.", true},
		{"update doc", "The docs are updated.", true},
		{"pay electricity bill", "Our electricity bill was paid today", true},
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
