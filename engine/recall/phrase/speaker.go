package phrase

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// knowing are the lemmas of the verbs of what a memory does.
var knowing = func() map[string]bool {
	out := map[string]bool{}
	for w := range english.WordSet("know remember recall learn store save keep tell say list show summarise summarize describe") {
		out[english.Lemma(w)] = true
	}
	return out
}()

// isOther reports a pronoun for somebody else.
func isOther(w string) bool {
	p, ok := english.PronounOf(w)
	return ok && p.Person == 3 && p.Subject != "it"
}

// AsksAboutSpeaker reports a question or a request for all that is known of the speaker: "What do you know about me?", "Tell me
// about myself". What somebody else did or said is no such question.
func AsksAboutSpeaker(question string) bool {
	words := Words(question)
	at := slices.IndexFunc(words, func(w string) bool { return w == "about" || w == "of" })
	if at < 1 || at+1 >= len(words) {
		return false
	}
	switch words[at+1] {
	case "me", "myself", "us", "ourselves":
	default:
		return false
	}
	knows, asks := false, words[0] != "i" && words[0] != "we"
	for _, w := range slices.Concat(words[:at], words[at+2:]) {
		switch {
		case w == "who" || isOther(w):
			return false
		case knowing[english.Lemma(w)]:
			knows = true
		case !english.StopWord(w) && !AsksWhat[w] && !Phatic[w] && !quantifiers[w]:
			return false
		}
	}
	return knows && asks
}
