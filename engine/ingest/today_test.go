package ingest_test

import "testing"

// What begins today lasts, and what is so today does not.
func TestWhatBeginsTodayReplacesTheEarlierFact(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I work at Corvid.", "I start at Lumen today.", revised},
		{"I work at Corvid.", "Today I start at Lumen.", revised},
		{"I live in Bremen.", "I'm moving to Kassel today.", revised},
		{"My manager is Oren.", "Tilda becomes my manager today.", revised},
		{"I weigh 82 kilos.", "I'm at 78 kilos today.", revised},
		{"I weigh 82 kilos.", "Stepped on the scale today, I'm at 78 kilos.", revised},
		{"I live in Porto.", "I'm in Vienna today.", stands},
		{"I work at the office.", "I work from home today.", stands},
		{"The office is open.", "The office is closed today.", stands},
		{"I work at Corvid.", "I start at 10 today.", stands},
		{"I work at Corvid.", "I'm joining Ana for lunch today.", stands},
		{"I live in Bremen.", "I'm moving to the kitchen today.", stands},
		{"The office is at 20 degrees.", "The office is at 25 degrees today.", stands},
		{"My manager is Oren.", "Tilda runs the team today.", stands},
		{"I work at Corvid.", "Practice starts at the church today.", stands},
	})
}

// What introduces a statement does not keep it from replacing another one, and what others say replaces nothing.
func TestAnIntroducedStatementReplacesTheEarlierFact(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I'm allergic to kiwi.", "The allergist tested me again: I'm no longer allergic to kiwi.", revised},
		{"I'm allergic to kiwi.", "Good news from the doctor: I'm no longer allergic to kiwi.", revised},
		{"My son's teacher is Mr Abara.", "Sorry, I got that wrong: my son's teacher is Mrs Lund.", corrected},
		{"My flight to Oslo is at 06:40.", "The airline rebooked me, my flight to Oslo is at 11:25.", revised},
		{"I live in Cork.", "Big change - I live in Galway now.", revised},
		{"My phone number is 555 0142.", "New SIM card, my phone number is 555 0199.", revised},
		{"I live in Cork.", "Funny, I live in Galway now.", revised},
		{"I'm allergic to kiwi.", "My sister said: I'm no longer allergic to kiwi.", stands},
		{"I live in Cork.", "Rumour: I live in Galway now.", stands},
		{"The gym closes at 22:00.", "If they cut the staff, the gym closes at 21:00.", stands},
		{"I'm vegetarian.", "Title of my essay: I'm no longer vegetarian.", stands},
		{"My manager is Oren.", "Maybe: my manager is Tilda.", stands},
		{"The meeting is on Tuesday.", "According to Ben, the meeting is on Thursday.", stands},
		{"I hate olives.", "Recipe: olives, I love them, tomatoes and feta.", stands},
	})
}
