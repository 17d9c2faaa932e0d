package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// lone verbs say something without an object.
var lone = lemmas("smoke swim drive cook ski travel snore dance sing drink exist matter attend rain snow compile smile hurt fly retire graduate vote succeed fail pass arrive start die")

var lightVerbs = lemmas("be have do get go know think see make say feel want need take come give find tell let mean put")

// negation compares a clause that denies with one that affirms: what is denied must
// be the same or more general.
func negation(neg, pos *clause, subj link, days float64) Result {
	if neg.verb != pos.verb || neg.ing != pos.ing && (neg.verb == "go" || neg.verb == comeKey || pos.ing && neg.tense == present && !stative(pos)) {
		return Result{}
	}
	tense := together(neg, pos)
	if !tense && neg.never && neg.tense == perfect && pos.tense == present { // never did, does
		tense = true
	}
	if !tense || neg.ended && pos.tense == past {
		return Result{}
	}
	if pos.freq < 0 || !subset0(neg.quals, pos.quals) {
		return Result{}
	}
	if neg.freq > 0 && !neg.never { // "does not always"
		return Result{}
	}
	if neg.tense == past && pos.tense == past || neg.tense == past && pos.tense == perfect || pos.tense == past && neg.tense == perfect {
		if hasDate(neg) != hasDate(pos) && !neg.never && neg.tense != perfect || datesApart(neg, pos) {
			return Result{}
		}
		if days > 1.5 && !neg.never && !slices.ContainsFunc(neg.rest, func(x item) bool { return x.proper || x.det == "my" }) && !hasDate(neg) {
			return Result{}
		}
	} else if datesApart(neg, pos) {
		return Result{}
	}
	if neg.verb == "be" && days > 0.6 && mood4(neg, pos) {
		return Result{}
	}
	for _, v := range neg.vals {
		if !slices.ContainsFunc(pos.vals, func(w value) bool { return w.kind == v.kind && w.unit == v.unit && w.same(v) }) {
			return Result{}
		}
	}
	extra, shared, ok := covers(neg, pos)
	if !ok {
		return Result{}
	}
	shared += len(neg.quals)
	if shared == 0 {
		if subj == vague || !(lone[neg.verb] || extra == 0 && !lightVerbs[neg.verb] && len(neg.vals) == len(pos.vals)) {
			if !(neg.verb == "be" && len(neg.vals) > 0) {
				return Result{}
			}
		}
	}
	limit := 4
	if lightVerbs[neg.verb] {
		limit = 3
	}
	if extra > limit || subj == vague && (shared < 2 || extra > 1) {
		return Result{}
	}
	kind, why := KindNegation, "one denies what the other says"
	if neg.ended {
		kind, why = KindChange, "one says that it has ended"
	}
	return Result{scoreNegation, kind, why}
}

func stative(c *clause) bool {
	return c.verb == "liv" || c.verb == "work" || c.verb == studyKey || c.verb == dateKey || c.verb == useKey || c.verb == attendKey
}

// passing feelings change within hours.
var passing = lemmas("happy sad tired hungry thirsty busy excited angry nervous bored sick ill sleepy stressed awake asleep upset worried cold hot home ready late free available sure glad okay fine")

func mood4(a, b *clause) bool {
	f := func(x item) bool { return passing[x.lem] }
	return slices.ContainsFunc(a.rest, f) || slices.ContainsFunc(b.rest, f)
}

func subset0(a, b []string) bool { return len(a) == 0 || subset(a, b) }

// calling begins what a thing is called, behind it: a dog named Rufus.
var calling = english.WordSet("called named")

// covers reports whether each word that is denied stands in what is affirmed, or
// stands there as a thing of its kind. extra is how much more the affirmation says.
func covers(neg, pos *clause) (extra, shared int, ok bool) {
	for _, x := range neg.rest {
		hit := false
		for i, y := range pos.rest {
			if lightVerbs[neg.verb] && neg.verb != "be" && (x.prep == "") != (y.prep == "") {
				continue
			}
			if i > 0 && isA(y.lem, x.lem) && substituted(pos.rest[i-1]) && !slices.ContainsFunc(neg.rest, func(z item) bool { return z.lem == pos.rest[i-1].lem }) {
				continue // oat milk is no milk
			}
			if isA(y.lem, x.lem) && (!x.end || y.end || i+1 < len(pos.rest) && calling[pos.rest[i+1].low] || y.lem == x.lem && x.prep != "") {
				hit = true
				break
			}
		}
		if !hit {
			if light[x.lem] {
				continue
			}
			return 0, 0, false
		}
		shared++
	}
	for _, y := range pos.rest {
		if !slices.ContainsFunc(neg.rest, func(x item) bool { return isA(y.lem, x.lem) }) && !light[y.lem] {
			extra++
		}
	}
	return extra, shared, true
}

var light = lemmas("very really quite too so much many lot lots time always never often all any some kind anyone anything at more most thing just")
