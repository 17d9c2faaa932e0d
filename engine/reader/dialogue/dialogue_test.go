package dialogue

import "testing"

func none(string) string { return "" }

func TestCorrected(t *testing.T) {
	for _, x := range []struct{ said, correction, want string }{
		{"My flight is at 9.", "Sorry, I meant 10.", "My flight is at 10."},
		{"My flight to Rome is at 9 am.", "No wait, 10 am.", "My flight to Rome is at 10 am."},
		{"The meeting room is B12.", "Oops, B21.", "The meeting room is B21."},
		{"The API key lives in vault path kv/app.", "Correction: it's in kv/prod/app.", "The API key lives in vault path kv/prod/app."},
		{"The review is on Tuesday at 3.", "Scratch that, Thursday.", "The review is on Thursday at 3."},
		{"My sister lives in Ghent.", "Antwerp, I mean.", ""},
		{"My sister lives in Ghent.", "I mean Antwerp.", "My sister lives in Antwerp."},
		{"My sister lives in Ghent.", "Oops, in Antwerp, not Ghent", "My sister lives in Antwerp."},
		{"Our launch is on 4 May.", "Wait, 5 May", "Our launch is on 5 May."},
		{"The door code is 1122.", "*1212", "The door code is 1212."},
		{"Hello! My flight is at 9. Will you remind me?", "Sorry, 10.", "My flight is at 10."},
		{"My flight is at 9.", "Sorry, I am late.", ""},
		{"My flight is at 9.", "Sorry!", ""},
		{"My flight is at 9.", "No, thanks.", ""},
		{"My flight is at 9.", "Sorry, Anna.", ""},
	} {
		r, ok := Correction(x.correction)
		got := ""
		if ok {
			got, _ = Corrected(x.said, r, none)
		}
		if got != x.want {
			t.Errorf("%q after %q: got %q, want %q", x.correction, x.said, got, x.want)
		}
	}
}

func TestCorrectedObject(t *testing.T) {
	r, ok := Correction("Correction: dark blue.")
	if got, _ := Corrected("My car is red.", r, func(string) string { return "red" }); !ok || got != "My car is dark blue." {
		t.Errorf("got %q", got)
	}
}

func TestAnswered(t *testing.T) {
	for _, x := range []struct{ asked, answer, want string }{
		{"Is your birthday on 4 May?", "yes", "My birthday is on 4 May."},
		{"So where do you work now?", "Siemens", "I work at Siemens."},
		{"And you live in Ulm?", "exactly", "I live in Ulm."},
		{"You live in Ulm, right?", "Yes, that's right.", "I live in Ulm."},
		{"You live in Ulm. Is that right?", "yes", "I live in Ulm."},
		{"Do you live in Ulm?", "no", "I do not live in Ulm."},
		{"Are you vegan?", "Yes!", "I am vegan."},
		{"Are you vegan?", "Nope", "I am not vegan."},
		{"Is your birthday on 4 May?", "No, 5 May.", "My birthday is on 5 May."},
		{"Does your wife work at Lidl?", "yes", "My wife works at Lidl."},
		{"Got it. When is your birthday?", "4 May", "My birthday is on 4 May."},
		{"What is your name?", "Sam", "My name is Sam."},
		{"Where do you live?", "in Ulm", "I live in Ulm."},
		{"Shall I book it?", "yes", ""},
		{"Do you want me to book it?", "yes", ""},
		{"Is that ok?", "yes", ""},
		{"Can I help you with anything else?", "no", ""},
		{"Where do you live?", "I would rather not say", ""},
		{"I booked it.", "yes", ""},
	} {
		if got, _ := Answered(x.asked, x.answer); got != x.want {
			t.Errorf("%q to %q: got %q, want %q", x.answer, x.asked, got, x.want)
		}
	}
}

func TestFiller(t *testing.T) {
	for text, want := range map[string]bool{
		"yes": true, "Exactly.": true, "Got it.": true, "Sure.": true, "thanks!": true, "lol": true, "...": true, "I see": true, "Sorry to hear that.": true,
		"Ok, got it, thanks a lot!": true, "what?": true, "👍": true, "Siemens": false, "Got it wrong.": false, "I see Anna on Monday.": false, "42": false, "Thanks to Anna we won.": false,
	} {
		if got := Filler(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
