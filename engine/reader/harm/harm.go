package harm

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a clause.
type Word struct {
	Low        string // in lower case; a contraction is several words
	Sign       byte   // the sign before it, 0 if there is none
	Possessive bool   // it had 's
	Capital    bool
	Determiner bool
}

// Reading is what a clause says.
type Reading struct {
	Whom        [2]int // the words of the affected person; "me" or "my" for the speaker
	Speaker     bool   // it is the speaker
	Cause       [2]int // the words of what harms, or is forbidden
	Forbidden   bool   // the person must not have it; else it does harm
	Conditional bool   // the clause says on what condition harm follows: "if I eat shrimp"
}

// Of reads a clause. Its forms are those of the comment of the package; any other clause has no reading.
func Of(words []Word) (Reading, bool) {
	s := newScan(words)
	for _, read := range []func() (Reading, bool){s.causeFirst, s.personFirst, s.conditionFirst, s.prohibited, s.notGiven} {
		if r, ok := read(); ok {
			r.Cause = [2]int{s.at[r.Cause[0]], s.at[r.Cause[1]-1] + 1}
			r.Whom = [2]int{s.at[r.Whom[0]], s.at[r.Whom[1]-1] + 1}
			return r, true
		}
	}
	return Reading{}, false
}

// scan is a clause without what comes before its statement, and without adverbs of degree.
type scan struct {
	w    []Word
	lems []string
	at   []int // the place of each word in the clause
}

func newScan(words []Word) *scan {
	s := &scan{}
	for i, w := range words {
		if len(s.w) == 0 && opening[w.Low] || degree[w.Low] {
			continue
		}
		s.w, s.lems, s.at = append(s.w, w), append(s.lems, lemma(w.Low)), append(s.at, i)
	}
	return s
}

// low returns a word in lower case, "" after the last one.
func (s *scan) low(i int) string {
	if i < 0 || i >= len(s.w) {
		return ""
	}
	return s.w[i].Low
}

func (s *scan) lem(i int) string {
	if i < 0 || i >= len(s.w) {
		return ""
	}
	return s.lems[i]
}

// person reads the affected person from a word on, and returns the words after it: the speaker, or one of their household. of
// says that what belongs to the person follows: "my daughter's", "my".
func (s *scan) person(i int) (end int, speaker, of, ok bool) {
	switch low := s.low(i); low {
	case "i", "me", "us", "we", "myself":
		return i + 1, true, false, true
	case "my", "our":
		j := i + 1
		for kinds[s.low(j)] {
			j++
		}
		if !household[s.lem(j)] {
			return i + 1, true, true, true
		}
		if s.w[j].Possessive {
			return j + 1, false, true, true
		}
		if j+1 < len(s.w) && s.w[j+1].Capital && s.w[j+1].Sign == 0 {
			j++
		}
		return j + 1, false, s.w[j].Possessive, true
	}
	return 0, false, false, false
}

// causeFirst reads what harms as the subject of a verb of causing: "Penicillin gives me a rash".
func (s *scan) causeFirst() (Reading, bool) {
	v := slices.IndexFunc(s.lems, func(lem string) bool { return causing[lem] || lem == "be" })
	if v < 1 {
		return Reading{}, false
	}
	from := v
	for from > 0 && (modal[s.low(from-1)] || s.low(from-1) == "not" || auxiliary[s.low(from-1)]) {
		from--
	}
	denied := slices.ContainsFunc(s.w[from:v], func(w Word) bool { return w.Low == "not" })
	cause, ok := s.cause(0, from)
	if !ok || denied && s.lem(v) != "agree" || !denied && s.lem(v) == "agree" {
		return Reading{}, false
	}
	r := Reading{Cause: cause}
	for i := v + 1; i < len(s.w); i++ {
		end, speaker, of, found := s.person(i)
		if !found {
			continue
		}
		if s.harms(v, i, end, of) {
			r.Whom, r.Speaker = [2]int{i, end}, speaker
			return r, true
		}
		break
	}
	return Reading{}, false
}

// harms reports whether the verb at v does harm to the person at i, whose words end before end. of says that something of the person follows.
func (s *scan) harms(v, i, end int, of bool) bool {
	between := s.w[v+1 : i]
	switch verb := s.lem(v); {
	case of && !(worsens[verb] || verb == "make" && body[s.lem(end)]):
		return false
	case killing[verb]:
		return i == v+1 && s.low(end) != "with"
	case verb == "give":
		return i == v+1 && s.effect(end)
	case verb == "make":
		at := end
		if of {
			at++ // "makes my throat swell"
		}
		for s.low(at) == "feel" || s.low(at) == "get" || s.low(at) == "be" {
			at++
		}
		return i == v+1 && s.suffers(at)
	case verb == "put", verb == "land", verb == "send":
		return i == v+1 && s.toHospital(end)
	case worsens[verb]:
		switch {
		case of:
			return (len(between) == 0 || particle[s.low(v+1)] && len(between) == 1) && (s.effect(end) || verb == "upset" && body[s.lem(end)])
		case len(between) > 1 && (s.low(i-1) == "for" || s.low(i-1) == "in"):
			return s.effectIn(v+1, i-1) // "triggers migraines for me"
		}
		return false
	case verb == "be":
		return len(between) > 1 && (s.low(i-1) == "for" || s.low(i-1) == "to") && s.dangerous(v+1, i-1)
	case verb == "disagree", verb == "agree":
		return len(between) == 1 && s.low(i-1) == "with"
	}
	return false
}

// dangerous reports words between "is" and "for me" that name a danger.
func (s *scan) dangerous(from, to int) bool {
	for i := from; i < to; i++ {
		if s.low(i) == "not" || s.low(i) == "never" || few[s.low(i)] {
			return false
		}
		if dangers[s.low(i)] || s.low(i) == "limits" && s.low(i-1) == "off" {
			return true
		}
	}
	return false
}

// effect reports a harm to the body within a noun phrase: "a terrible rash", "hives".
func (s *scan) effect(from int) bool { return s.effectIn(from, min(from+5, len(s.w))) }

func (s *scan) effectIn(from, to int) bool {
	for i := from; i < to && !links[s.low(i)]; i++ {
		if effects[s.lem(i)] || effects[s.low(i)] {
			return true
		}
	}
	return false
}

// suffers reports words that say what happens to a body: "sick", "break out in hives", "swell up".
func (s *scan) suffers(i int) bool {
	low, lem, next := s.low(i), s.lem(i), s.low(i+1)
	switch {
	case states[low] || states[lem]:
		return next != "of"
	case lem == "die", lem == "collapse":
		return true
	case lem == "break" || lem == "come":
		return next == "out" && (i+2 >= len(s.w) || links[s.low(i+2)] && s.low(i+2) != "in" || s.effect(i+3))
	case lem == "throw", lem == "swell":
		return lem == "swell" || next == "up"
	case lem == "pass", lem == "black":
		return next == "out"
	case low == "stop", low == "stops":
		return next == "breathing"
	case lem == "close":
		return next == "up"
	case lem == "end" && next == "up":
		return s.toHospital(i + 2)
	case lem == "go" && next == "into":
		return s.effect(i + 2)
	}
	return false
}

// toHospital reports a way to hospital, or into shock.
func (s *scan) toHospital(i int) bool {
	for n := 0; n < 3 && (s.low(i) == "back" || s.low(i) == "straight"); n++ {
		i++
	}
	if p := s.low(i); p != "in" && p != "into" && p != "to" && p != "at" {
		return false
	}
	for j := i + 1; j < min(i+5, len(s.w)); j++ {
		if places[s.low(j)] || effects[s.lem(j)] {
			return true
		}
	}
	return false
}

// personFirst reads what happens to the affected person, and from what or on what condition: "I react badly to aspirin".
func (s *scan) personFirst() (Reading, bool) {
	end, speaker, of, ok := s.person(0)
	if !ok || of && !body[s.lem(end)] {
		return Reading{}, false
	}
	r := Reading{Whom: [2]int{0, end}, Speaker: speaker}
	at, link := s.happens(end, of)
	if link < 0 {
		return Reading{}, false
	}
	if r.Cause, r.Conditional, ok = s.linked(link); !ok || at < 0 {
		return Reading{}, false
	}
	return r, true
}

// happens reads what happens to a person, from the word after it on. It returns where that begins and where the words that link it with its cause
// do; -1: nothing does.
func (s *scan) happens(end int, of bool) (at, link int) {
	at = end
	if of {
		at++
	}
	for modal[s.low(at)] {
		at++
	}
	for j := at; j < len(s.w); j++ {
		if s.low(j) == "not" && s.low(j+1) != "breathe" || s.low(j) == "never" || s.low(j) == "used" || s.low(j) == "no" {
			return -1, -1
		}
		if links[s.low(j)] && j > at && !(s.low(j) == "in" || s.low(j) == "of" && s.lem(j-1) != "die") {
			link = j
			break
		}
	}
	if link == 0 {
		if link = len(s.w); s.low(0) != "if" && s.low(0) != "when" && s.low(0) != "whenever" {
			return -1, -1
		}
	}
	switch lem := s.lem(at); {
	case lem == "react":
		ok := s.low(link) == "to" && link-at <= 2
		return found(ok, at, link)
	case lem == "have" || lem == "get" || lem == "develop" || lem == "suffer" || lem == "need" || lem == "be" || lem == "feel" || lem == "become":
		return found(s.effectIn(at+1, link) || s.reaction(at+1, link) || s.suffers(at+1), at, link)
	case s.low(at) == "not" && s.low(at+1) == "breathe":
		return at, link
	}
	return found(s.suffers(at), at, link)
}

func found(ok bool, at, link int) (int, int) {
	if !ok {
		return -1, -1
	}
	return at, link
}

// reaction reports a reaction in some words.
func (s *scan) reaction(from, to int) bool {
	return slices.Contains(s.lems[min(from, to):to], "reaction")
}

// linked reads the cause after a word that links it: "from red wine", "if I eat shrimp".
func (s *scan) linked(link int) (cause [2]int, conditional, ok bool) {
	switch s.low(link) {
	case "if", "when", "whenever", "once", "time":
		cause, ok = s.condition(link + 1)
		return cause, true, ok
	case "from", "to", "of", "with", "after", "by", "on":
		cause, ok = s.cause(link+1, s.nounEnd(link+1))
		return cause, false, ok
	}
	return cause, false, false
}

// condition reads the cause in a condition: "I eat shrimp", "stung by a wasp".
func (s *scan) condition(from int) (cause [2]int, ok bool) {
	if s.low(from) == "there" && s.lem(from+1) == "be" {
		return s.cause(from+2, s.nounEnd(from+2))
	}
	_, _, of, isPerson := s.person(from)
	if !isPerson && !pronouns[s.low(from)] || of && s.low(from) != "my" && s.low(from) != "our" {
		return cause, false
	}
	for i := from + 1; i < min(from+7, len(s.w)); i++ {
		if s.low(i) == "not" {
			return cause, false
		}
		if contact[s.lem(i)] {
			i++
			for closeTo[s.low(i)] {
				i++
			}
			return s.cause(i, s.nounEnd(i))
		}
	}
	return cause, false
}

// conditionFirst reads a condition before what happens: "If I eat nuts I go into shock".
func (s *scan) conditionFirst() (Reading, bool) {
	if s.low(0) != "if" && s.low(0) != "when" && s.low(0) != "whenever" {
		return Reading{}, false
	}
	cause, ok := s.condition(1)
	if !ok {
		return Reading{}, false
	}
	for i := cause[1]; i < len(s.w); i++ {
		end, speaker, of, isPerson := s.person(i)
		if theirs[s.low(i)] && body[s.lem(i+1)] { // "if my son eats kiwi his mouth itches"
			end, speaker, of, isPerson = s.person(1)
			if at, _ := s.happens(i+1, true); isPerson && !of && at >= 0 {
				return Reading{Whom: [2]int{1, end}, Speaker: speaker, Cause: cause, Conditional: true}, true
			}
			break
		}
		if !isPerson || of && !body[s.lem(end)] {
			continue
		}
		if at, _ := s.happens(end, of); at >= 0 {
			return Reading{Whom: [2]int{i, end}, Speaker: speaker, Cause: cause, Conditional: true}, true
		}
		break
	}
	return Reading{}, false
}

// prohibited reads what a person must not eat, drink or take: "My kids must not eat honey".
func (s *scan) prohibited() (Reading, bool) {
	end, speaker, of, ok := s.person(0)
	if !ok || of {
		return Reading{}, false
	}
	at := s.forbids(end)
	if at < 0 {
		return Reading{}, false
	}
	verb := s.lem(at)
	if next := s.low(at + 1); verb == "have" && (english.IrregularPast(next) || takes[s.lem(at+1)]) {
		return Reading{}, false // "shouldn't have eaten cheese"
	}
	if !takes[verb] && !bareNoun(s.w[at:]) {
		return Reading{}, false
	}
	if takes[verb] {
		if at++; at == len(s.w) && verb == "drink" {
			return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: [2]int{at - 1, at}, Forbidden: true}, true
		}
	} else if s.low(end) != "be" && !slices.ContainsFunc(s.w[end:at], func(w Word) bool { return w.Low == "allowed" || w.Low == "avoid" || w.Low == "from" }) {
		return Reading{}, false
	}
	to := s.nounEnd(at)
	if to < len(s.w) && !s.reason(to) && !s.withMedicine(to) {
		return Reading{}, false // "in the office", "before lunch"
	}
	cause, ok := s.cause(at, to)
	if !ok || !consumed(s.w[at:to]) {
		return Reading{}, false
	}
	return Reading{Whom: [2]int{0, end}, Speaker: speaker, Cause: cause, Forbidden: true}, true
}

// reason reports words after a prohibition that leave it what it is.
func (s *scan) reason(i int) bool {
	return reason[s.low(i)] || s.low(i) == "at" && s.low(i+1) == "all" || s.low(i) == "due" && s.low(i+1) == "to"
}

// withMedicine reports "with my pills".
func (s *scan) withMedicine(i int) bool {
	return s.low(i) == "with" && pointing[s.low(i+1)] && i+2 < len(s.w) && inGroups(s.w[i+2], remedies())
}

// notGiven reads what nobody is to give to a person: "Never give my son honey". To the speaker it may be for once, but with "never".
func (s *scan) notGiven() (Reading, bool) {
	v := slices.Index(s.lems, "give")
	if v < 1 || v > 4 || s.low(v-1) != "never" && s.low(v-1) != "not" {
		return Reading{}, false
	}
	for i := range v - 1 {
		if low := s.low(i); low != "do" && !modal[low] && low != "must" && low != "we" && low != "you" && low != "nobody" {
			return Reading{}, false
		}
	}
	end, speaker, of, ok := s.person(v + 1)
	if !ok || of || speaker && s.low(v-1) != "never" {
		return Reading{}, false
	}
	to := s.nounEnd(end)
	cause, ok := s.cause(end, to)
	if !ok || to < len(s.w) && !s.reason(to) || !consumed(s.w[end:to]) || s.w[end].Determiner && s.low(end) != "any" {
		return Reading{}, false
	}
	return Reading{Whom: [2]int{v + 1, end}, Speaker: speaker, Cause: cause, Forbidden: true}, true
}

// forbids returns where what is forbidden begins after the words of a prohibition, -1 if there is none.
func (s *scan) forbids(i int) int {
	switch low := s.low(i); {
	case (low == "must" || low == "can" || low == "may" || low == "should" || low == "shall") && (s.low(i+1) == "not" || s.low(i+1) == "never"):
		if s.low(i+2) == "even" || s.low(i+2) == "ever" {
			i++
		}
		return i + 2
	case low == "cannot":
		return i + 1
	case s.lem(i) == "be" && (s.low(i+1) == "not" || s.low(i+1) == "never") && (s.low(i+2) == "allowed" || s.low(i+2) == "permitted" || s.low(i+2) == "supposed"):
		if i += 3; s.low(i) == "to" || s.low(i) == "any" {
			i++
		}
		return i
	case s.lem(i) == "be" && (s.low(i+1) == "forbidden" || s.low(i+1) == "banned") && (s.low(i+2) == "to" || s.low(i+2) == "from"):
		return i + 3
	case (low == "must" || low == "should") && s.low(i+1) == "avoid":
		return i + 2
	case (s.lem(i) == "have" || s.lem(i) == "need") && s.low(i+1) == "to" && s.low(i+2) == "avoid":
		return i + 3
	case (s.lem(i) == "have" || s.lem(i) == "need") && s.low(i+1) == "to" && s.low(i+2) == "stay" && s.low(i+3) == "away" && s.low(i+4) == "from":
		return i + 5
	}
	return -1
}

// bareNoun reports words that begin with a noun without a determiner.
func bareNoun(w []Word) bool { return len(w) > 0 && !w[0].Determiner }
