package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// timeLike reports whether the words begin with a time or a date.
func timeLike(ws []Word) bool {
	for i := 0; i < len(ws) && i < 4; i++ {
		w := ws[i]
		switch {
		case isClock(ws, i), calendar[w.Low] && w.Low != "may" && w.Low != "march" && w.Low != "fall" && w.Low != "spring" && w.Low != "am" && w.Low != "sun" && w.Low != "sat",
			(w.Low == "may" || w.Low == "march") && w.capital(), timeWords[w.Low]:
			return true
		case i+1 < len(ws) && isNumber(w.Low) && calendar[ws[i+1].Low], isDate(w.Low):
			return true
		case len(w.Low) == 4 && isNumber(w.Low) && i > 0 && (ws[i-1].Low == "in" || ws[i-1].Low == "by"):
			return true
		case w.Low == "the" && i+1 < len(ws) && isOrdinal(ws[i+1].Low), isOrdinal(w.Low) && i+1 < len(ws) && (ws[i+1].Low == "of" || calendar[ws[i+1].Low]):
			return true
		case i+1 < len(ws) && (w.Low == "next" || w.Low == "this" || w.Low == "last") && (ws[i+1].Low == "week" || ws[i+1].Low == "month" || ws[i+1].Low == "year" || calendar[ws[i+1].Low]):
			return true
		case !timeLeadWords[w.Low]:
			return false
		}
	}
	return false
}

var timeLeadWords = english.WordSet("on at by for in from until every each next this the early late mid around about before after between to of end beginning")

// isClock reports a time of day: 14:30, 3pm, 3 pm, 5 o'clock.
func isClock(ws []Word, i int) bool {
	low := ws[i].Low
	if !isNumber(low) {
		hour, _ := english.NumberWord(low)
		return i > 0 && ws[i-1].Low == "at" && hour > 0 && hour <= 12 && ws[i].SignAfter != '-' && (i+1 == len(ws) || ws[i].SignAfter != 0 || !isCountedNoun(ws[i+1].Low))
	}
	if strings.Contains(low, ":") || strings.HasSuffix(low, "am") || strings.HasSuffix(low, "pm") {
		return true
	}
	if i+1 >= len(ws) || ws[i].SignAfter != 0 {
		return i > 0 && ws[i-1].Low == "at" && len(low) <= 2
	}
	next := ws[i+1].Low
	return next == "am" || next == "pm" || next == "a.m" || next == "p.m" || next == "o'clock" || i > 0 && ws[i-1].Low == "at" && len(low) <= 2
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
func wordsBeforeTime(ws []Word) int {
	for i := 1; i < len(ws); i++ {
		low, next := ws[i].Low, ""
		if i+1 < len(ws) {
			next = ws[i+1].Low
		}
		counted := isNumber(low) || isNumberWord(low) || low == "a" || low == "some" || low == "many"
		switch {
		case counted && i+2 < len(ws) && ws[i+2].Low == "ago", low == "a" && i+3 < len(ws) && ws[i+3].Low == "ago":
			return i
		case low == "yesterday", low == "today", low == "tomorrow", low == "tonight", low == "recently":
			return i
		case (low == "last" || low == "next" || low == "this") && (timeSpans[next] || calendar[next]):
			return i
		case (low == "in" || low == "on" || low == "until" || low == "by" || low == "from") && timeLike(ws[i:]):
			return i
		case low == "for" && i+2 < len(ws) && (isNumber(next) || isNumberWord(next) || next == "a") && timeSpans[strings.TrimSuffix(ws[i+2].Low, "s")]:
			return i
		}
	}
	return len(ws)
}

var timeSpans = english.WordSet("day week month year weekend quarter morning evening decade hour minute while")
