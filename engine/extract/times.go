package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

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
		case !timeLeadWords[w.low]:
			return false
		}
	}
	return false
}

var timeLeadWords = english.WordSet("on at by for in from until every each next this the early late mid around about before after between to of end beginning")

// isClock reports a time of day: 14:30, 3pm, 3 pm, 5 o'clock.
func isClock(ws []word, i int) bool {
	low := ws[i].low
	if !isNumber(low) {
		hour, _ := english.NumberWord(low)
		return i > 0 && ws[i-1].low == "at" && hour > 0 && hour <= 12 && ws[i].signAfter != '-' && (i+1 == len(ws) || ws[i].signAfter != 0 || !isCountedNoun(ws[i+1].low))
	}
	if strings.Contains(low, ":") || strings.HasSuffix(low, "am") || strings.HasSuffix(low, "pm") {
		return true
	}
	if i+1 >= len(ws) || ws[i].signAfter != 0 {
		return i > 0 && ws[i-1].low == "at" && len(low) <= 2
	}
	next := ws[i+1].low
	return next == "am" || next == "pm" || next == "a.m" || next == "p.m" || next == "o'clock" || i > 0 && ws[i-1].low == "at" && len(low) <= 2
}

// isCountedNoun guesses that the word after a number is what the number counts: "at two desks".
func isCountedNoun(next string) bool {
	return len(next) > 3 && strings.HasSuffix(next, "s") && next != "always" && next != "mondays" && !calendar[next]
}

func isDate(low string) bool {
	return isNumber(low) && len(low) >= 8 && (strings.Count(low, "-") == 2 || strings.Count(low, "/") == 2 || strings.Count(low, ".") == 2)
}

func isOrdinal(low string) bool {
	_, ok := english.CutOrdinal(low)
	return ok && isNumber(low)
}

// wordsBeforeTime returns the number of words before an expression of time: "Berlin | four years
// ago", "Oslo | in 2020", "Acme | for three years".
func wordsBeforeTime(ws []word) int {
	for i := 1; i < len(ws); i++ {
		low, next := ws[i].low, ""
		if i+1 < len(ws) {
			next = ws[i+1].low
		}
		counted := isNumber(low) || isNumberWord(low) || low == "a" || low == "some" || low == "many"
		switch {
		case counted && i+2 < len(ws) && ws[i+2].low == "ago", low == "a" && i+3 < len(ws) && ws[i+3].low == "ago":
			return i
		case low == "yesterday", low == "today", low == "tomorrow", low == "tonight", low == "recently":
			return i
		case (low == "last" || low == "next" || low == "this") && (timeSpans[next] || calendar[next]):
			return i
		case (low == "in" || low == "on" || low == "until" || low == "by" || low == "from") && timeLike(ws[i:]):
			return i
		case low == "for" && i+2 < len(ws) && (isNumber(next) || isNumberWord(next) || next == "a") && timeSpans[strings.TrimSuffix(ws[i+2].low, "s")]:
			return i
		}
	}
	return len(ws)
}

var timeSpans = english.WordSet("day week month year weekend quarter morning evening decade hour minute while")
