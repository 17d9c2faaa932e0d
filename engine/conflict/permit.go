package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// permit is what is allowed or forbidden somewhere: "dogs are not allowed in the hotel", "the
// hotel bans dogs", "guests may smoke on the balcony".
type permit struct {
	what    []string // lemmas of the act and the place, sorted
	allowed bool
}

var (
	allowVerbs  = lemmas("allow permit welcome tolerate")
	forbidVerbs = lemmas("forbid prohibit ban disallow outlaw bar")
	personWords = lemmas("guest visitor people person one you everyone anyone customer member resident tenant passenger employee staff player student swim")
)

// permitOf reads what a sentence allows or forbids.
func permitOf(t []token) (permit, bool) {
	for i, x := range t {
		if !x.is(permitWord) || i == 0 {
			continue
		}
		p := permit{}
		denied := slices.ContainsFunc(t[:min(i+2, len(t))], func(x token) bool { return x.low == "not" || x.low == "no" || x.low == "never" })
		switch {
		case x.low == "may":
			if i+1 >= len(t) || !personWords[t[i-1].lem] && t[i-1].low != "you" && t[i-1].low != "we" || x.upper {
				continue
			}
			p.allowed = !denied
		case allowVerbs[x.lem]:
			p.allowed = !denied
		case forbidVerbs[x.lem]:
			p.allowed = denied
		default:
			continue
		}
		if i > 0 && t[i-1].is(modal) && t[i-1].low != "will" {
			return p, false
		}
		for j, y := range t {
			switch {
			case j == i || y.punctuation || y.is(stopWord|adverb), allowVerbs[y.lem], forbidVerbs[y.lem], personWords[y.lem] && y.lem != "swim", y.low == "strictly":
			case y.is(doubtWord) && y.low != "not" && y.low != "no" && y.low != "never" && y.low != "may", y.used:
				return p, false
			default:
				w := y.lem
				if y.ing || strings.HasSuffix(y.low, "ing") {
					w = english.Lemma(y.low)
					if english.Uninflected(y.low) {
						w = strings.TrimSuffix(y.low, "ing") // "parking" is the act "park"
					}
				}
				p.what = append(p.what, w)
			}
		}
		slices.Sort(p.what)
		p.what = slices.Compact(p.what)
		return p, len(p.what) > 0 && len(p.what) < 6
	}
	return permit{}, false
}

// permitWords are words that allow or forbid.
var permitWords = wordLists.Set("permitWords")

// comparePermits compares what two sentences allow.
func comparePermits(x, y *permit) Result {
	if x.allowed != y.allowed && slices.Equal(x.what, y.what) {
		return Result{scoreSlot, KindNegation}
	}
	return Result{}
}
