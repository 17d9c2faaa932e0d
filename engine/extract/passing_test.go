package extract

import "testing"

func TestPassing(t *testing.T) {
	for _, text := range []string{
		"Our deploy target is staging for now.", "Standup: the Atlas migration is blocked", "TODO: write the rollback plan", "- [ ] call the plumber",
		"The build is still broken.", "Lea is on leave.", "We stay in Bergen this week.", "The road is closed until Friday.", "Don't forget to water the ferns.",
		"I'm ill.", "The invoice is not yet paid.", "Should we keep Redis?", "The press is temporarily out of order.", "The tests are failing again.",
		"The crane is currently at dock 4.", "Before we can ship, we need to sign the contract.",
	} {
		if !Passing(text) {
			t.Errorf("%q does not pass", text)
		}
	}
	for _, text := range []string{
		"Mira is allergic to walnuts.", "The ferry leaves at seven.", "Heron 3 may fly in winds up to 15 metres per second.", "I moved to Bergen.",
		"The bakery is open until 18:00.", "The 7:40 is late on Mondays.", "My name is Ana.", "I need to avoid nuts.", "The boat is called the Late Riser.",
		"The will is in the blue safe.", "Yesterday I ran a marathon.", "We use tabs.", "Always answer in Dutch.", "", "Do you know Ana? She is my sister.",
		"The deploy target is production now.",
	} {
		if Passing(text) {
			t.Errorf("%q passes", text)
		}
	}
}
