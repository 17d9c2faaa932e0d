package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// constraintReader reads what a sentence says must, may or must not be.
type constraintReader struct {
	s        *sentence
	cue      bool // it says that something must or must not be
	may      bool // it permits
	negative bool // what it says is forbidden or not needed
	modal    bool // a modal verb was read
	limit    bool // a limit was named
}

// readConstraint reads a constraint or a permission; nil for any other sentence.
func readConstraint(s *sentence, _ string) *statement {
	r := &constraintReader{s: s}
	for i := range s.main {
		if !r.word(i) {
			return nil
		}
	}
	negative := r.negative
	r.negative = negative && !r.strict() // "no child under six without a parent": it asks for a parent of a child under six
	bound := r.bound()
	if !r.cue && !r.may && !r.limit {
		return nil
	}
	st := &statement{kind: graph.Constraint, sign: 1, bound: bound, may: !r.cue && !r.limit}
	if negative {
		st.sign = -1
	}
	st.content(s, nil)
	st.demand(s)
	if bound != 0 {
		st.sign = 1
	}
	return st
}

// demand completes what a statement with a sign demands.
func (st *statement) demand(s *sentence) {
	if st.sign < 0 && st.order < 0 { // "no deploy without a review" asks for a review: the deploy comes after it
		st.sign, st.order = 1, 1
	}
	st.company(s)
	st.turn = s.turn()
}

// turn returns the stems of a clause that may say what is done instead of what the clause before it forbids, and that this one has not: "never
// commit secrets, put them into the vault". The value says whether the clause asks for it: "it catches fire" is a reason.
func (s *sentence) turn() map[string]bool {
	out := map[string]bool{}
	from, denied := 0, map[string]bool(nil)
	for to := 1; to <= len(s.words); to++ {
		if to < len(s.words) && s.words[to-1].SignAfter == 0 {
			continue
		}
		denies, stems := false, map[string]bool{}
		for i := from; i < to; i++ {
			denies = denies || s.denies(i)
			if stem := stemOf(s.words[i]); stem != "" {
				stems[stem] = true
			}
		}
		switch {
		case denies:
			denied = stems
		case len(denied) > 1 && to-from > 2 && s.begins(from):
			for w := range stems {
				if !denied[w] {
					out[w] = s.asks(from)
				}
			}
		}
		from = to
	}
	return out
}

// begins reports whether a clause with a verb of its own begins with the i-th word: "they go …", "put them …".
func (s *sentence) begins(i int) bool {
	if _, pronoun := english.PronounOf(s.words[i].Low); pronoun {
		return true
	}
	_, object := english.PronounOf(s.words[i+1].Low)
	return !english.StopWord(s.words[i].Low) && !openers[s.words[i].Low] && (object || openers[s.words[i+1].Low])
}

// asks reports whether the clause that begins with the i-th word asks for something: "put them …", "they go …", and not "it catches …".
func (s *sentence) asks(i int) bool {
	_, pronoun := english.PronounOf(s.words[i].Low)
	return !pronoun || putting[english.Lemma(s.words[i+1].Low)] || modals[s.words[i+1].Low]
}

var (
	generic    = english.WordSet("you we one nobody noone anyone everyone everybody no-one they")
	permitted  = english.WordSet("allowed permitted acceptable okay ok fine safe")
	demanded   = english.WordSet("required mandatory obligatory compulsory necessary essential")
	prohibited = english.WordSet("forbidden prohibited banned disallowed off-limits unacceptable")
	onlyLinks  = english.WordSet("by with in on at from through via between for using")
	articles   = english.WordSet("a an some")
	wantedOnce = english.WordSet("new another more") // what is needed anew is wanted once: "we need a new map by Friday"
	copulas    = english.WordSet("is are be being been was were am")
)

// word reads one word of the main clause. It returns false if the sentence is none that demands.
func (r *constraintReader) word(i int) bool {
	s := r.s
	low, next, before := s.low(i), s.low(i+1), s.low(i-1)
	negated := next == "not" || next == "never" || next == "no" && s.low(i+2) == "longer" || strings.HasSuffix(low, "n't") || low == "cannot"
	nobody := before == "nobody" || before == "noone" || s.low(0) == "no"
	switch low {
	case "must", "mustn't", "shall", "shan't", "should", "shouldn't", "ought":
		after := next
		if after == "not" || after == "never" {
			after = s.low(i + 2)
		}
		if after == "have" && (s.low(i+2) == "been" || english.IrregularPast(s.low(i+2)) || strings.HasSuffix(s.low(i+2), "ed")) {
			return false // a guess about the past
		}
		r.modal = true
		if (low == "should" || low == "ought") && !negated && next != "always" && next != "only" && len(s.conds) == 0 && !s.numbers {
			return true // advice
		}
		r.cue, r.negative = true, negated || nobody
	case "have", "has", "need", "needs":
		if low == "need" && next == "not" {
			r.cue, r.modal, r.negative = true, true, true
		} else if next == "to" {
			r.cue, r.modal, r.negative = true, true, strings.HasSuffix(before, "n't") || before == "not"
		} else if strings.HasPrefix(low, "need") && next != "" && r.object(i+1) && !wantedOnce[next] && !(articles[next] && wantedOnce[s.low(i+2)]) {
			r.cue, r.negative = true, strings.HasSuffix(before, "n't") || before == "not"
		}
	case "needn't":
		r.cue, r.modal, r.negative = true, true, true
	case "cannot", "can't", "can":
		switch {
		case (low != "can" || negated || nobody) && (next == "be" || s.low(i+2) == "be" || generic[before] || len(s.conds) > 0 && !firstPersons[before] && r.strict()):
			r.cue, r.modal, r.negative = true, true, true
		case low == "can" && !negated && !nobody && !firstPersons[before] && before != "":
			r.may, r.modal = true, true
		}
	case "may":
		r.modal = true
		if negated || nobody {
			r.cue, r.negative = true, true
		} else if next != "be" || english.IrregularPast(s.low(i+2)) || strings.HasSuffix(s.low(i+2), "ed") {
			r.may = true
		}
	case "requires", "require":
		r.cue = true
		r.negative = before == "not" || strings.HasSuffix(before, "n't")
	case "never", "don't":
		r.ban(i)
	case "do":
		if next == "not" {
			r.ban(i)
		}
	case "always":
		if (i == 0 || s.words[s.main[i-1]].SignAfter == ',' || before == "please") && r.commands(i+1) {
			r.cue = true
		}
	case "only":
		r.only(i)
	case "no":
		if i == 0 && !r.copula() && len(s.main) > 1 && next != "one" && (len(s.conds) > 0 || len(s.main) > 2) {
			r.cue, r.negative = true, true
		}
	default:
		r.adjective(i, low)
	}
	return true
}

var firstPersons = english.WordSet("i he she it")

// strict reports a condition that an exception or a demand has.
func (r *constraintReader) strict() bool {
	return slices.ContainsFunc(r.s.conds, func(c clause) bool { return lacking[c.link] })
}

// object reports whether a noun phrase begins with the i-th word: what is needed.
func (r *constraintReader) object(i int) bool {
	low := r.s.low(i)
	_, pronoun := english.PronounOf(low)
	return !pronoun && (low == "a" || low == "an" || low == "the" || r.s.words[r.s.main[i]].Number != "" || low == "at" || stemOf(r.s.words[r.s.main[i]]) != "")
}

// ban reads "never" and "do not": as a command, or as what somebody never does.
func (r *constraintReader) ban(i int) {
	low, next, before := r.s.low(i), r.s.low(i+1), r.s.low(i-1)
	if low == "do" {
		next = r.s.low(i + 2)
	}
	head := i == 0 || r.s.words[r.s.main[i-1]].SignAfter == ',' || r.s.main[i] > 0 && r.s.main[i-1] != r.s.main[i]-1 || before == "please" || before == "and" || before == "so"
	past := isPast(next) && !(head && english.Lemma(next) == next) || next == "been" || next == "had" || next == "was"
	switch {
	case past || next == "" || next == "mind" || next == "forget" || next == "worry":
	case r.modal: // "must never": read with the modal
	case head:
		r.cue, r.negative = true, true
	case low == "never" && failsAt(r.s.words, r.s.main[i]+1) > 0: // "the alarm never fails" says what was seen
	case low == "never" && !firstPersons[before] && !copulas[next] && before != "have" && before != "has":
		r.cue, r.negative = true, true
	case low == "never" && copulas[before] && !r.copulaPast(before):
		r.cue, r.negative = true, true // "is never to be opened", "are never deployed"
	}
}

func (r *constraintReader) copulaPast(low string) bool { return low == "was" || low == "were" }

// isPast reports whether a verb has the form of a past, and not that of a base form in "ed", too ("feed", "embed").
func isPast(low string) bool {
	return english.IrregularPast(low) || strings.HasSuffix(low, "ed") && !english.BaseInEd(low)
}

// commands reports whether the i-th word can be the verb of a command.
func (r *constraintReader) commands(i int) bool {
	low := r.s.low(i)
	_, pronoun := english.PronounOf(low)
	return low != "" && !pronoun && !isPast(low) && !strings.HasSuffix(low, "ing")
}

// copula reports a finite form of "be" or "have" in the main clause.
func (r *constraintReader) copula() bool {
	for i := range r.s.main {
		if low := r.s.low(i); copulas[low] || low == "has" || low == "had" || low == "have" || low == "came" {
			return true
		}
	}
	return false
}

// only reads "only after …", "only by …", "only two people may …". What was done once is none.
func (r *constraintReader) only(i int) {
	narrative := false
	for k := range r.s.main {
		low := r.s.low(k)
		if low == "had" || low == "was" || low == "were" {
			narrative = true
		}
		if (english.IrregularPast(low) && english.Lemma(low) != low || strings.HasSuffix(low, "ed")) && !copulas[r.s.low(k-1)] && r.s.low(k-1) != "only" && !r.modal {
			narrative = true
		}
	}
	if narrative {
		return
	}
	linked := r.s.main[i]+1 < len(r.s.words)
	if linked {
		_, n := linkAt(r.s.words, r.s.main[i]+1)
		linked = n > 0
	}
	if linked || modals[r.s.low(i-1)] || onlyLinks[r.s.low(i+1)] || i == 0 {
		r.cue = true
	}
}

var modals = english.WordSet("may can must shall might")

// adjective reads "is allowed", "not required", "is forbidden".
func (r *constraintReader) adjective(i int, low string) {
	no := false
	for k := range i {
		w := r.s.words[r.s.main[k]]
		no = no || w.Negates || w.Low == "no"
	}
	be := false
	for k := range r.s.main {
		be = be || copulas[r.s.low(k)] || r.s.low(k) == "isn't" || r.s.low(k) == "aren't"
	}
	be = be || i == len(r.s.main)-1 || i == 0
	switch {
	case prohibited[low] && be:
		r.cue, r.negative = true, !no
	case permitted[low] && be && no && low != "fine" && low != "safe":
		r.cue, r.negative = true, true
	case (low == "welcome" || low == "free") && r.s.low(i+1) == "to" && (be || r.s.low(i-1) == "feel"):
		r.may, r.negative = !no, no
	case permitted[low] && be:
		r.may, r.negative = !no, no
	case demanded[low] && be:
		r.cue, r.negative = true, no
	}
}

// bound reads the direction of a limit: +1 for an upper, -1 for a lower bound, 0 for none.
func (r *constraintReader) bound() int {
	s := r.s
	if !s.numbers {
		return 0
	}
	past := false
	for i := range s.main {
		low := s.low(i)
		past = past || low == "was" || low == "were" || low == "had" || english.IrregularPast(low) && english.Lemma(low) != low && low != "set" && low != "put"
	}
	for i, w := range s.words {
		next := ""
		if i+1 < len(s.words) {
			next = s.words[i+1].Low
		}
		if !s.numberAfter(i) {
			continue
		}
		than := i+1 < len(s.words) && next == "than"
		denied := i > 0 && (s.words[i-1].Low == "no" || s.words[i-1].Low == "not")
		switch low := w.Low; {
		case low == "at" && next == "most", low == "maximum", low == "max", low == "capped", low == "cap", low == "limited", low == "limit":
			r.limit = r.limit || !past
			return 1
		case low == "at" && next == "least", low == "minimum":
			r.limit = r.limit || !past
			return -1
		case than && denied && (low == "less" || low == "fewer" || low == "lower"):
			r.limit = r.limit || !past
			return -1
		case than && denied:
			r.limit = r.limit || !past
			return 1
		case low == "up" && next == "to", low == "within":
			if r.cue || r.may {
				return 1
			}
		case low == "exceed" || low == "exceeds" || low == "exceeding" || low == "above" || low == "over" || low == "beyond" ||
			than && (low == "more" || low == "higher" || low == "greater" || low == "longer" || low == "faster" || low == "later" || low == "stronger"):
			if r.cue || r.may {
				return direction(r.negative)
			}
		case low == "below" || low == "under" || low == "underneath" || than && (low == "less" || low == "fewer" || low == "lower"):
			if r.cue || r.may {
				return direction(!r.negative)
			}
		}
	}
	return 0
}

// numberAfter reports a number among the words after the i-th one, before the next sign: near, but
// for a noun ("the limit for running the winch is 12 knots").
func (s *sentence) numberAfter(i int) bool {
	near := 4
	if low := s.words[i].Low; low == "limit" || low == "maximum" || low == "minimum" || low == "max" {
		near = maxSentence
	}
	for k := i + 1; k < len(s.words) && k <= i+near && s.words[k-1].SignAfter != ','; k++ {
		if s.words[k].Number != "" {
			return true
		}
	}
	return false
}

// direction returns +1 for an upper and -1 for a lower bound.
func direction(upper bool) int {
	if upper {
		return 1
	}
	return -1
}
