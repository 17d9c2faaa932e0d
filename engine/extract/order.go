package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// SameOrder reports whether the words that two texts share have the same order, apart from
// reorderings that say the same: a phrase that moves between the start and the end of its sentence
// ("On Monday we meet", "We meet on Monday"), neighbouring phrases of time or of direction ("from
// Ghent to Rome", "to Rome from Ghent"), the members of a list ("Bas and Noor"), an identity ("My boss
// is Ana", "Ana is my boss") and a passive with its agent. In doubt it reports a difference: "copy from
// staging to production" is not "copy from production to staging".
func SameOrder(a, b string) bool {
	x, y := sentences(a), sentences(b)
	allX, allY := orderedWords(x...), orderedWords(y...)
	if sameOrder(allX, allY) {
		return true
	}
	if len(x) != len(y) || len(x) == 1 {
		return false
	}
	sharedX, sharedY := shared(allX, allY), shared(allY, allX)
	for i := range x {
		if !sameKeys(inSentence(sharedX, i), inSentence(sharedY, i)) || !sameOrder(inSentence(allX, i), inSentence(allY, i)) {
			return false
		}
	}
	return true
}

// maxReordered is the maximum number of words between the first and the last difference in order.
const maxReordered = 64

// orderedWord is a word whose place counts.
type orderedWord struct {
	key        string // lemma, or the value of a number
	low        string
	sentence   int
	clause     int // number of clause marks up to it
	time       bool
	possessive bool // "my", "Ana's"
	name       bool
}

// orderedWords returns the words of sentences without articles. The members of a list are sorted, and
// the comma after a phrase that begins a sentence is no clause mark.
func orderedWords(all ...Sentence) []orderedWord {
	var out []orderedWord
	clause := 0
	for n, s := range all {
		listed := listMembers(s.Words)
		from := len(out)
		for i, w := range s.Words {
			if orderArticles[w.Low] {
				continue
			}
			o := orderedWord{key: english.Lemma(w.Low), low: w.Low, sentence: n, time: calendar[w.Low] || timeWords[english.Singular(w.Low)]}
			o.possessive, o.name = w.Possessive || possessives[w.Low], w.capital() && (!w.first || !commonWords[w.Low])
			switch {
			case isNumber(w.Low):
				o.key = normalisedNumber(w.Low)
			case numberOf(w.Low) != 0:
				o.key = strconv.Itoa(numberOf(w.Low))
			}
			if w.Possessive {
				o.key += "'s"
			}
			leadingComma := w.SignBefore == ',' && len(out) > from && isStarter(out[from:]) && out[len(out)-1].clause == out[from].clause
			if i > 0 && strings.ContainsRune(",;:", w.SignBefore) && w.SignBefore != 0 && listed[i] < 0 && !leadingComma || clauseWords[w.Low] && listed[i] < 0 {
				clause++
			}
			o.clause = clause
			out = append(out, o)
		}
		sortLists(out[from:], s.Words, listed)
		out = append(out[:from], withAttributes(out[from:])...)
		clause++
	}
	return out
}

// listMembers returns for each word the list that it is a member or the conjunction of, or -1. A list
// begins its sentence, or ends before a phrase or a sign, so that no member is the subject of another
// verb: "Kim called Bas and Noor left" has none.
func listMembers(ws []Word) []int {
	list := make([]int, len(ws))
	for i := range list {
		list[i] = -1
	}
	member := func(i int) bool {
		w := ws[i]
		return w.capital() && (!w.first || !commonWords[w.Low]) || strings.ContainsAny(w.Low, "0123456789") || !isVerbForm(w.Low) || !commonWords[w.Low] && len(verbs[w.Low]) == 0 && !imperatives[w.Low]
	}
	for i, w := range ws {
		if w.Low == "respectively" {
			return slices.Repeat([]int{-1}, len(ws))
		}
		if w.Low != "and" && w.Low != "or" || i == 0 || i+1 >= len(ws) || !member(i-1) || !member(i+1) || ws[i+1].SignBefore != 0 {
			continue
		}
		first := i - 1
		for first > 0 && ws[first].SignBefore == ',' && member(first-1) {
			first--
		}
		begins := first == 0 || first == 1 && (orderArticles[ws[0].Low] || possessives[ws[0].Low])
		ends := i+2 == len(ws) || ws[i+2].SignBefore != 0 || prepositions[ws[i+2].Low]
		if !begins && !ends {
			continue
		}
		for k := first; k <= i+1; k++ {
			list[k] = first
		}
	}
	return list
}

// sortLists sorts the members of each list. words are the ordered words of a sentence.
func sortLists(words []orderedWord, ws []Word, listed []int) {
	var places []int
	at, open := 0, -1
	flush := func() {
		members := make([]orderedWord, len(places))
		for i, p := range places {
			members[i] = words[p]
		}
		slices.SortFunc(members, func(a, b orderedWord) int { return strings.Compare(a.key, b.key) })
		for i, p := range places {
			words[p] = members[i]
		}
		places = nil
	}
	for i, w := range ws {
		if listed[i] != open {
			flush()
			open = listed[i]
		}
		if orderArticles[w.Low] {
			continue
		}
		if listed[i] >= 0 && w.Low != "and" && w.Low != "or" {
			places = append(places, at)
		}
		at++
	}
	flush()
}

// withAttributes turns "tea that is strong" at the end of a phrase into "strong tea".
func withAttributes(ws []orderedWord) []orderedWord {
	for i := 1; i+2 < len(ws); i++ {
		if !relatives[ws[i].low] || !formsOfBe[ws[i+1].low] || i+3 < len(ws) && !prepositions[ws[i+3].low] && ws[i+3].clause == ws[i+2].clause {
			continue
		}
		noun, attribute := ws[i-1], ws[i+2]
		attribute.clause = noun.clause
		ws = slices.Concat(ws[:i-1], []orderedWord{attribute, noun}, ws[i+3:])
	}
	return ws
}

// sameOrder compares the words of two sentences, also if one is a passive of the other. The place of
// "is" alone makes no difference.
func sameOrder(a, b []orderedWord) bool {
	if x, y := active(a), active(b); x != nil && y == nil {
		a = x
	} else if x == nil && y != nil {
		b = y
	}
	a, b = shared(a, b), shared(b, a)
	return reordered(a, b) || reordered(withoutBe(a), withoutBe(b))
}

func withoutBe(ws []orderedWord) []orderedWord {
	be := english.Lemma("is") // by the key, which both texts share: "am" in one may be "is" in the other
	return slices.DeleteFunc(slices.Clone(ws), func(w orderedWord) bool { return w.key == be })
}

// inSentence returns the words of one sentence.
func inSentence(ws []orderedWord, n int) []orderedWord {
	return slices.DeleteFunc(slices.Clone(ws), func(w orderedWord) bool { return w.sentence != n })
}

// sameKeys reports whether two lists have the same words in any order.
func sameKeys(a, b []orderedWord) bool { return len(a) == len(b) && len(shared(a, b)) == len(a) }

// shared returns the words of a that are in b, each as often as it is in both.
func shared(a, b []orderedWord) []orderedWord {
	left := map[string]int{}
	for _, w := range b {
		left[w.key]++
	}
	var out []orderedWord
	for _, w := range a {
		if left[w.key] > 0 {
			left[w.key]--
			out = append(out, w)
		}
	}
	return out
}

// reordered reports whether two arrangements of the same words, which have the same length, say the same.
func reordered(a, b []orderedWord) bool {
	from, end := 0, len(a)
	for from < end && a[from].key == b[from].key {
		from++
	}
	for end > from && a[end-1].key == b[end-1].key {
		end--
	}
	if from == end {
		return true
	}
	if end-from > maxReordered {
		return false
	}
	// "in May in Ghent" and "in Ghent in May" have the first word in common.
	return swapped(a, b, from, end) || from > 0 && isStarter(a[from-1:]) && swapped(a, b, from-1, end)
}

// swapped reports whether two arrangements that differ from one place to another say the same, because
// two parts changed places there.
func swapped(a, b []orderedWord, from, end int) bool {
	first, last := from == 0, end == len(a)
	a, b = a[from:end], b[from:end]
	for k := 1; k < len(a); k++ {
		at := len(a) - k // where b continues with the start of a
		if equalKeys(a[:k], b[at:]) && equalKeys(a[k:], b[:at]) &&
			(movable(a[:k], a[k:], b[:at], first, last) || movable(b[:at], b[at:], a[:k], first, last)) {
			return true
		}
	}
	return first && last && identity(a, b)
}

// movable reports whether a phrase may change places with the words after it without another
// meaning. again are those words as arranged in the other text.
func movable(phrase, rest, again []orderedWord, first, last bool) bool {
	if !isStarter(phrase) || !oneClause(rest) || !oneClause(again) {
		return false
	}
	if first && (last || isTimed(phrase)) {
		return true
	}
	return isStarter(rest) && oneClause(phrase) && (isTimed(phrase) || isTimed(rest) || directions[phrase[0].low] && directions[rest[0].low])
}

// identity reports two arrangements of one identity: "My boss is Ana", "Ana is my boss". One side is
// a name or someone's, since "all cats are animals" may not be turned round.
func identity(a, b []orderedWord) bool {
	at := slices.IndexFunc(a, func(w orderedWord) bool { return w.low == "is" || w.low == "was" })
	if at < 1 || at == len(a)-1 || !oneClause(a) || !oneClause(b) {
		return false
	}
	x, y, n := a[:at], a[at+1:], len(a)-at-1
	if !equalKeys(y, b[:n]) || !equalKeys(x, b[n+1:]) || b[n].low != a[at].low {
		return false
	}
	names := func(ws []orderedWord) bool {
		return ws[0].possessive || !slices.ContainsFunc(ws, func(w orderedWord) bool { return !w.name })
	}
	phrase := func(w orderedWord) bool {
		return prepositions[w.low] && w.low != "of" || w.low == "than" || w.low == "not"
	}
	return (names(x) || names(y)) && !slices.ContainsFunc(a, phrase)
}

// active turns "The key is kept under the pot by Mara" into "Mara keeps the key under the pot"; nil
// if the words are no passive with an agent.
func active(ws []orderedWord) []orderedWord {
	be := slices.IndexFunc(ws, func(w orderedWord) bool { return formsOfBe[w.low] })
	if be < 1 || be+2 >= len(ws) || ws[be+1].key == ws[be+1].low || strings.HasSuffix(ws[be+1].low, "ing") || !oneClause(ws) {
		return nil
	}
	by := be + 2 + slices.IndexFunc(ws[be+2:], func(w orderedWord) bool { return w.low == "by" })
	if by < be+2 || by+1 >= len(ws) {
		return nil
	}
	end := by + 1
	for end < len(ws) && !prepositions[ws[end].low] && !ws[end].time {
		end++
	}
	if end == by+1 {
		return nil
	}
	return slices.Concat(ws[by+1:end], ws[be+1:be+2], ws[:be], ws[be+2:by], ws[end:])
}

// isStarter reports whether words begin as a phrase or a subordinate clause that has no fixed place.
func isStarter(ws []orderedWord) bool {
	first := ws[0]
	return phraseStarts[first.low] || first.time || timeDeterminers[first.low] && len(ws) > 1 && ws[1].time
}

func isTimed(ws []orderedWord) bool {
	return slices.ContainsFunc(ws, func(w orderedWord) bool { return w.time })
}

func oneClause(ws []orderedWord) bool {
	return !slices.ContainsFunc(ws, func(w orderedWord) bool { return w.clause != ws[0].clause })
}

func equalKeys(a, b []orderedWord) bool {
	return slices.EqualFunc(a, b, func(x, y orderedWord) bool { return x.key == y.key })
}

var (
	orderArticles   = english.WordSet("a an the please")
	possessives     = english.WordSet("my our your his her its their")
	formsOfBe       = english.WordSet("am is are was were be been being")
	relatives       = english.WordSet("that which who")
	directions      = english.WordSet("from to into onto")
	timeDeterminers = english.WordSet("every each last next this that")
	// clauseWords begin a clause that holds by itself or on a condition.
	clauseWords = english.WordSet("and or but so if when whenever while because although though unless until once that which who whom whose where then")
	// phraseStarts begin a phrase or a clause that may be first or last in a sentence.
	phraseStarts = english.WordSet(`
		in on at for from with by about under over above below behind near after before during since until through between among without within to
		into onto around against across along beside inside outside if when whenever while because although though unless once
		usually normally often sometimes always currently`)
)
