package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Passing reports whether a text says what passes by itself: a state that ends (is blocked, for now,
// this week, until Friday), something to be done, or only questions. Such a text is no permanent
// fact. A past event is one, and so is a habit ("closed on Mondays", "open until 18:00").
func Passing(text string) bool {
	all := sentences(text)
	if len(all) == 0 {
		return false
	}
	if _, marked := strings.CutPrefix(strings.TrimLeft(text, "-* "), "[ ]"); marked {
		return true
	}
	if slices.ContainsFunc(Tasks(text), func(t Task) bool { return t.Certain || t.Blocks != "" }) {
		return true
	}
	asks := 0
	for _, s := range all {
		if s.Question {
			asks++
			continue
		}
		if low := s.Words[0].Low; low == "todo" || low == "fixme" || passes(s.Words) {
			return true
		}
	}
	return asks == len(all)
}

var (
	passingStates  = wordLists.Set("passingStates")
	passingUnits   = wordLists.Set("passingUnits")
	passingPhrases = func() (all [][]string) {
		for _, line := range wordLists.Lines("passingPhrases") {
			all = append(all, strings.Fields(line))
		}
		return all
	}()
)

// stateWithin is how many words after a form of "be" its state may come: "is still badly broken".
const stateWithin = 3

// passes reports whether a statement is bounded in time by its words.
func passes(ws []Word) bool {
	for i := range ws {
		if slices.ContainsFunc(passingPhrases, func(p []string) bool { return startsWith(ws[i:], p) }) {
			return true
		}
		switch low := ws[i].Low; {
		case low == "this" || low == "next":
			if i+1 < len(ws) && passingUnits[ws[i+1].Low] {
				return true
			}
		case low == "until" || low == "till":
			if i+1 < len(ws) && !clockTime(ws[i+1]) {
				return true
			}
		case copular(low):
			if passingState(ws[i+1:]) {
				return true
			}
		}
	}
	return false
}

// copular reports a word that ends in a present form of "be".
func copular(low string) bool {
	switch low {
	case "is", "are", "am", "isn't", "aren't":
		return true
	}
	return strings.HasSuffix(low, "'m") || strings.HasSuffix(low, "'re")
}

// passingState reports whether one of the next words names a state that ends. A noun in between, or
// a following day or "every", makes it another statement: "is the late train", "is late on Mondays".
func passingState(ws []Word) bool {
	for i, w := range ws[:min(len(ws), stateWithin)] {
		if w.Low == "due" && i+1 < len(ws) && (ws[i+1].Low == "within" || ws[i+1].Low == "after") {
			return false // a term of payment
		}
		if passingStates[w.Low] {
			return !slices.ContainsFunc(ws[i+1:], func(x Word) bool {
				_, weekday := english.Weekday(strings.TrimSuffix(x.Low, "s"))
				return x.Low == "every" || x.Low == "always" || x.Low == "usually" || weekday && strings.HasSuffix(x.Low, "s")
			})
		}
		if !strings.HasSuffix(w.Low, "ly") && w.Low != "not" && w.Low != "still" && w.Low != "very" && w.Low != "now" && w.Low != "again" && w.Low != "also" {
			return false
		}
	}
	return false
}

// clockTime reports a word that says a time of day.
func clockTime(w Word) bool {
	return isNumber(w.Low) || isNumberWord(w.Low) || w.Low == "noon" || w.Low == "midnight" || w.Low != "" && w.Low[0] >= '0' && w.Low[0] <= '9'
}
