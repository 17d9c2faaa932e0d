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
		{"I live in Porto.", "We moved to Kubernetes."},
		{"I live in Porto.", "I moved to Rust."},
		{"I live in Porto.", "We moved to Slack."},
		{"I live in Porto.", "We moved to GitHub from GitLab."},
		{"I live in Porto.", "I moved to a standing desk."},
		{"I live in Porto.", "We moved the backups to Wasabi."},
		{"I work at Acme.", "We moved to Kubernetes."},
		{"My phone number is 0612345678.", "My work phone number is 0687654321."},
		{"The shop opens at 9.", "The shop opens at 10 on Sundays."},
		{"The standup is at 9:30.", "The standup on Friday is at 10."},
		{"My birthday is on 3 May.", "My birthday is on a Sunday this year."},
		{"The alarm code is 1234.", "The alarm code of the shed is 9876."},
		{"My flight to Rome is on 3 March.", "My flight back from Rome is on 10 March."},
		{"My son is called Bas.", "My son is called Tim, my other son."},
		{"I drive a Golf.", "I sold my first Golf in 1999."},
		{"I have a contract with Vattenfall.", "My old contract with Vattenfall ended in 2019."},
		{"I own a Gazelle bike.", "I sold my old bike."},
		{"I have a Spotify account.", "I cancelled my Spotify trial on the old account."},
		{"I live with Eva.", "I no longer live with Tom but with Eva."},
		{"Kim lives in flat 3.", "Kim moved the sofa to flat 5."},
		{"We deploy on Fridays.", "We should deploy on Mondays."},
		{"Dark mode is enabled.", "I disabled notifications in dark mode."},
		{"I own a boat.", "I sold a boat to Piet when I worked at the yard."},
	} {
		r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"})
		if r.Certainty >= Revises && (r.Ground != NoGround || r.Slot) || r.Certainty >= 0.82 {
			t.Errorf("%q and %q: certainty %.2f, ground %d, slot %v", p[0], p[1], r.Certainty, r.Ground, r.Slot)
		}
	}
}

// TestAChangeOfPlaceRevises checks that the statements of the same kinds that do change something still do.
func TestAChangeOfPlaceRevises(t *testing.T) {
	for _, p := range [][2]string{
		{"I live in Porto.", "We moved to Ghent."},
		{"My phone number is 0612345678.", "My new phone number is 0687654321."},
		{"My car is a Mazda 3.", "I sold the old Mazda 3 and bought a Skoda."},
		{"The shop opens at 9.", "The shop opens at 10 from Monday on."},
		{"Kim lives in flat 3.", "Kim moved to flat 5."},
		{"The printer is in the hall.", "The printer was moved to the mail room."},
		{"Stand-up is at 9:30.", "Stand-up has been moved to 10:15."},
		{"Rasmus is in the tooling group.", "Rasmus was moved to the field unit."},
	} {
		if r := Relate(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Certainty < Revises {
			t.Errorf("%q and %q: certainty %.2f", p[0], p[1], r.Certainty)
		}
	}
}
