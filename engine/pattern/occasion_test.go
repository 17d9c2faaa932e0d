package pattern

import (
	"slices"
	"testing"
)

// One person is no condition of a workflow, and occasions of one kind are one condition.
func TestTheOccasionOfAWorkflowIsThatOfSeveralSources(t *testing.T) {
	steps := "created the account, then ordered the laptop, then booked the training."
	for want, leads := range map[string][]string{
		"":            {"For Kofi: first ", "Onboarded Tim: first ", "Lena's start: first ", "First "},
		"Release day": {"Release day: first ", "Release 2.4: first ", "Shipped 2.5: first ", "Release 2.6: first "},
		"New hire":    {"New hire: first ", "New hire: first ", "For Ada: first ", "First "},
	} {
		var texts []string
		for _, lead := range leads {
			texts = append(texts, lead+steps)
		}
		found, refused := Find(onOwnDays(t, 0, .8, texts...), nil)
		if len(found) != 1 || len(found[0].Actions) != 3 || want == "" && len(found[0].Conditions) > 0 || want != "" && !slices.Equal(found[0].Conditions, []string{want}) {
			t.Errorf("%q: %+v, refused %+v", leads, found, refused)
		}
	}
}
