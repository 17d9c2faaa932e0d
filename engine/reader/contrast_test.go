package reader

import (
	"slices"
	"testing"
)

func TestContrasts(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		from, to       float64 // bounds of the certainty
		kind           Kind
	}{
		{"I prefer green tea.", "I prefer black coffee now instead of green tea.", 0.9, 1, Changed},
		{"I prefer black coffee now instead of green tea.", "I prefer green tea again, not black coffee.", 0.9, 1, Changed},
		{"We deploy on Fridays.", "We deploy on Mondays rather than on Fridays.", 0.9, 1, Changed},
		{"My birthday is on 3 May.", "My birthday is on 5 May, not on 3 May.", Revises, 1, Changed},
		{"My birthday is on 5 May, not on 3 May.", "My birthday is on 3 May after all, not on 5 May.", Revises, 1, Changed},
		{"I drink tea.", "At work I drink coffee, not tea.", 0, Revises, Compatible},
		{"I drink tea.", "My sister drinks coffee, not tea.", 0, Rivals, Compatible},
		{"I drink tea.", "Should I drink coffee instead of tea?", 0, Rivals, Compatible},
		// "No longer" says that it was so.
		{"I work at Siemens.", "I no longer work at Siemens, I work at Equinor now.", Revises, 1, Changed},
		{"I like olives.", "I no longer like olives.", Revises, 1, Changed},
	} {
		r := Relate(Statement{Text: c.earlier, Speaker: "ana"}, Statement{Text: c.later, Speaker: "ana"})
		if r.Certainty < c.from || r.Certainty >= c.to || c.from >= Revises && r.Kind != c.kind {
			t.Errorf("%v %.2f %s: %s => %s", r.Kind, r.Certainty, r.Veto, c.earlier, c.later)
		}
	}
}

// Two attributes of one person have nothing to do with each other, whatever words of change a
// statement has.
func TestOtherAttributes(t *testing.T) {
	for _, p := range [][2]string{
		{"I prefer green tea.", "I live in Bergen now."},
		{"I prefer green tea.", "I no longer work at Siemens, I work at Equinor now."},
		{"I moved to Bergen.", "I work at Equinor now."},
		{"I live in Bergen.", "I no longer work at Siemens."},
		{"I like olives.", "I no longer eat meat."},
	} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"}); r.Certainty >= Rivals {
			t.Errorf("%v %.2f: %s => %s", r.Kind, r.Certainty, p[0], p[1])
		}
	}
}

func TestContrastsAreNoPartOfAClaim(t *testing.T) {
	for text, want := range map[string][]string{
		"I prefer black coffee now instead of green tea.":     {"black coffee"},
		"I prefer green tea, not black coffee, in the summer": {"green tea"},
		"My birthday is on 3 May after all, not on 5 May.":    {"3 May"},
		"I no longer work at Siemens, I work at Equinor now.": {"Siemens", "Equinor"},
		"I no longer live in Oslo; I live in Bergen.":         {"Oslo", "Bergen"},
	} {
		var got []string
		for _, c := range Read(text, Hints{Speaker: "ana"}) {
			got = append(got, c.Object)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
