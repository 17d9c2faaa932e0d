package pattern

import "testing"

// Pairs that were written after the rule of opposites: the first figure is how many are two rivals.
func TestOppositesOfOtherMatters(t *testing.T) {
	pairs := [][2]string{
		{"The sprinklers must stay off during the day.", "The sprinklers must stay on during the day."},
		{"The dog must be kept in after dinner.", "The dog must be kept out after dinner."},
		{"Never leave the printer on over the weekend.", "Never leave the printer off over the weekend."},
		{"The drawbridge must be up before midnight.", "The drawbridge must be down before midnight."},
		{"The valve must remain shut while the tank fills.", "The valve must remain open while the tank fills."},
		{"Always switch on the exhaust before welding.", "Always switch off the exhaust before welding."},
		{"The cake must be covered in the fridge.", "The cake must be uncovered in the fridge."},
		{"Visitors must wait outside.", "Visitors must wait inside."},
		{"The soup should always be full of salt.", "The soup should always be empty of salt."},
		{"The curtain must be closed for the rehearsal.", "The curtain must be open for the rehearsal."},
	}
	right := 0
	for _, c := range pairs {
		found, _ := Find(append(onOwnDays(t, 0, .8, repeated(5, c[0])...), onOwnDays(t, 100, .8, repeated(5, c[1])...)...), nil)
		if len(found) == 2 && len(found[0].Rivals) == 1 {
			right++
		} else {
			t.Logf("%q: %q", c, said(found))
		}
	}
	if right < 8 {
		t.Errorf("%d of %d pairs are rivals", right, len(pairs))
	}
}
