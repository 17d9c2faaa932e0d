package erasure

import "testing"

// A name that is an English word too counts with its capital and within a sentence.
func TestSays(t *testing.T) {
	for _, x := range []struct {
		name, text string
		want       bool
	}{
		{"Bram", "Bram called.", true},
		{"Bram", "we saw bram at noon", true},
		{"Bram", "The keys are in Bram's drawer.", true},
		{"Bram", "Abram paid for the soup.", false},
		{"Kwame Osei", "I met kwame osei.", true},
		{"Kwame Osei", "I met Kwame Boateng.", false},
		{"Rose", "The cake was made by Rose.", true},
		{"Rose", "Rose petals are on the table.", false},
		{"Rose", "The prices rose.", false},
		{"router", "The router is slow.", false},
		{"...", "...", false},
	} {
		if got := says(x.text, x.name); got != x.want {
			t.Errorf("%q says %q: %v", x.text, x.name, got)
		}
	}
}
