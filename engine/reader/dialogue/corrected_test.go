package dialogue

import (
	"strings"
	"testing"
)

func correct(said, correction string, between ...string) string {
	r, ok := Correction(correction)
	if !ok {
		return ""
	}
	got, _ := Corrected(said, r, between...)
	return got
}

func TestCorrected(t *testing.T) {
	for _, x := range []struct{ said, correction, want string }{
		{"My flight is at 9.", "Sorry, I meant 10.", "My flight is at 10."},
		{"My flight to Rome is at 9 am.", "No wait, 10 am.", "My flight to Rome is at 10 am."},
		{"My flight is at 9.", "Oops, 10:30 pm.", "My flight is at 10:30 pm."},
		{"The meeting room is B12.", "Oops, B21.", "The meeting room is B21."},
		{"The API key lives in vault path kv/app.", "Correction: it's in kv/prod/app.", "The API key lives in vault path kv/prod/app."},
		{"The review is on Tuesday at 3.", "Scratch that, Thursday.", "The review is on Thursday at 3."},
		{"My sister lives in Ghent.", "I meant Antwerp.", "My sister lives in Antwerp."},
		{"My sister lives in Ghent.", "No wait, Antwerp.", "My sister lives in Antwerp."},
		{"My sister lives in Ghent.", "Oops, in Antwerp, not Ghent", "My sister lives in Antwerp."},
		{"Our launch is on the 4th of May.", "Sorry, on the 5th of May", "Our launch is on the 5th of May."},
		{"The door code is 1122.", "Make that: 1212", "The door code is 1212."},
		{"The physio is called Marla Dunn.", "Oops, Marla Dann.", "The physio is called Marla Dann."},
		{"My appointment with the physio is on Thursday at 3.", "Wait, I mean Friday.", "My appointment with the physio is on Friday at 3."},
		{"I ran 5 km today.", "Sorry, 6 km", "I ran 6 km today."},
		{"The office is on the 3rd floor.", "Sorry, the 4th floor.", "The office is on the 4th floor."},
		{"The rent is €900.", "Correction: €950.", "The rent is €950."},
		{"My flight is at 9 pm.", "Sorry, I meant 22:00.", "My flight is at 22:00."},
	} {
		if got := correct(x.said, x.correction); got != x.want {
			t.Errorf("%q after %q: got %q, want %q", x.correction, x.said, got, x.want)
		}
	}
}

// Statements and orders that only begin like a correction, and corrections of which the place is not sure, correct nothing.
func TestWhatIsNoCorrectionCorrectsNothing(t *testing.T) {
	for said, others := range map[string][]string{
		"Lunch with Bea is at 12.":               {"Oops, forgot: bring the contract.", "Sorry, at the usual place.", "Wait, 5 minutes."},
		"I paid the plumber 300 euros.":          {"Correction of the tests takes two weeks.", "Sorry, 3 weeks."},
		"The router is a Fritzbox 7590.":         {"Correction: it's a Fritzbox 7530."},
		"My hotel is the Ibis in Lyon.":          {"Sorry, the Novotel."},
		"The design review is on Tuesday.":       {"No meetings on Fridays.", "Oops, no meetings on Fridays.", "Sorry, Fridays."},
		"Our standup is at 10.":                  {"No calls before 9."},
		"My sister lives in Ghent.":              {"So Lena got the job!", "Sorry, Anna.", "Oops. Thanks.", "Well, Antwerp.", "Actually, Antwerp."},
		"I support Arsenal.":                     {"Well, Bayern won again."},
		"My doctor is Dr. Klein.":                {"Oh, Max passed his exam!", "Sorry, Max."},
		"My boss is Ingrid.":                     {"No, Karin handles holidays.", "Sorry, Karin."},
		"I was born in Kyiv.":                    {"Actually raised in Warsaw."},
		"My landlord is Mr. Webb.":               {"Sorry, Nora here."},
		"I like Earl Grey.":                      {"No sugar, no milk in Assam."},
		"We invited 40 guests.":                  {"So far 12 accepted."},
		"The team has 9 people.":                 {"Actually 3 work remotely."},
		"I have an appointment at 4 pm.":         {"Oh, dinner at 8 with Sam."},
		"The call is at nine thirty.":            {"Sorry, I meant ten."},
		"The call is at 10:30.":                  {"Sorry, I meant 10:99.", strings.Repeat("Ⱥ", 14) + ", i meant", "ȺȺȺȺȺȺȺȺȺȺ, sorry", "İ meant 10"},
		"We're going to Legoland on Sunday.":     {"Should be fun."},
		"The delivery comes on Monday.":          {"It should be ready by Friday."},
		"I'm writing a birthday card for Ida.":   {"Make it short and friendly."},
		"My train leaves at 7:12.":               {"Wait for the 7:40 bus with Tom.", "make it 7:15"},
		"The receipts are in the blue folder.":   {"Hold on to the receipts until June."},
		"Anna's gift is a scarf.":                {"Make it a rule: wrap gifts in paper."},
		"The party is on 6 June.":                {"Scratch that off my list: balloons."},
		"The sprint ends on Friday.":             {"Let me correct that document by Tuesday."},
		"I drive to work.":                       {"Oops, missed the exit at Leeds."},
		"I parked the car on level 3.":           {"Whoops, dropped my phone on 5."},
		"My favourite colour is green.":          {"Wait, almost forgot the cake.", "I mean blue."},
		"The workshop is in room 204.":           {"Typo in the invitation of May 3."},
		"It's OK to mention Ben.":                {"No more Dutch please."},
		"I have 2 kids.":                         {"Oh, 5", "Sorry, 5 dogs"},
		"I was born in 1980.":                    {"Well, 2004"},
		"My mum's birthday is on 4 May.":         {"Um, 9 October", "Sorry, 5."},
		"Our standup is at 9:30.":                {"So, 14:00"},
		"The server runs Ubuntu 20.":             {"No, 22"},
		"The rent is 900 euros.":                 {"make that 10"},
		"My lunch break is 30 minutes.":          {"Hold on, 5 minutes", "Wait, 5 minutes"},
		"My sister is 34.":                       {"So, 12 eggs for the cake.", "No, 3 spoons of sugar", "Oops, 12 eggs"},
		"My locker code is 4471.":                {"Wait, 10 minutes."},
		"I'm from Wales.":                        {"Oh, Cardiff"},
		"Tessa is my manager.":                   {"Scratch that, ask Paul.", "Oops, forgot the milk.", "I mean Paul."},
		"Never push to the release branch.":      {"I mean the main branch."},
		"The office is on the 3rd floor.":        {"That's wrong, the 4th floor."},
		"My flight is at 9.":                     {"Sorry, I am late.", "Sorry!", "No, thanks.", "Sorry, Anna.", "Wait, 5 bags", "So, 10.", "Actually 10.", "Oh, 10.", "typo", "I mean, 10 is late"},
		"Anna lives in Ghent.":                   {"I mean Hanna."},
		"My train leaves at 8 from track 4.":     {"Sorry, 5."},
		"Is my flight at 9?":                     {"Sorry, 10."},
		"I meet Ann on Monday and Bo on Friday.": {"Sorry, Tuesday."},
		"The score was 3.":                       {"I mean 3."},
	} {
		for _, other := range others {
			if got := correct(said, other); got != "" {
				t.Errorf("%q after %q: got %q", other, said, got)
			}
		}
	}
}
