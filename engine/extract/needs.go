package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Words of what the speaker asks for or has to do.
var (
	// requested may stand before "remind me" and "don't let me forget".
	requested = english.WordSet("please just also and but so then kindly ok okay oh hey")
	// asking stand before "you remind me".
	asking = english.WordSet("can could will would")
	// leads may stand directly before "I need to" without a sign: what they introduce is said for itself.
	leads = english.WordSet("and but so then also now today tonight tomorrow think guess ok okay well yes")
	// degrees may stand between "I" and "need to".
	degrees = english.WordSet("really also still just definitely urgently absolutely finally now soon probably only already")
	// standing are words of what has to be done again and again, or if something happens.
	standing = english.WordSet(`always never ever every each daily weekly monthly yearly annually nightly usually often sometimes whenever regularly
		generally normally weekends weekdays mornings evenings afternoons nights if unless when once twice until till`)
	// states are verbs of how somebody is, which need a day to be something to be done.
	states = english.WordSet("be have know sleep stay live wear avoid")
	// owns are verbs with which the speaker owns up to something that follows.
	owns = english.WordSet("admit say confess agree")
	// asks are words after "remind me" that ask for something that was said.
	asks = english.WordSet("what how who where which why when whether if about of that")
	// opensTime are words that begin a time before "I need to".
	opensTime = english.WordSet("by on before next this in within")
	// days are words that name a day or a longer time without being its name.
	days = english.WordSet("today tonight tomorrow weekend week month year day days weeks months noon midday eod cob eow eom")
)

// reminder reads "remind me to X", "remind me on Friday to X", "don't let me forget to X" and, where the sentence says when,
// "remind me about X". A question is none, unless it asks to be reminded.
func (p *parser) reminder(ws []Word, question bool) (Task, bool) {
	for i := range ws {
		asked := i > 1 && ws[i-1].Low == "you" && asking[ws[i-2].Low] || i > 2 && ws[i-1].Low == "please" && ws[i-2].Low == "you" && asking[ws[i-3].Low]
		if question && !asked || i > 0 && !asked && !requested[ws[i-1].Low] && ws[i-1].SignAfter == 0 {
			continue
		}
		if isStanding(ws) {
			return Task{}, false
		}
		if startsWith(ws[i:], []string{"don't", "let", "me", "forget"}) || startsWith(ws[i:], []string{"do", "not", "let", "me", "forget"}) {
			at := i + 4
			if ws[i].Low == "do" {
				at++
			}
			if at < len(ws) && (ws[at].Low == "to" || ws[at].Low == "about" || ws[at].Low == "that") {
				at++
			}
			text := p.textOf(ws[at:])
			return Task{Text: text, Strength: 0.85, Certain: true, Own: true}, text != ""
		}
		if !startsWith(ws[i:], []string{"remind", "me"}) && !startsWith(ws[i:], []string{"remind", "us"}) {
			continue
		}
		rest := ws[i+2:]
		if len(rest) > 1 && asks[rest[0].Low] {
			about := rest[0].Low == "about" || rest[0].Low == "of" || rest[0].Low == "that"
			text := p.textOf(rest[1:])
			return Task{Text: text, Strength: 0.72, Own: true}, about && !asks[rest[1].Low] && text != ""
		}
		at := slices.IndexFunc(rest, func(w Word) bool { return w.Low == "to" || asks[w.Low] || w.SignAfter != 0 })
		if at < 0 || rest[at].Low != "to" || at > maxBetween {
			return Task{}, false
		}
		text := p.textOf(rest[at+1:])
		return Task{Text: text, Strength: 0.90, Certain: true, Own: true}, text != ""
	}
	return Task{}, false
}

// maxBetween is the number of words that may stand between "remind me" and "to": "on the last day of May".
const maxBetween = 6

// need is where a sentence says "I need to", "we have to", "I must", "I've got to": the number of the first word and of the verb that follows.
func need(ws []Word) (at, verb int, ok bool) {
	for i := range ws {
		base := strings.TrimSuffix(strings.TrimSuffix(ws[i].Low, "'ll"), "'ve")
		if base != "i" && base != "we" || ws[i].SignAfter != 0 {
			continue
		}
		n := i + 1
		for n < len(ws) && (degrees[ws[n].Low] || ws[n].Low == "will" && base == ws[i].Low) {
			n++
		}
		have := strings.HasSuffix(ws[i].Low, "'ve")
		if n < len(ws) && ws[n].Low == "have" && n+1 < len(ws) && ws[n+1].Low == "got" {
			have, n = true, n+1
		}
		switch rest := ws[n:]; {
		case len(rest) > 1 && (rest[0].Low == "must" || rest[0].Low == "gotta"):
			return i, n + 1, rest[1].Low != "have" // "I must have lost it" is a guess
		case len(rest) > 2 && (!have && (rest[0].Low == "need" || rest[0].Low == "have") || have && rest[0].Low == "got") && rest[1].Low == "to" && rest[0].SignAfter == 0:
			return i, n + 2, true
		}
	}
	return 0, 0, false
}

// once returns the index of what the speaker has to do, once: no standing duty, no state without a day, and no part of another statement. -1:
// the sentence says none.
func once(ws []Word) int {
	at, verb, ok := need(ws)
	if !ok || isStanding(ws) || owns[ws[verb].Low] || strings.ContainsRune("\"“”«»‘’'", ws[at].SignBefore) || at > 0 && ws[at-1].SignAfter == ':' ||
		at > 0 && ws[at-1].SignAfter == 0 && !leads[ws[at-1].Low] && !leadingTime(ws[:at]) {
		return -1
	}
	day := slices.ContainsFunc(ws, func(w Word) bool { return namesDay(w.Low) })
	hour := slices.IndexFunc(ws, func(w Word) bool { return w.Low == "at" })
	atHour := hour >= 0 && hour+1 < len(ws) && isHour(ws[hour+1].Low)
	if !day && (states[ws[verb].Low] || atHour || slices.ContainsFunc(ws, func(w Word) bool { return w.Low == "night" })) {
		return -1
	}
	return verb
}

// isStanding reports a sentence of what is done again and again, or under a condition: "every day", "on Tuesdays".
func isStanding(ws []Word) bool {
	return slices.ContainsFunc(ws, func(w Word) bool {
		one, plural := strings.CutSuffix(w.Low, "s")
		_, weekday := english.Weekday(one)
		return standing[w.Low] || plural && weekday
	})
}

func namesDay(low string) bool {
	_, weekday := english.Weekday(low)
	return weekday || days[low] || english.Month(low) != 0
}

func isHour(low string) bool {
	_, number := english.NumberWord(low)
	return number || low[0] >= '0' && low[0] <= '9'
}

// leadingTime reports that a sentence begins with a time: "By 3 May we must".
func leadingTime(before []Word) bool {
	return opensTime[before[0].Low] && slices.ContainsFunc(before, func(w Word) bool { return namesDay(w.Low) })
}

// Once reports that the speaker has to do the task, or asks to be reminded of it, and that it is no standing duty: it is
// a candidate if it says when.
func (t Task) Once() bool {
	for _, s := range sentences(t.Sentence) {
		if _, ok := (&parser{text: t.Sentence}).reminder(s.Words, s.Question); ok || once(s.Words) >= 0 {
			return true
		}
	}
	return false
}
