package extract

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// Done reports whether a text says that its speaker has done a task: "I called grandma yesterday" for "call grandma", "the taxes are filed"
// for "file taxes". task are the lemmas of the task without determiners and times, the verb first. A question, a negation, a wish and a
// condition say nothing, and neither does a text without one of the content words of the task.
func Done(task []string, text string) bool {
	if len(task) < 2 {
		return false
	}
	matter := slices.DeleteFunc(slices.Clone(task[1:]), english.StopWord)
	if len(matter) == 0 {
		return false
	}
	for _, s := range sentences(text) {
		if s.Question {
			continue
		}
		for i := range s.Words {
			if english.Lemma(s.Words[i].Low) == task[0] && (toldDone(s.Words, i) || isDone(s.Words, i)) && saysAll(s.Words, matter) {
				return true
			}
		}
	}
	return false
}

// TellsDone reports whether a text may say that its speaker has done something.
func TellsDone(text string) bool {
	for _, s := range sentences(text) {
		for i := range s.Words {
			if !s.Question && (toldDone(s.Words, i) || isDone(s.Words, i)) {
				return true
			}
		}
	}
	return false
}

// betweenDone are the words that may stand between "I" or "we" and what was done, or between "is" and it.
var betweenDone = english.WordSet("have 've already finally just now also then both all been today yesterday")

// clauseOpeners begin a clause that says of nothing that it was done.
var clauseOpeners = english.WordSet("once until before after")

// toldDone reports whether the word at i is what "I" or "we" did: "I've already called".
func toldDone(ws []Word, i int) bool {
	if !isPast(ws[i].Low) {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		base, clitic := english.Contraction(ws[k].Low)
		if base == "i" || base == "we" {
			return (clitic == "" || clitic == "'ve") && !ofNoFact(ws[:k])
		}
		if !betweenDone[ws[k].Low] || ws[k].SignAfter != 0 {
			return false
		}
	}
	return false
}

// isDone reports whether the word at i says what became of something: "the taxes are filed", "the report has been sent".
func isDone(ws []Word, i int) bool {
	if !isPast(ws[i].Low) {
		return false
	}
	for k := i - 1; k > 0; k-- {
		if isCopula(ws[k].Low) && ws[k].Low != "been" {
			return !ofNoFact(ws[:k])
		}
		if low := ws[k].Low; low == "has" || low == "have" {
			return k+1 < i && ws[i-1].Low == "been" && !ofNoFact(ws[:k])
		}
		if !betweenDone[ws[k].Low] || ws[k].SignAfter != 0 {
			return false
		}
	}
	return false
}

// ofNoFact reports whether what comes after the words is said of no fact.
func ofNoFact(before []Word) bool {
	return slices.ContainsFunc(before, func(w Word) bool {
		return conditional[w.Low] || wishes[w.Low] || clauseOpeners[w.Low] || negations[w.Low]
	})
}

// saysAll reports whether the words include all lemmas of some.
func saysAll(ws []Word, lemmas []string) bool {
	return !slices.ContainsFunc(lemmas, func(lemma string) bool {
		return !slices.ContainsFunc(ws, func(w Word) bool { return english.Lemma(w.Low) == lemma })
	})
}
