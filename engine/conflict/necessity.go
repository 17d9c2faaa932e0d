package conflict

import "slices"

// withNecessity replaces, in a copy of the tokens, "need not" by "must not" and "need to" by "have to": what need not be
// done contradicts what must be done.
func withNecessity(t []token) []token {
	copied := false
	for i := 1; i+2 < len(t); i++ {
		as := ""
		switch low, next := t[i].low, t[i+1].low; {
		case t[i-1].is(determiner) || t[i-1].is(preposition) || !necessary(t[i+2:]):
			continue
		case low == "need" && next == "not":
			as = "must"
		case next == "to" && low == "need":
			as = "have"
		case next == "to" && low == "needs":
			as = "has"
		case next == "to" && low == "needed":
			as = "had"
		default:
			continue
		}
		if !copied {
			t, copied = slices.Clone(t), true
		}
		l := lookUp(as)
		x := token{raw: t[i].raw, low: as, lem: l.lem, class: l.class, past: l.past, verb: l.verb}
		classify(&x)
		t[i] = x
	}
	return t
}

// necessary reports a verb in its base form at the start of tokens: what must be done.
func necessary(t []token) bool {
	return len(t) > 0 && !t[0].is(determiner) && (t[0].low == "be" || t[0].low == "have" || t[0].verb && isBaseForm(t[0]))
}
