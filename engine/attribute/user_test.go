package attribute

import "testing"

func TestAsSpeaker(t *testing.T) {
	for question, want := range map[string]string{
		"what is the user's shoe size?":      "what is my shoe size?",
		"Where does the user live?":          "Where do I live?",
		"Is the user married?":               "Am I married?",
		"What do you know about the user?":   "What do you know about me?",
		"What is user's job?":                "What is my job?",
		"How many users are there?":          "How many users are there?",
		"What does the user interface show?": "What do I interface show?",
		"Where do I live?":                   "Where do I live?",
	} {
		if got, _ := asSpeaker(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
