package reader

import "testing"

// A transfer inside an organisation changes where somebody works, and not where they live.
func TestATransferIsNoChangeOfResidence(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		revises, both  bool
	}{
		{"Paloma lives in Turin.", "Paloma was moved to the field unit.", false, true},
		{"Paloma lives in Turin.", "Paloma moved to the finance team.", false, true},
		{"Paloma lives in Turin.", "Paloma moved to the Lisbon office.", false, true},
		{"Paloma lives in Turin.", "Paloma was transferred to the night desk.", false, true},
		{"I live in Turin.", "I moved to a different role.", false, true},
		{"I live in Turin.", "I've been moved to the data department.", false, true},
		{"Paloma lives in Turin.", "Paloma moved to Oslo.", true, false},
		{"Paloma lives in Turin.", "Paloma moved to a house by the sea.", true, false},
		{"I am in the sales team.", "I moved to the finance team.", true, false},
		{"I live in flat 3.", "I moved to unit 5.", true, false},
	} {
		r := Relate(Statement{Text: c.earlier, Speaker: "ana"}, Statement{Text: c.later, Speaker: "ana"})
		if r.Certainty >= Revises != c.revises || r.Certainty < Rivals != c.both {
			t.Errorf("%q, %q: %.2f", c.earlier, c.later, r.Certainty)
		}
	}
}
