package recall

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
		if ordinary(question) != want {
			t.Errorf("%q: %v", question, !want)
		}
	}
}
