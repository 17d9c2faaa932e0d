package extract

import (
	"slices"
	"strings"
)

// me is who says I.
func (p *parser) me() string {
	if p.speaker != "" {
		return p.speaker
	}
	return "user"
}

// other is who he or she is: the only person named so far.
func (p *parser) other() string {
	if p.several {
		return ""
	}
	return p.person
}

// subject names what a clause is about; empty where the words are no name of a thing
// or it is unknown who is meant.
func (p *parser) subject(ws []word) string {
	if len(ws) == 0 || len(ws) > maxSubject {
		return ""
	}
	for i, w := range ws {
		if i < len(ws)-1 && w.after != 0 && w.after != '"' || i > 0 && insideNoSubject[w.low] && !(w.low == "to" && i+1 < len(ws) && ws[i+1].capital()) {
			return ""
		}
	}
	if len(ws) == 1 {
		switch ws[0].low {
		case "i", "me", "we", "i've", "we've", "i'll", "we'll":
			return p.me()
		case "he", "she":
			return p.other()
		}
		if noSubject[ws[0].low] {
			return ""
		}
	}
	return p.thing(ws)
}

var (
	noSubject = set(`it they you this that these those there here who what which everyone everybody someone somebody something anything nothing everything
one people to not one each most some all many none in at on for from with by of as about here's there's and or`)
	insideNoSubject = set(`i he she we they you it who which that if when because is are was were am said says think thinks told asked want wants
would could should will may might must can to and or but so than as`)
)

// thing names a thing without its article; "my" goes to the speaker where known.
func (p *parser) thing(ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	switch ws[0].low {
	case "the", "a", "an", "our", "this", "that", "your":
		ws = ws[1:]
	case "my":
		if n := len(ws); n > 2 && peopleWords[ws[1].low] && ws[2].capital() && !ws[1].own {
			return p.source(ws[2:]) // my sister Lena
		}
		return p.with(p.speaker, ws[1:])
	case "his", "her":
		if p.other() == "" {
			return ""
		}
		return p.with(p.other(), ws[1:])
	case "their", "its":
		return ""
	}
	return p.with("", ws)
}

// with names a thing and whose it is.
func (p *parser) with(owner string, ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	name := p.source(ws)
	if owner == "" {
		return name
	}
	return owner + "'s " + name
}

// owned names what the subject of a clause has.
func (p *parser) owned(np, ws []word) string {
	for len(ws) > 1 && (ws[0].low == "a" || ws[0].low == "an" || numberWords[ws[0].low]) {
		ws = ws[1:]
	}
	owner := p.subject(np)
	if np[0].low == "i" || np[0].low == "we" {
		owner = p.speaker
	}
	return p.with(owner, ws)
}

// value is an object as it was written, without its article.
func (p *parser) value(ws []word) string {
	for len(ws) > 1 && (ws[0].low == "the" || ws[0].low == "a" || ws[0].low == "an") {
		ws = ws[1:]
	}
	for len(ws) > 1 && valueLeads[ws[0].low] && timeLike(ws[1:]) {
		ws = ws[1:]
	}
	return p.source(ws)
}

var valueLeads = set("on at by for in from until")

// source is the text from the first to the last of the words.
func (p *parser) source(ws []word) string {
	if len(ws) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(p.text[ws[0].start:ws[len(ws)-1].end]), " ")
}

var (
	clauseEnds = set("because but although though while when which who whose if unless so since where that")
	trailing   = set("now currently anymore again instead too though today nowadays already yet then actually btw")
)

// objectOf is the words up to the end of the clause, or to the time it happened at
// where the object is none itself.
func objectOf(ws []word) []word {
	ws = toClauseEnd(ws)
	end := len(ws)
	if !timeLike(ws) {
		end = beforeTime(ws)
	}
	for end > 1 && trailing[ws[end-1].low] {
		end--
	}
	if end > 2 && ws[end-1].low == "days" && ws[end-2].low == "these" {
		end -= 2
	}
	return ws[:end]
}

// toClauseEnd is the words up to the end of the clause.
func toClauseEnd(ws []word) []word {
	end := 0
	for end < len(ws) && end < maxObject {
		w := ws[end]
		if end > 0 && clauseEnds[w.low] && !(w.low == "that" && end == 1) {
			break
		}
		if end > 0 && w.low == "and" && end+1 < len(ws) && startsClause(ws[end+1:]) {
			break
		}
		end++
		if w.after == ',' && end < len(ws) && isDateTail(ws[end]) {
			continue // May 5, 2023
		}
		if w.after != 0 && w.after != '\'' && w.after != '"' && w.after != '%' && w.after != '.' && w.after != '€' && w.after != '$' {
			break
		}
	}
	return ws[:end]
}

// beforeTime is how many words stand before an expression of time: "Berlin | four years
// ago", "Oslo | in 2020", "Acme | for three years".
func beforeTime(ws []word) int {
	for i := 1; i < len(ws); i++ {
		low, next := ws[i].low, ""
		if i+1 < len(ws) {
			next = ws[i+1].low
		}
		counted := isNumber(low) || numberWords[low] || low == "a" || low == "some" || low == "many"
		switch {
		case counted && i+2 < len(ws) && ws[i+2].low == "ago", low == "a" && i+3 < len(ws) && ws[i+3].low == "ago":
			return i
		case low == "yesterday", low == "today", low == "tomorrow", low == "tonight", low == "recently":
			return i
		case (low == "last" || low == "next" || low == "this") && (spans[next] || calendar[next]):
			return i
		case (low == "in" || low == "on" || low == "until" || low == "by" || low == "from") && timeLike(ws[i:]):
			return i
		case low == "for" && i+2 < len(ws) && (isNumber(next) || numberWords[next] || next == "a") && spans[strings.TrimSuffix(ws[i+2].low, "s")]:
			return i
		}
	}
	return len(ws)
}

var spans = set("day week month year weekend quarter morning evening decade hour minute while")

func isDateTail(w word) bool { return len(w.low) == 4 && isNumber(w.low) }

// startsClause reports a pronoun, or a name with a verb behind it.
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

// timeLike reports whether the words begin with a time or a date.
func timeLike(ws []word) bool {
	for i := 0; i < len(ws) && i < 4; i++ {
		w := ws[i]
		switch {
		case isClock(ws, i), calendar[w.low] && w.low != "may" && w.low != "march" && w.low != "fall" && w.low != "spring" && w.low != "am" && w.low != "sun" && w.low != "sat",
			(w.low == "may" || w.low == "march") && w.capital(), timeWords[w.low]:
			return true
		case i+1 < len(ws) && isNumber(w.low) && calendar[ws[i+1].low], isDate(w.low):
			return true
		case len(w.low) == 4 && isNumber(w.low) && i > 0 && (ws[i-1].low == "in" || ws[i-1].low == "by"):
			return true
		case w.low == "the" && i+1 < len(ws) && isOrdinal(ws[i+1].low), isOrdinal(w.low) && i+1 < len(ws) && (ws[i+1].low == "of" || calendar[ws[i+1].low]):
			return true
		case i+1 < len(ws) && (w.low == "next" || w.low == "this" || w.low == "last") && (ws[i+1].low == "week" || ws[i+1].low == "month" || ws[i+1].low == "year" || calendar[ws[i+1].low]):
			return true
		case !timeLeads[w.low]:
			return false
		}
	}
	return false
}

var timeLeads = set("on at by for in from until every each next this the early late mid around about before after between to of end beginning")

// isClock reports 14:30, 3pm, 3 pm, 5 o'clock.
func isClock(ws []word, i int) bool {
	low := ws[i].low
	if !isNumber(low) {
		return i > 0 && ws[i-1].low == "at" && numberValue[low] > 0 && numberValue[low] <= 12 && ws[i].after != '-' && (i+1 == len(ws) || ws[i].after != 0 || !clockCounts(ws[i+1].low))
	}
	if strings.Contains(low, ":") || strings.HasSuffix(low, "am") || strings.HasSuffix(low, "pm") {
		return true
	}
	if i+1 >= len(ws) || ws[i].after != 0 {
		return i > 0 && ws[i-1].low == "at" && len(low) <= 2
	}
	next := ws[i+1].low
	return next == "am" || next == "pm" || next == "a.m" || next == "p.m" || next == "o'clock" || i > 0 && ws[i-1].low == "at" && len(low) <= 2
}

// clockCounts guesses that the word behind a number is what it counts: "at two desks".
func clockCounts(next string) bool {
	return len(next) > 3 && strings.HasSuffix(next, "s") && next != "always" && next != "mondays" && !calendar[next]
}

func isDate(low string) bool {
	return isNumber(low) && len(low) >= 8 && (strings.Count(low, "-") == 2 || strings.Count(low, "/") == 2 || strings.Count(low, ".") == 2)
}

func isOrdinal(low string) bool {
	return isNumber(low) && (strings.HasSuffix(low, "st") || strings.HasSuffix(low, "nd") || strings.HasSuffix(low, "rd") || strings.HasSuffix(low, "th"))
}

// isPerson guesses whether the subject of a clause is somebody.
func isPerson(np []word) bool {
	if len(np) == 0 {
		return false
	}
	first, last := np[0], np[len(np)-1]
	switch first.low {
	case "i", "we", "he", "she":
		return true
	}
	return givenNames[first.low] && !first.own && !places[last.low] || peopleWords[last.low] || titles[first.low] ||
		first.capital() && !plain[first.low] && !orgEnds[last.low] && len(np) <= 2 && !first.own && !first.shouted()
}

var numberWords = set("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million")
