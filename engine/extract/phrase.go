package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// speakerName returns the name that "I" stands for.
func (p *parser) speakerName() string {
	if p.speaker != "" {
		return p.speaker
	}
	return "user"
}

// personMentioned returns the person that "he" or "she" stands for: the only one named so far.
func (p *parser) personMentioned() string {
	if p.severalPersons {
		return ""
	}
	return p.person
}

// subject returns what a clause is about; empty if the words name nothing or the referent is
// unknown.
func (p *parser) subject(ws []Word) string {
	if len(ws) == 0 || len(ws) > maxSubject {
		return ""
	}
	if prepositions[ws[0].Low] || insideNoSubject[ws[0].Low] && len(ws) > 1 {
		return ""
	}
	for i, w := range ws {
		if i < len(ws)-1 && w.SignAfter != 0 && w.SignAfter != '"' || i > 0 && insideNoSubject[w.Low] && !(w.Low == "to" && i+1 < len(ws) && ws[i+1].capital()) {
			return ""
		}
	}
	if len(ws) == 1 {
		switch ws[0].Low {
		case "i", "me", "we", "i've", "we've", "i'll", "we'll":
			return p.speakerName()
		case "he", "she":
			return p.personMentioned()
		}
		if noSubject[ws[0].Low] {
			return ""
		}
	}
	if bare := ws[len(ws)-1]; len(ws) <= 2 && noSubject[bare.Low] {
		return "" // this one
	}
	return p.thing(ws)
}

var (
	prepositions    = english.WordSet("in on at for from with by of about under over above below behind near after before during since until like as into through between among without within to")
	noSubject       = wordLists.Set("noSubject")
	insideNoSubject = wordLists.Set("insideNoSubject")
)

// thing returns the name of a thing without its article. "my" becomes the speaker, if known.
func (p *parser) thing(ws []Word) string {
	if len(ws) == 0 {
		return ""
	}
	switch ws[0].Low {
	case "the", "a", "an", "our", "this", "that", "your":
		ws = ws[1:]
	case "my":
		if n := len(ws); n > 2 && peopleWords[ws[1].Low] && ws[2].capital() && !ws[1].Possessive {
			return p.textOf(ws[2:]) // my sister Lena
		}
		return p.withOwner(p.speaker, ws[1:])
	case "his", "her":
		if p.personMentioned() == "" {
			return ""
		}
		return p.withOwner(p.personMentioned(), ws[1:])
	case "their", "its":
		return ""
	}
	return p.withOwner("", ws)
}

// withOwner returns the name of a thing with its owner.
func (p *parser) withOwner(owner string, ws []Word) string {
	if len(ws) == 0 {
		return ""
	}
	name := p.textOf(ws)
	if owner == "" {
		return name
	}
	return owner + "'s " + name
}

// possession returns the name of what the subject of a clause has.
func (p *parser) possession(np, ws []Word) string {
	for len(ws) > 1 && (ws[0].Low == "a" || ws[0].Low == "an" || isNumberWord(ws[0].Low)) {
		ws = ws[1:]
	}
	owner := p.subject(np)
	if np[0].Low == "i" || np[0].Low == "we" {
		owner = p.speaker
	}
	return p.withOwner(owner, ws)
}

// value returns an object as written, without its article.
func (p *parser) value(ws []Word) string {
	for len(ws) > 1 && (ws[0].Low == "the" || ws[0].Low == "a" || ws[0].Low == "an") {
		ws = ws[1:]
	}
	for len(ws) > 1 && valueLeads[ws[0].Low] && timeLike(ws[1:]) {
		ws = ws[1:]
	}
	return p.textOf(ws)
}

var valueLeads = english.WordSet("on at by for in from until")

// textOf returns the text from the first to the last of the words.
func (p *parser) textOf(ws []Word) string {
	if len(ws) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(p.text[ws[0].Start:ws[len(ws)-1].End]), " ")
}

var (
	clauseEndWords = english.WordSet("because but although though while when which who whose if unless so since where that")
	trailingWords  = english.WordSet("now currently anymore again instead too though today nowadays already yet then actually btw")
)

// objectOf returns the words up to the end of the clause, or up to an expression of time if the
// object is none itself.
func objectOf(ws []Word) []Word {
	ws = toClauseEnd(ws)
	end := len(ws)
	if !timeLike(ws) {
		end = wordsBeforeTime(ws)
	}
	for end > 1 && trailingWords[ws[end-1].Low] {
		end--
	}
	if end > 2 && ws[end-1].Low == "days" && ws[end-2].Low == "these" {
		end -= 2
	}
	return ws[:end]
}

// toClauseEnd returns the words up to the end of the clause.
func toClauseEnd(ws []Word) []Word {
	end := 0
	for end < len(ws) && end < maxObject {
		w := ws[end]
		if end > 0 && clauseEndWords[w.Low] && !(w.Low == "that" && end == 1) {
			break
		}
		if end > 0 && w.Low == "to" && ws[end-1].capital() && end+1 < len(ws) && !ws[end+1].capital() && !isNumber(ws[end+1].Low) && ws[end+1].Low != "the" {
			break // Orbit, to start a studio
		}
		if end > 0 && w.Low == "and" && end+1 < len(ws) && (modals[ws[end+1].Low] || startsClause(ws[end+1:])) {
			break
		}
		end++
		if w.SignAfter == ',' && end < len(ws) && isDateTail(ws[end]) {
			continue // May 5, 2023
		}
		if w.SignAfter != 0 && w.SignAfter != '\'' && w.SignAfter != '"' && w.SignAfter != '%' && w.SignAfter != '.' && w.SignAfter != '€' && w.SignAfter != '$' {
			break
		}
	}
	return ws[:end]
}

func isDateTail(w Word) bool { return len(w.Low) == 4 && isNumber(w.Low) }

// startsClause reports a pronoun, or a name before a verb.
func startsClause(ws []Word) bool {
	switch ws[0].Low {
	case "i", "he", "she", "we", "they", "it", "you", "i'm", "we're", "then", "now":
		return true
	}
	if ws[0].Low == "my" || ws[0].Low == "our" || ws[0].Low == "the" {
		return slices.ContainsFunc(ws[:min(len(ws), 5)], func(w Word) bool { return isCopula(w.Low) })
	}
	return len(ws) > 1 && (isCopula(ws[1].Low) || personVerbs[ws[1].Low]) || len(verbs[ws[0].Low]) > 0 && len(ws) > 1
}

// isPerson guesses whether the subject of a clause is a person.
func isPerson(np []Word) bool {
	if len(np) == 0 {
		return false
	}
	first, last := np[0], np[len(np)-1]
	switch first.Low {
	case "i", "we", "he", "she":
		return true
	}
	return givenNames[first.Low] && !first.Possessive && !places[last.Low] || peopleWords[last.Low] || titles[first.Low] ||
		first.capital() && !commonWords[first.Low] && !orgEnds[last.Low] && len(np) <= 2 && !first.Possessive && !first.allCapitals()
}
