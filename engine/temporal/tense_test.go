package temporal

import "testing"

func TestTenseOf(t *testing.T) {
	for question, want := range map[string]Tense{
		"":                                  Present,
		"Where does Ana live?":              Present,
		"How old is Ana?":                   Present,
		"Who rented the old house?":         Before,
		"When did Ana move?":                Happened,
		"What was in the crate?":            Happened,
		"Where did Ana live before Lisbon?": Before,
		"Where did Ana use to live?":        Before,
		"What was the rent originally?":     Before,
		"Who is the former treasurer?":      Before,
	} {
		if got := TenseOf(question); got != want {
			t.Errorf("%q: %d, want %d", question, got, want)
		}
	}
}
