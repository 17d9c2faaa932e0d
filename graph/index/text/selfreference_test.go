package text

import "testing"

func TestSpeaksOfUser(t *testing.T) {
	for _, c := range []struct {
		text, user string
		assistant  bool
		want       bool
	}{
		{"I live in Porto", "", false, true},
		{"Porto is where I’m from", "", false, true},
		{"OUR FLAT IS SMALL", "", false, true},
		{"The user lives in Porto", "", false, true},
		{"Ada's flat is in Porto", "ada", false, true},
		{"Ada lives in Porto", "bo", false, false},
		{"Mine shafts are deep", "", false, true}, // any meaning of the word counts
		{"Iris lives in Porto", "", false, false},
		{"I suggest Porto", "ada", true, false},
		{"You said that your flat is in Porto", "", true, true},
		{"", "", false, false},
	} {
		if got := SpeaksOfUser(c.text, c.user, c.assistant); got != c.want {
			t.Errorf("%q of %q, by an assistant %v: %v", c.text, c.user, c.assistant, got)
		}
	}
}
