package distil

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// thirdPersonForms are verbs in the present as they follow "I", with the form that follows a name.
var thirdPersonForms = func() map[string]string {
	m := map[string]string{}
	for verb := range wordLists.Set("thirdPersonForms") {
		verb, form, irregular := strings.Cut(verb, "=")
		if !irregular {
			form = verb + "s"
		}
		m[verb] = form
	}
	return m
}()

var (
	modals      = english.WordSet("will would can could should may might must shall won't wouldn't can't cannot couldn't shouldn't mustn't")
	verbAdverbs = english.WordSet("also always never really just still usually often only already finally recently sometimes once even mostly now actually currently normally rarely")
	// sameInPast are verbs with equal present and past forms: "I put".
	sameInPast = english.WordSet("put set cut hit")
)

// isPersonal reports "I", "you" and their other forms, also contracted ("I'm").
func isPersonal(low string) bool {
	base, _ := english.Contraction(low)
	p, ok := english.PronounOf(base)
	return ok && !p.Plural && p.Person < 3
}

// inThirdPerson rewrites a sentence of a speaker so that it can be used alone. "I", "my" and "me"
// become the name if all of its verbs can be changed by rule. Otherwise, and if the sentence
// addresses somebody or lacks its subject, the name is put before it: "Ana: I'd rather walk."
// Other sentences stay as they are.
func inThirdPerson(text, speaker string) string {
	if speaker == "" {
		return text
	}
	ws := wordsOf(text)
	personal := false
	for _, w := range ws {
		personal = personal || isPersonal(w.Low)
	}
	if len(ws) > 0 && lacksSubject(ws[0].Low) {
		return speaker + ": " + text
	}
	if !personal {
		return text
	}
	if turned, ok := rewriteInThirdPerson(text, speaker, ws); ok {
		return turned
	}
	return speaker + ": " + text
}

// lacksSubject reports a verb with which a sentence of the speaker may begin: "love the colours".
// An imperative ("run the tests") is said by the speaker as well.
func lacksSubject(low string) bool {
	_, present := thirdPersonForms[low]
	return present || modals[low] || pastVerbs[low] || low == "been" || low == "used"
}

// speakerForms are forms of "I", with what follows the speaker's name in their place.
var speakerForms = map[string]string{"my": "'s", "me": "", "i'm": " is", "i've": " has", "i'll": " will"}

func rewriteInThirdPerson(text, speaker string, ws []extract.Word) (string, bool) {
	if strings.ContainsAny(text, "\"“”?") || strings.Contains(text, ": ") {
		return "", false // "I" may be somebody else there
	}
	var b strings.Builder
	from, turned := 0, false
	write := func(w extract.Word, say string) {
		b.WriteString(text[from:w.Start])
		b.WriteString(say)
		from = w.End
	}
	for i, w := range ws {
		if tail, ok := speakerForms[w.Low]; ok {
			write(w, speaker+tail)
			continue
		}
		switch w.Low {
		case "i":
			write(w, speaker)
			k := i + 1
			for k < len(ws) && verbAdverbs[ws[k].Low] && ws[k-1].SignAfter == 0 {
				k++
			}
			if k >= len(ws) || i > 0 && (ws[i-1].Low == "and" || ws[i-1].Low == "am" || ws[i-1].Low == "do" || ws[i-1].Low == "have") && ws[i-1].SignAfter == 0 {
				return "", false
			}
			verb := ws[k].Low
			say, present := thirdPersonForms[verb]
			switch {
			case present:
				turned = true
				write(ws[k], say)
			case modals[verb], pastVerbs[verb] && !sameInPast[verb], len(verb) > 3 && strings.HasSuffix(verb, "ed"):
			default:
				return "", false
			}
		default:
			if isPersonal(w.Low) {
				return "", false
			}
			if _, verb := thirdPersonForms[w.Low]; verb && turned && i > 0 && (ws[i-1].Low == "and" || ws[i-1].Low == "or" || ws[i-1].Low == "but") {
				return "", false // I live here and work there
			}
		}
	}
	b.WriteString(text[from:])
	return b.String(), true
}

// wordsOf returns the words of a text.
func wordsOf(text string) []extract.Word {
	var ws []extract.Word
	for _, s := range extract.Sentences(text) {
		ws = append(ws, s.Words...)
	}
	return ws
}
