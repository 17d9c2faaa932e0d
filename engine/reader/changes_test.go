package reader

import "testing"

// What was changed for the speaker, or moved, revises.
func TestGroundsInOtherWords(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		want           Ground
	}{
		{"I'm on 10 mg of ramipril.", "The doctor upped the ramipril to 20 mg.", Attribute},
		{"Our rent is 900.", "The landlord put the rent up to 980.", Attribute},
		{"The seminar is in room 12.", "The seminar has been moved to the library.", Turned},
		{"The archive is in Turin.", "The archive has relocated to Genoa.", Turned},
	} {
		got, r := groundOf(c.earlier, c.later)
		if got != c.want || r.Certainty < grounded {
			t.Errorf("%q, %q: ground %d, want %d: %+v", c.earlier, c.later, got, c.want, r)
		}
	}
}

// Other things, other people and occasions revise on none of these grounds.
func TestOtherThingsInOtherWords(t *testing.T) {
	for earlier, later := range map[string]string{
		"Our tram leaves from stop 3.":     "It's 8 degrees now.",
		"I have three goats.":              "It's four weeks now.",
		"I'm on 10 mg of ramipril.":        "The doctor put my aunt on 20 mg of ramipril.",
		"The oven is set to 180 degrees.":  "I turned the oven in the cabin down to 160.",
		"My drops are timolol.":            "My neighbour swapped timolol for latanoprost.",
		"The seminar is in room 12.":       "The projector has been moved to the library.",
		"Our importer is written in Perl.": "We rewrote the exporter in Rust.",
		"I drink my tea with honey.":       "I don't take milk in my tea any more.",
		"The essay is due on Friday.":      "I started on the essay on Tuesday.",
		"Dagny works as a welder.":         "Dagny was moved to the late shift.",
		"Our shed is locked.":              "The carpenter fixed the shed.",
	} {
		if _, r := groundOf(earlier, later); r.Certainty >= Revises {
			t.Errorf("%q, %q: %+v", earlier, later, r)
		}
	}
}
