package reader

import "testing"

// TestAnotherMatterRevisesNothing checks statements that share a person, a thing, a time or a form with an earlier one, and
// are about another matter.
func TestAnotherMatterRevisesNothing(t *testing.T) {
	for _, p := range [][2]string{
		{"You can go to the customs office from 6:30", "You can go to the recycling yard from 6:30"},
		{"Rasmus has enrolled in nautics", "Rasmus was moved to the grants office"},
		{"Rasmus works as a midwife", "Rasmus was moved to the night shift"},
		{"You reach Rasmus at 0455 120 764", "Rasmus grew up in Uruguay"},
		{"We run the mail relay on port 5071", "We upgraded the mail relay to 2.7.3"},
		{"The corner cooperative delivers the coffee beans", "The corner cooperative delivers the seed potatoes"},
	} {
		r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"})
		if r.Ground != NoGround || r.Slot || r.Certainty >= 0.82 {
			t.Errorf("%q and %q: certainty %.2f, ground %d, slot %v", p[0], p[1], r.Certainty, r.Ground, r.Slot)
		}
	}
}

// TestAChangeOfPlaceRevises checks that the statements of the same kinds that do change something still do.
func TestAChangeOfPlaceRevises(t *testing.T) {
	for _, p := range [][2]string{
		{"The printer is in the hall.", "The printer was moved to the mail room."},
		{"Stand-up is at 9:30.", "Stand-up has been moved to 10:15."},
		{"Rasmus is in the tooling group.", "Rasmus was moved to the field unit."},
	} {
		if r := Relate(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Certainty < Revises {
			t.Errorf("%q and %q: certainty %.2f", p[0], p[1], r.Certainty)
		}
	}
}
