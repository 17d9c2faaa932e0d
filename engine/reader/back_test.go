package reader

import "testing"

// A manner to which the reader is to go back replaces a rule for all answers that asks for another one of its kind.
func TestAMannerToGoBackToReplacesARule(t *testing.T) {
	for _, x := range [][2]string{
		{"Please reply in French from now on.", "Go back to English, please."},
		{"From now on, speak Spanish.", "Okay, English again please."},
		{"Always write in Polish.", "Let's go back to English."},
		{"I'd like you to reply in Italian.", "You can switch back to English."},
		{"Please use imperial units.", "Go back to metric units."},
		{"Always be formal.", "Go back to informal."},
		{"Please answer in Turkish from now on.", "Could you go back to English?"},
		{"Always answer in Swedish.", "Answer in English again."},
		{"Please answer in Dutch from now on.", "Go back to English."},
		{"Please answer in Dutch from now on.", "English again please."},
		{"Go back to English.", "Please answer in French from now on."},
	} {
		if r := calls(x[0], x[1]); r.Certainty < Revises || r.Kind != Changed {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	for _, x := range [][2]string{
		{"Always answer my mother in French.", "Go back to English."},
		{"Write the commit messages in French.", "Go back to English."},
		{"Always answer in Spanish.", "I'm going back to England."},
		{"Always answer in Spanish.", "Go back to the first draft."},
		{"Always answer in Spanish.", "Back to work!"},
		{"Always answer in Spanish.", "We went back to English after lunch."},
		{"Always answer in Spanish.", "I have English again on Monday."},
		{"Please use metric units.", "Go back to English."},
		{"Always answer in Spanish.", "My teacher said: go back to English."},
		{"Always answer in Spanish.", "Shall I go back to English lessons?"},
		{"I speak Spanish with my wife.", "Go back to English."},
		{"Never answer in Spanish.", "Go back to English."},
		{"Always answer in French.", "I go back to English."},
		{"Always answer in French.", "No English again please."},
		{"Please answer in Dutch from now on.", "English again?"},
		{"Always answer in English.", "Go back to English."},
		{"Always answer in Spanish.", "If I paste an email, go back to English."},
	} {
		if r := calls(x[0], x[1]); r.Certainty >= Revises {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}
