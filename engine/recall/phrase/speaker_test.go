package phrase

import "testing"

func TestAsksAboutSpeaker(t *testing.T) {
	for question, asks := range map[string]bool{
		"What do you know about me?":           true,
		"Tell me about myself":                 true,
		"tell me everything you know about me": true,
		"What have you remembered about us?":   true,
		"List all you have stored about me.":   true,
		"What did Marta say about me?":         false,
		"What do you know about Marta?":        false,
		"What do the neighbours know of me?":   false,
		"Tell me about my dog":                 false,
		"I know about me":                      false,
		"about me":                             false,
		"":                                     false,
	} {
		if got := AsksAboutSpeaker(question); got != asks {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestNearer(t *testing.T) {
	for _, x := range []struct {
		question, a, b string
		sign           int
	}{
		{"Which port does the API use?", "The API runs on port 8080", "The log level is debug", 1},
		{"What is the log level?", "The API runs on port 8080", "The log level is debug", -1},
		{"Do I have a pet?", "My dog is called Faro", "I live in Lisbon", 1},
		{"Who is it?", "My dog is called Faro", "I live in Lisbon", 0},
	} {
		if got := Nearer(x.question, x.a, x.b); got > 0 != (x.sign > 0) || got < 0 != (x.sign < 0) {
			t.Errorf("%q: %d", x.question, got)
		}
	}
}
