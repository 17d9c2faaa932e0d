package distil

import (
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// splitNumbers cuts a sentence before its numbers "1.", "2." and so on. What stands before the first one is the occasion.
func splitNumbers(text string) (parts []string, occasion string, numbered bool) {
	ws := wordsOf(text)
	from, next := -1, 1
	for i, w := range ws {
		if i+1 == len(ws) || !isListNumber(w) || from >= 0 && w.Low != strconv.Itoa(next) {
			continue
		}
		switch {
		case from >= 0:
			parts = append(parts, strings.TrimRight(text[from:w.Start], " ,;("))
		case i > 0 && ws[i-1].SignAfter != ':':
			return nil, "", false
		case i > 0:
			occasion = strings.TrimRight(text[:w.Start], " :(")
		}
		if from < 0 {
			next, _ = strconv.Atoi(w.Low)
		}
		from, next = ws[i+1].Start, next+1
	}
	if from < 0 {
		return nil, "", false
	}
	return append(parts, text[from:]), occasion, true
}

// withoutNextNumber drops a number at the end of a sentence, which is that of the next one: "Export the sheet. 2. Fill in the form". before
// says that the sentence before ended in the number of this one.
func withoutNextNumber(text string, before bool) (rest string, numbered, next bool) {
	ws := wordsOf(text)
	if n := len(ws) - 1; n >= 0 && isListNumber(ws[n]) && (n == 0 || ws[n-1].SignAfter == ':' || ws[n-1].SignAfter == '.') {
		return strings.TrimRight(text[:ws[n].Start], " ("), before, true
	}
	return text, before, false
}

// orderLeads begin a step that follows, or is followed by, another one.
var orderLeads = english.WordSet("first firstly second secondly third thirdly then next finally lastly afterwards")

// opensInOrder reports a text that begins with a word of order.
func opensInOrder(text string) bool {
	ws := wordsOf(text)
	return len(ws) > 0 && orderLeads[ws[0].Low]
}

// splitSteps cuts a sentence into steps at words and signs that say "then". The words before "first" and before a colon are the occasion
// if there are several steps: "for the billing I first exported …, then …".
func splitSteps(text string) (parts []string, occasion string) {
	text = strings.NewReplacer(" -> ", " → ", " => ", " → ").Replace(text)
	if strings.Contains(text, " → ") {
		parts = strings.Split(text, " → ")
		if head, first, ok := strings.Cut(parts[0], ": "); ok {
			occasion, parts[0] = capitalised(strings.TrimSpace(head)), first // "Release: build -> test -> deploy"
		}
		return parts, occasion
	}
	ws := wordsOf(text)
	cuts := []int{0}
	for i := 1; i+1 < len(ws); i++ {
		from := ws[i].Start
		if ws[i].Low == "after" && ws[i+1].Low == "that" && i+2 < len(ws) {
			from = ws[i+2].Start
		} else if ws[i].Low != "then" && ws[i].Low != "finally" {
			continue
		}
		if sign := ws[i-1].SignAfter; sign == ',' || sign == ';' || ws[i-1].Low == "and" {
			cuts = append(cuts, from)
		}
	}
	for i, from := range cuts {
		to := len(text)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		part := strings.TrimRight(strings.TrimSpace(text[from:to]), ",;")
		for _, link := range []string{" after that", " and"} {
			part = strings.TrimRight(strings.TrimSuffix(part, link), ",;")
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 {
		return parts, ""
	}
	for i := 2; i+1 < len(ws) && ws[i].Start < cuts[1]; i++ {
		if ws[i].Low == "first" && (ws[i-1].Low == "i" || ws[i-1].Low == "we") && occasionWords[ws[0].Low] {
			occasion = strings.TrimRight(text[:ws[i-1].Start], " ,")
			parts[0] = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(text[ws[i].Start:min(cuts[1], len(text))]), " and"), ", ;")
		}
	}
	return parts, occasion
}

// FollowsOn reports whether a text of one sentence tells of the step after that of an earlier one: "I stopped the writers", "Then I started
// the writers". Of the same verb the later one may be a change: "I moved to Oslo", "Then I moved to Bergen".
func FollowsOn(earlier, later string) bool {
	if !opensInOrder(later) || len(splitSentences(later)) > 1 {
		return false
	}
	before, after := stepsOf(Source{Text: earlier}), stepsOf(Source{Text: later})
	if len(before) == 0 || len(after) == 0 || before[len(before)-1].command || after[0].command {
		return false
	}
	verb, _, _ := strings.Cut(before[len(before)-1].key, " ")
	next, _, _ := strings.Cut(after[0].key, " ")
	return verb != next
}
