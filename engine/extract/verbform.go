package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// isVerbAt distinguishes verbs from nouns of the same spelling: "the work", "my use".
func isVerbAt(ws []Word, i int) bool {
	if len(verbs[ws[i].Low]) == 0 {
		return false
	}
	switch ws[i-1].Low {
	case "the", "a", "an", "my", "our", "your", "his", "her", "their", "its", "this", "that", "of", "in", "for", "at":
		return false
	}
	for k := i - 1; k > 0; k-- {
		if isCopula(ws[k].Low) {
			return isParticiple(ws[i].Low) // "is live" has no verb, "is living" has one
		}
		if !auxiliaries[ws[k].Low] && !negations[ws[k].Low] {
			break
		}
	}
	return !ws[i-1].Possessive && (!baseForms[ws[i].Low] || takesBaseForm(ws[:i]))
}

// baseForms are verb forms that follow "I" and "we", a plural or a negation.
var baseForms = english.WordSet("live reside work study prefer like love enjoy adore hate dislike detest loathe use own have speak play drive start begin happen open close end leave depart arrive expire run listen cost weigh")

// takesBaseForm guesses whether the words before a verb require its base form.
func takesBaseForm(ws []Word) bool {
	for i := len(ws) - 1; i >= 0; i-- {
		switch low := ws[i].Low; {
		case low == "i", low == "we", low == "they", low == "you", low == "and", low == "to", low == "will", low == "shall", strings.HasSuffix(low, "n't"), low == "not", low == "do", low == "does":
			return true
		case strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && !auxiliaries[low], low == "people" || low == "children" || isNumberWord(low) || isNumber(low):
			return true
		}
	}
	return false
}

// isParticiple reports a verb form that may follow a copula.
func isParticiple(low string) bool {
	switch low {
	case "set", "kept", "hidden", "born", "led":
		return true
	}
	return len(verbs[low]) > 0 && (strings.HasSuffix(low, "ing") || strings.HasSuffix(low, "ed"))
}

// isI reports "I" and its contractions.
func isI(low string) bool {
	base, _ := english.Contraction(low)
	return base == "i"
}
