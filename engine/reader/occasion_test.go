package reader

import "testing"

// The earlier statement of each pair goes on: the later one tells something else, or of one occasion.
func TestGoesOn(t *testing.T) {
	for _, c := range [][2]string{
		{"Gwen is a midwife.", "Gwen got married."},
		{"Silke works at the hospital.", "Silke moved to Kiel."},
		{"The team is happy.", "The team moved to Kiel."},
		{"I live in Flensburg.", "The doctor changed my pills, I'm on ramipril now."},
		{"The front door code is 1122.", "I changed the back door code to 3344."},
		{"My savings account is at ING.", "I moved my current account to N26."},
		{"The staging database is on db1.", "We moved the production database to db3."},
		{"I take piano lessons.", "I cancelled the piano lesson today."},
		{"I use Slack.", "I quit Slack for an hour."},
		{"I work at Bosch.", "I left early from Bosch today."},
		{"I work at Bosch.", "I left my umbrella at Bosch."},
		{"We host on AWS.", "We moved the backups off AWS."},
		{"We have 15 customers.", "We signed two more customers."},
		{"I work at Bistro Verde.", "I handed in my notice at Bistro Verde."},
		{"I need you to ask before deleting files.", "Ask me before you delete anything."},
		{"I work at Renault.", "I turned down a company car from Renault."},
		{"The team meeting is on 20 March.", "We moved the team meeting notes to the wiki."},
		{"The board meeting is on 20 March.", "They postponed the board meeting dinner."},
		{"The workshop is on 20 March.", "Last year's workshop was moved to Thursday."},
	} {
		if r := Relate(Statement{Text: c[0], Speaker: "u"}, Statement{Text: c[1], Speaker: "u"}); r.Certainty >= Rivals {
			t.Errorf("%q, %q: %s %.2f", c[0], c[1], r.Kind, r.Certainty)
		}
	}
}

// Beside them, the later statement of each pair ends or replaces the earlier one.
func TestEndsForGood(t *testing.T) {
	for _, c := range [][2]string{
		{"Gwen lives in Kiel.", "Gwen moved to Hamburg."},
		{"The staging database is on db1.", "We moved the staging database to db3."},
		{"My dentist appointment is on Monday.", "I moved my appointment to Tuesday."},
		{"I use Slack.", "I quit Slack for good."},
		{"Paloma lives in Turin.", "Paloma moved to Genoa."},
		{"I subscribe to Netflix.", "I cancelled Netflix today."},
		{"We have 15 customers.", "We have 17 customers now."},
		{"The team meeting is on 20 March.", "We moved the meeting date to 23 March."},
		{"The meeting is in room 3.", "We moved the meeting room to room 5."},
		{"The workshop is on 20 March.", "This year's workshop was moved to Thursday."},
	} {
		if r := Relate(Statement{Text: c[0], Speaker: "u"}, Statement{Text: c[1], Speaker: "u"}); r.Certainty < Revises {
			t.Errorf("%q, %q: %s %.2f", c[0], c[1], r.Kind, r.Certainty)
		}
	}
}
