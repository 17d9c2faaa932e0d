package reader

import "testing"

// groundOf returns the ground of the pair of clauses that decides, NoGround if the relation has none.
func groundOf(earlier, later string) (Ground, Relation) {
	r := Relate(Statement{Text: earlier, Speaker: "ana"}, Statement{Text: later, Speaker: "ana"})
	return r.Ground, r
}

func TestGrounds(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		want           Ground
	}{
		{"The ferry ticket costs 14 euros.", "They put the ferry ticket up to 17 euros.", Attribute},
		{"The regatta is on 4 July.", "The regatta was postponed to 18 July.", Attribute},
		{"The kiln is kept at 900 degrees.", "We raised the kiln to 1,050 degrees.", Attribute},
		{"My scooter is a Vespa.", "I sold the Vespa and walk.", Ended},
		{"My daughter plays the harp.", "My daughter gave up the harp and plays chess.", Ended},
		{"Our treasurer is Imke.", "Our treasurer is Joao.", Frame},
		{"The tent is stored in the attic.", "The tent is stored in the garage.", Frame},
		{"The freezer is in the cellar.", "The freezer was moved to the kitchen.", Turned},
		{"I sing in the choir.", "I no longer sing in the choir.", Ended},
		{"The bus leaves from bay 3.", "It's bay 13, not 3, that the bus leaves from.", Mistaken},
	} {
		if got, r := groundOf(c.earlier, c.later); got != c.want || r.Certainty < grounded {
			t.Errorf("%q, %q: ground %d, want %d: %+v", c.earlier, c.later, got, c.want, r)
		}
	}
}

// What is about another thing, time, person or occasion revises on no ground.
func TestNoGround(t *testing.T) {
	for earlier, later := range map[string]string{
		"The ferry ticket costs 14 euros.":          "The bus ticket costs 3 euros.",
		"The regatta is on 4 July.":                 "Last year the regatta was on 6 July.",
		"The choir practice is at 19:00.":           "Yesterday the choir practice started at 19:40.",
		"Hall 3 is booked on Monday.":               "Hall 3 is booked on Friday.",
		"The barn has 4 doors.":                     "The barn has 9 windows.",
		"My scooter is a Vespa.":                    "My brother sold his Vespa.",
		"I have a ticket for the opera.":            "I sold my concert ticket.",
		"Our dog sleeps in the kitchen.":            "The kitchen is finished.",
		"My daughter plays football.":               "I stopped playing football.",
		"The shop opens at 9 on weekdays.":          "The shop opens at 11 on Sundays.",
		"I live in Ghent.":                          "I moved all my photos over to Nextcloud.",
		"I get up at six.":                          "I go to bed at ten.",
		"The van is insured with Axa.":              "The van was insured with Helvetia when it was my aunt's.",
		"The kiln is kept at 900 degrees.":          "We should keep the kiln at 950 degrees.",
		"I write in English.":                       "I sometimes write in Irish.",
		"Our treasurer is Imke.":                    "My neighbour is Joao.",
		"We stock red paint.":                       "We stock green paint.",
		"The lamp is on in the hall.":               "The lamp is off in the shed.",
		"The error rate at 10:00 is 0.4 percent.":   "The error rate at 11:00 is 2.9 percent.",
		"We migrated the archive to Postgres 15.":   "Somebody should migrate the archive to Postgres 17.",
		"I live in Oslo.":                           "I'm on a Pixel 8.",
		"My boss is Greta.":                         "My boss moved to the corner office.",
		"Zuzana works as a translator.":             "Zuzana broke the translator's mug.",
		"The greenhouse is heated on weekdays.":     "The greenhouse is heated on Sundays.",
		"The client meeting is in room Saturn.":     "The team meeting is in room Neptune.",
		"The firmware of the pump is version 1.4.0": "The firmware of the valve is version 1.6.0",
	} {
		if _, r := groundOf(earlier, later); r.Certainty >= Revises && (r.Ground != NoGround || r.Slot) || r.Certainty >= grounded {
			t.Errorf("%q, %q: %+v", earlier, later, r)
		}
	}
}
