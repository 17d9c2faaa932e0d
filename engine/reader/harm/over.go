package harm

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

var (
	allergies = lemmas("allergy allergies intolerance intolerances sensitivity")
	reacting  = english.WordSet("allergic intolerant sensitive")
	vanished  = english.WordSet("gone over cured disappeared vanished resolved")
	vanishing = lemmas("disappear vanish go clear resolve")
	bothering = lemmas("bother affect hurt harm trouble upset irritate disagree give make trigger cause")
	harmless  = english.WordSet("fine safe ok okay alright harmless")
	timely    = english.WordSet("last this years ago now completely entirely finally thankfully luckily recently since")
	// turnsOut are words before a statement that was found to be so.
	turnsOut = [][]string{{"it", "turns", "out", "that"}, {"it", "turns", "out"}, {"turns", "out", "that"}, {"turns", "out"}, {"it", "turned", "out"}, {"turned", "out"}}
)

// Over reads a clause that says that something no longer harms somebody, or that they may have it again: "I outgrew my egg allergy", "cats don't bother me any
// more", "I can eat nuts again". ended says that "no longer" or "any more" was in the clause, which are not among the words.
func Over(words []Word, ended bool) (Reading, bool) {
	s := newScan(words)
	for _, t := range turnsOut {
		if n := len(t); len(s.w) > n && !slices.ContainsFunc(t, func(low string) bool { return s.low(slices.Index(t, low)) != low }) {
			s = &scan{w: s.w[n:], lems: s.lems[n:], at: s.at[n:]}
			break
		}
	}
	if ended {
		return s.first(s.hasNoMore, s.bothersNoMore)
	}
	return s.first(s.outgrown, s.allergyGone, s.mayAgain)
}

// Sensitive reads a clause that says to what somebody is allergic: "I'm allergic to cats", "our son has an egg allergy".
func Sensitive(words []Word) (Reading, bool) {
	s := newScan(words)
	return s.first(s.allergic)
}

// first returns the first reading of some, with the places of its words in the clause.
func (s *scan) first(forms ...func() (Reading, bool)) (Reading, bool) {
	for _, read := range forms {
		if r, ok := read(); ok {
			r.Cause = [2]int{s.at[r.Cause[0]], s.at[r.Cause[1]-1] + 1}
			r.Whom = [2]int{s.at[r.Whom[0]], s.at[r.Whom[1]-1] + 1}
			return r, true
		}
	}
	return Reading{}, false
}

// allergic reads "I'm allergic to cats", "I'm lactose intolerant" and "I have an egg allergy".
func (s *scan) allergic() (Reading, bool) {
	end, speaker, of, ok := s.person(0)
	if !ok || of {
		return Reading{}, false
	}
	r := Reading{Whom: [2]int{0, end}, Speaker: speaker}
	switch s.lem(end) {
	case "be":
		at := slices.IndexFunc(s.w, func(w Word) bool { return reacting[w.Low] })
		switch {
		case at == end+1 && s.low(at+1) == "to":
			r.Cause, ok = s.cause(at+2, s.nounEnd(at+2))
			return r, ok
		case at > end+1 && at <= end+3 && at+1 == len(s.w):
			r.Cause, ok = s.cause(end+1, at)
			return r, ok
		}
	case "have":
		r.Cause, _, ok = s.allergy(end + 1)
		return r, ok
	}
	return r, false
}

// allergy reads "my egg allergy", "an allergy to eggs" from a word on, and returns the words of the cause and the end of the phrase.
func (s *scan) allergy(from int) (cause [2]int, end int, ok bool) {
	for from < len(s.w) && (s.w[from].Determiner || pointing[s.low(from)] || s.low(from) == "her") {
		from++
	}
	at := from
	for at < len(s.w) && at < from+3 && !allergies[s.low(at)] {
		at++
	}
	if at >= len(s.w) || !allergies[s.low(at)] {
		return cause, 0, false
	}
	if at > from {
		cause, ok = s.cause(from, at)
		return cause, at + 1, ok
	}
	if s.low(at+1) != "to" {
		return cause, 0, false
	}
	end = s.nounEnd(at + 2)
	cause, ok = s.cause(at+2, end)
	return cause, end, ok
}

// outgrown reads "I outgrew my egg allergy", "our son has grown out of his allergy to milk".
func (s *scan) outgrown() (Reading, bool) {
	end, speaker, of, ok := s.person(0)
	if !ok || of {
		return Reading{}, false
	}
	at := end
	for s.low(at) == "have" || s.low(at) == "has" || s.low(at) == "finally" {
		at++
	}
	switch low, next, third := s.low(at), s.low(at+1), s.low(at+2); {
	case low == "outgrew" || low == "outgrown":
		at++
	case (low == "grew" || low == "grown") && next == "out" && third == "of":
		at += 3
	case (low == "got" || low == "gotten") && next == "over":
		at += 2
	case low == "lost":
		at++
	default:
		return Reading{}, false
	}
	cause, after, ok := s.allergy(at)
	return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: cause}, ok && s.ends(after)
}

// ends reports that a noun phrase ends before a word: "my nut allergy" does before "last year", and does not before "card".
func (s *scan) ends(at int) bool {
	return at >= len(s.w) || s.w[at].Sign != 0 || english.StopWord(s.low(at)) || timely[s.low(at)]
}

// allergyGone reads "my egg allergy is gone", "my son's allergy to milk has cleared up".
func (s *scan) allergyGone() (Reading, bool) {
	whom, speaker, of, ok := s.person(0)
	if !ok || !of {
		return Reading{}, false
	}
	cause, at, ok := s.allergy(whom)
	if !ok {
		return Reading{}, false
	}
	for auxiliary[s.low(at)] || s.low(at) == "all" || s.low(at) == "finally" {
		at++
	}
	last := len(s.w)
	for last > at && timely[s.low(last-1)] {
		last--
	}
	gone := vanished[s.low(at)] && last == at+1 || s.low(at) == "went" && s.low(at+1) == "away" || vanishing[s.low(at)] && english.IrregularPast(s.low(at)) || s.low(at) == "cleared" && s.low(at+1) == "up"
	return Reading{Whom: [2]int{0, whom}, Speaker: speaker, Cause: cause}, gone
}

// denied returns the place after "do not" at a word, or that of the word.
func (s *scan) denied(at int) int {
	if (s.low(at) == "do" || s.low(at) == "does") && s.low(at+1) == "not" {
		return at + 2
	}
	return at
}

// hasNoMore reads "I no longer have an egg allergy", without "no longer".
func (s *scan) hasNoMore() (Reading, bool) {
	end, speaker, of, ok := s.person(0)
	if !ok || of {
		return Reading{}, false
	}
	at := s.denied(end)
	if s.lem(at) != "have" {
		return Reading{}, false
	}
	cause, after, ok := s.allergy(at + 1)
	return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: cause}, ok && s.ends(after)
}

// bothersNoMore reads "cats don't bother me any more", "I no longer react to dust", without "any more" and "no longer".
func (s *scan) bothersNoMore() (Reading, bool) {
	if end, speaker, of, ok := s.person(0); ok && !of {
		at := s.denied(end)
		if s.lem(at) != "react" || s.low(at+1) != "to" {
			return Reading{}, false
		}
		cause, ok := s.cause(at+2, s.nounEnd(at+2))
		return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: cause}, ok && s.nounEnd(at+2) == len(s.w)
	}
	v := slices.IndexFunc(s.lems, func(lem string) bool { return bothering[lem] })
	if v < 1 {
		return Reading{}, false
	}
	from, to := v, v+1
	if v > 2 && s.denied(v-2) == v {
		from = v - 2
	}
	if s.low(to) == "with" {
		to++
	}
	end, speaker, of, ok := s.person(to)
	if !ok || of || end < len(s.w) || s.w[0].Determiner || s.low(to) == "us" {
		return Reading{}, false // "at night", "the dogs next door"; nobody speaks of an own allergy as "us"
	}
	cause, ok := s.cause(0, from)
	return Reading{Whom: [2]int{to, end}, Speaker: speaker, Cause: cause}, ok
}

// mayAgain reads "I can eat nuts again", "our son tolerates milk now", "I'm fine with eggs again".
func (s *scan) mayAgain() (Reading, bool) {
	last := len(s.w)
	for last > 0 && (s.low(last-1) == "again" || s.low(last-1) == "now") {
		last--
	}
	if last == len(s.w) || last == 0 {
		return Reading{}, false
	}
	end, speaker, of, ok := s.person(0)
	if !ok || of {
		return Reading{}, false
	}
	at := end
	if s.low(at) == "can" || s.low(at) == "may" {
		at++
	} else if s.lem(at) == "be" && (s.low(at+1) == "able" || s.low(at+1) == "allowed") && s.low(at+2) == "to" {
		at += 3
	}
	switch {
	case at > end && (takes[s.lem(at)] || s.lem(at) == "tolerate"), s.low(at) == "tolerate" || s.low(at) == "tolerates":
		at++
	case s.lem(at) == "be" && harmless[s.low(at+1)] && s.low(at+2) == "with":
		at += 3
	default:
		return Reading{}, false
	}
	if slices.ContainsFunc(s.w[end:last], func(w Word) bool { return w.Low == "not" || w.Low == "only" || w.Low == "never" }) || s.nounEnd(at) < last {
		return Reading{}, false
	}
	cause, ok := s.cause(at, last)
	return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: cause}, ok
}

// Ends reports that the harm of an earlier clause is over by a later one: it is that of the same person, and the later one names its cause, or a wider one, and no
// part of it.
func Ends(earlier []Word, e Reading, later []Word, l Reading) bool {
	if e.Speaker != l.Speaker || !e.Speaker && !samePerson(earlier[e.Whom[0]:e.Whom[1]], later[l.Whom[0]:l.Whom[1]]) {
		return false
	}
	narrower := func(w Word) bool {
		return amounts[w.Low] && !slices.ContainsFunc(earlier[e.Cause[0]:e.Cause[1]], func(x Word) bool { return x.Low == w.Low })
	}
	if slices.ContainsFunc(later[l.Cause[0]:l.Cause[1]], narrower) || e.Speaker && plural(earlier[e.Whom[0]]) != plural(later[l.Whom[0]]) {
		return false // "small dogs", "we can eat nuts again"
	}
	was, is := naming(earlier[e.Cause[0]:e.Cause[1]]), naming(later[l.Cause[0]:l.Cause[1]])
	if len(is) == 0 || slices.Contains(was, "") || slices.Contains(is, "") {
		return false
	}
	return !slices.ContainsFunc(is, func(lem string) bool { return !slices.Contains(was, lem) })
}

func plural(w Word) bool { return w.Low == "we" || w.Low == "us" || w.Low == "our" }

// NamesAllergy reports a word for an allergy, or for who has one: "allergic", "intolerance".
func NamesAllergy(low string) bool { return allergies[low] || reacting[low] }

// samePerson reports that two phrases may mean one person: they have one noun, and no two names or words that tell persons apart.
func samePerson(x, y []Word) bool {
	if headOf(x) != headOf(y) {
		return false
	}
	named, told := func(w Word) bool { return w.Capital && !w.Determiner }, func(w Word) bool { return kinds[w.Low] }
	for _, of := range [...]func(Word) bool{named, told} {
		a, b := slices.IndexFunc(x[1:], of), slices.IndexFunc(y[1:], of)
		if a >= 0 && b >= 0 && x[a+1].Low != y[b+1].Low {
			return false
		}
	}
	return true
}

// headOf returns the noun of a person: "son" for "our youngest son Leo".
func headOf(w []Word) string {
	for _, x := range w {
		if lem := lemma(x.Low); household[lem] {
			return lem
		}
	}
	return ""
}

// naming returns the lemmas of the words that name a cause; an empty one stands for "and" or "or".
func naming(w []Word) (out []string) {
	for _, x := range w {
		switch {
		case joins[x.Low] || x.Sign == ',':
			out = append(out, "")
		case x.Determiner, amounts[x.Low] && x.Low != "raw" && x.Low != "cooked", eating[x.Low], english.StopWord(x.Low):
		default:
			out = append(out, lemma(english.Singular(x.Low)))
		}
	}
	return out
}

// Cause returns the words that name the cause of a reading, as they are written in lower case.
func Cause(words []Word, r Reading) (out []string) {
	for _, x := range words[r.Cause[0]:r.Cause[1]] {
		if !x.Determiner && !english.StopWord(x.Low) {
			out = append(out, x.Low)
		}
	}
	return out
}
