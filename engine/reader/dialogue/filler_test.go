package dialogue

import "testing"

func TestFiller(t *testing.T) {
	for text, want := range map[string][2]bool{ // of a user, of an assistant
		"Got it.": {true, true}, "thanks!": {true, true}, "lol": {true, true}, "...": {true, true}, "I see": {true, true}, "Sorry to hear that.": {true, true},
		"👍": {true, true}, "yes": {false, true}, "Exactly.": {false, true}, "Sure.": {false, true}, "Ok, got it, thanks a lot!": {false, true}, "no": {false, true},
		"Siemens": {}, "Got it wrong.": {}, "I see Anna on Monday.": {}, "42": {}, "Thanks to Anna we won.": {}, "what?": {},
	} {
		for i, assistant := range []bool{false, true} {
			if got := Filler(text, assistant); got != want[i] {
				t.Errorf("%q, of an assistant %v: got %v", text, assistant, got)
			}
		}
	}
}
