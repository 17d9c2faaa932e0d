package reader

import "testing"

// An event that gives a thing no other value says nothing against what the thing is.
func TestActsAreNoOtherValues(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		excludes       bool
	}{
		{"My phone is a Pixel.", "I dropped my phone in the sink.", false},
		{"My phone is a Pixel.", "My phone fell off the table.", false},
		{"My gym is in Elm Street.", "The gym raised its prices.", false},
		{"My tent is from Decathlon.", "I pitched my tent by the river.", false},
		{"My car is a Skoda.", "I washed the car on Sunday.", false},
		{"My laptop is a ThinkPad.", "I spilled coffee on my laptop.", false},
		{"My passport number is X4471.", "I scanned my passport.", false},
		{"My bike is blue.", "I locked my bike.", false},
		{"My kitchen is yellow.", "I cleaned my kitchen.", false},
		{"The gate is green.", "I locked the gate.", false},
		{"My bike is a gravel bike.", "I cleaned my bike.", false},
		{"My router is black.", "I rebooted the router.", false},
		{"My pen is grey.", "I refilled my pen.", false},
		{"The door is open.", "I closed the door.", true},
		{"My bike is broken.", "I repaired my bike.", true},
		{"My bike is blue.", "I sold my bike.", true},
		{"My phone is a Pixel.", "I replaced my phone with a Nokia.", true},
		{"My laptop is a ThinkPad.", "I swapped my laptop for a MacBook.", true},
		{"My gym is in Elm Street.", "The gym moved to Harbour Road.", true},
		{"The rent is 900 euros.", "The landlord raised the rent to 950 euros.", true},
		{"My bank is Revolut.", "I switched my bank to bunq.", true},
		{"My car is a Skoda.", "I sold the car and bought a Mazda.", true},
	} {
		r := Relate(Statement{Text: c.earlier, Speaker: "ana"}, Statement{Text: c.later, Speaker: "ana"})
		if c.excludes && r.Certainty < Revises || !c.excludes && r.Certainty >= Rivals {
			t.Errorf("%q, %q: %.2f", c.earlier, c.later, r.Certainty)
		}
	}
}
