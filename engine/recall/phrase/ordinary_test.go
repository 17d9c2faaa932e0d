package phrase

import "testing"

func TestOrdinaryQuestionsAreToldFromTextsWithoutMeaning(t *testing.T) {
	for question, want := range map[string]bool{
		"Why was the site down?":                true,
		"What plumbing trouble does Ulla have?": true,
		"Who visits us midweek?":                true,
		"When do we begin?":                     true,
		"Where is the blimmerstock?":            false,
		"Tell me the grolk.":                    false,
		"How tall is the umbrik of Zeel?":       false,
		"plim plam plum":                        false,
		"asdkjh asdkjh":                         false,
		"the of with from under":                false,
	} {
		if Ordinary(question) != want {
			t.Errorf("%q: %v", question, !want)
		}
	}
}

func TestStrangeTextsHaveNoKnownWord(t *testing.T) {
	for text, want := range map[string]bool{
		"Where is the blimmerstock?": true,
		"mxyzptlk":                   true,
		"Tell me the grolk.":         false,
		"the landlord":               false,
	} {
		if Strange(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestTheMatterOfAQuestionHasNoQuantifiers(t *testing.T) {
	if got := Matter("Where are all the pfenks and both Keys?"); got != "Where are the pfenks and Keys" {
		t.Error(got)
	}
}
