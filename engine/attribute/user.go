package attribute

import (
	"regexp"
	"slices"
	"strings"
)

var (
	usersOwn  = regexp.MustCompile(`(?i)\b(?:the )?user['’]s\b`)
	userActs  = regexp.MustCompile(`(?i)\b(is|are|was|does|do|did|has|have|can|could|should|will|would) (?:the )?user\b`)
	ofUser    = regexp.MustCompile(`(?i)\b(of|about|for|to|with|by|tell|know) the user\b`)
	speakerIs = map[string]string{"is": "am", "are": "am", "does": "do", "has": "have"}
)

// asSpeaker returns a question about "the user" in the words of that user: agents ask "What is the user's shoe size?" and "Where does the user
// live?". belongs says that it is about what belongs to the user. A question about anything else is returned unchanged.
func asSpeaker(question string) (own string, belongs bool) {
	if !strings.Contains(strings.ToLower(question), "user") {
		return question, false
	}
	belongs = usersOwn.MatchString(question)
	question = usersOwn.ReplaceAllString(question, "my")
	question = ofUser.ReplaceAllString(question, "$1 me")
	return userActs.ReplaceAllStringFunc(question, func(found string) string {
		verb, _, _ := strings.Cut(strings.ToLower(found), " ")
		if own, ok := speakerIs[verb]; ok {
			verb = own
		}
		if found[0] >= 'A' && found[0] <= 'Z' {
			verb = strings.ToUpper(verb[:1]) + verb[1:]
		}
		return verb + " I"
	}), belongs
}

// InWordsOf returns a question about "the user" as a user asks it, if it is about what belongs to them or asks for an attribute of them: "What is the user's shoe
// size?". "How does the user reset a password?" is about any user, and a question of nobody stays as it is.
func InWordsOf(user, question string) string {
	if user == "" {
		return question
	}
	own, belongs := asSpeaker(question)
	if belongs || slices.ContainsFunc(Question(own), func(x Asked) bool { return x.Subject == "I" }) {
		return own
	}
	return question
}
