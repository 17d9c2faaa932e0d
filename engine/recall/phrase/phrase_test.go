package phrase

import "testing"

func TestAsks(t *testing.T) {
	for _, q := range []string{
		"ok thanks, go on", "OK, thanks! Go on.", "yes please", "thanks", "continue", "Go ahead", "keep going", "sounds good", "that works", "got it", "tell me more",
		"what do you think?", "good morning!", "and then?", "What's next?", "hmm, try again", "no, not that one", "can you help me?", "do it", "let's see", "👍", "...", "",
		"Great, carry on please", "What does it mean?", "shall we continue?", "how does that sound?",
	} {
		if Asks(q) {
			t.Errorf("%q has content", q)
		}
	}
	for _, q := range []string{
		"Where do I live?", "Where do I work?", "sextant", "walnuts", "When does the ferry leave?", "What is my name?", "plan the next release", "When do we start?",
		"ok thanks, now fix the build", "What colour is the boat?", "How long is the ropewalk of Saltmarsh?", "tell me about Ana", "42?", "Wo wohne ich?", "Where is the will kept?", "Who keeps bees?", "When do we go?",
	} {
		if !Asks(q) {
			t.Errorf("%q has no content", q)
		}
	}
}

func TestAffirms(t *testing.T) {
	for _, s := range []string{"Yes, exactly.", "exactly", "That's right!", "Yes, that is correct, thank you", "Right."} {
		if !Affirms(s) {
			t.Errorf("%q does not agree", s)
		}
	}
	for _, s := range []string{"Yes, but I moved.", "No.", "not exactly", "That isn't right", "Thanks", "Yes, we can go to Bergen", ""} {
		if Affirms(s) {
			t.Errorf("%q agrees", s)
		}
	}
}
