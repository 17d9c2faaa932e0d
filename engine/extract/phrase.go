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
func (p *parser) subject(ws []word) string {
	if len(ws) == 0 || len(ws) > maxSubject {
		return ""
	}
	if prepositions[ws[0].low] || insideNoSubject[ws[0].low] && len(ws) > 1 {
		return ""
	}
	for i, w := range ws {
		if i < len(ws)-1 && w.signAfter != 0 && w.signAfter != '"' || i > 0 && insideNoSubject[w.low] && !(w.low == "to" && i+1 < len(ws) && ws[i+1].capital()) {
			return ""
		}
	}
	if len(ws) == 1 {
		switch ws[0].low {
		case "i", "me", "we", "i've", "we've", "i'll", "we'll":
			return p.speakerName()
		case "he", "she":
			return p.personMentioned()
		}
		if noSubject[ws[0].low] {
			return ""
		}
	}
	if bare := ws[len(ws)-1]; len(ws) <= 2 && noSubject[bare.low] {
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
func (p *parser) thing(ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	switch ws[0].low {
	case "the", "a", "an", "our", "this", "that", "your":
		ws = ws[1:]
	case "my":
		if n := len(ws); n > 2 && peopleWords[ws[1].low] && ws[2].capital() && !ws[1].possessive {
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
func (p *parser) withOwner(owner string, ws []word) string {
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
func (p *parser) possession(np, ws []word) string {
	for len(ws) > 1 && (ws[0].low == "a" || ws[0].low == "an" || isNumberWord(ws[0].low)) {
		ws = ws[1:]
	}
	owner := p.subject(np)
	if np[0].low == "i" || np[0].low == "we" {
		owner = p.speaker
	}
	return p.withOwner(owner, ws)
}

// value returns an object as written, without its article.
func (p *parser) value(ws []word) string {
	for len(ws) > 1 && (ws[0].low == "the" || ws[0].low == "a" || ws[0].low == "an") {
		ws = ws[1:]
	}
	for len(ws) > 1 && valueLeads[ws[0].low] && timeLike(ws[1:]) {
		ws = ws[1:]
	}
	return p.textOf(ws)
}

var valueLeads = english.WordSet("on at by for in from until")

// textOf returns the text from the first to the last of the words.
func (p *parser) textOf(ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(p.text[ws[0].start:ws[len(ws)-1].end]), " ")
}

var (
	clauseEndWords = english.WordSet("because but although though while when which who whose if unless so since where that")
	trailingWords  = english.WordSet("now currently anymore again instead too though today nowadays already yet then actually btw")
)

// objectOf returns the words up to the end of the clause, or up to an expression of time if the
// object is none itself.
func objectOf(ws []word) []word {
	ws = toClauseEnd(ws)
	end := len(ws)
	if !timeLike(ws) {
		end = wordsBeforeTime(ws)
	}
	for end > 1 && trailingWords[ws[end-1].low] {
		end--
	}
	if end > 2 && ws[end-1].low == "days" && ws[end-2].low == "these" {
		end -= 2
	}
	return ws[:end]
}

// toClauseEnd returns the words up to the end of the clause.
func toClauseEnd(ws []word) []word {
	end := 0
	for end < len(ws) && end < maxObject {
		w := ws[end]
		if end > 0 && clauseEndWords[w.low] && !(w.low == "that" && end == 1) {
			break
		}
		if end > 0 && w.low == "to" && ws[end-1].capital() && end+1 < len(ws) && !ws[end+1].capital() && !isNumber(ws[end+1].low) && ws[end+1].low != "the" {
			break // Orbit, to start a studio
		}
		if end > 0 && w.low == "and" && end+1 < len(ws) && (modals[ws[end+1].low] || startsClause(ws[end+1:])) {
			break
		}
		end++
		if w.signAfter == ',' && end < len(ws) && isDateTail(ws[end]) {
			continue // May 5, 2023
		}
		if w.signAfter != 0 && w.signAfter != '\'' && w.signAfter != '"' && w.signAfter != '%' && w.signAfter != '.' && w.signAfter != '€' && w.signAfter != '$' {
			break
		}
	}
	return ws[:end]
}

func isDateTail(w word) bool { return len(w.low) == 4 && isNumber(w.low) }

// startsClause reports a pronoun, or a name before a verb.
func startsClause(ws []word) bool {
	switch ws[0].low {
	case "i", "he", "she", "we", "they", "it", "you", "i'm", "we're", "then", "now":
		return true
	}
	if ws[0].low == "my" || ws[0].low == "our" || ws[0].low == "the" {
		return slices.ContainsFunc(ws[:min(len(ws), 5)], func(w word) bool { return isCopula(w.low) })
	}
	return len(ws) > 1 && (isCopula(ws[1].low) || personVerbs[ws[1].low]) || len(verbs[ws[0].low]) > 0 && len(ws) > 1
}

// isPerson guesses whether the subject of a clause is a person.
func isPerson(np []word) bool {
	if len(np) == 0 {
		return false
	}
	first, last := np[0], np[len(np)-1]
	switch first.low {
	case "i", "we", "he", "she":
		return true
	}
	return givenNames[first.low] && !first.possessive && !places[last.low] || peopleWords[last.low] || titles[first.low] ||
		first.capital() && !commonWords[first.low] && !orgEnds[last.low] && len(np) <= 2 && !first.possessive && !first.allCapitals()
}
