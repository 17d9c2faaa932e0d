package conflict

import (
	"slices"
	"strings"
)

// compareClaims compares the attributes of two statements. r is the contradiction, if any; agree
// reports that both give an attribute of one owner the same value.
func compareClaims(a, b *Analysis) (r Result, agree bool) {
	sure := false // the statements agree on what they are about
	for i := range a.claims {
		for j := range b.claims {
			x, y := &a.claims[i], &b.claims[j]
			if !sameAttribute(x, y) || x.past != y.past || x.weak && y.weak || len(x.context) > 0 && len(y.context) > 0 && !slices.Equal(x.context, y.context) || !sameOwner(x.owner, y.owner, a.self, b.self) {
				continue
			}
			switch equal, known := x.compare(y); {
			case known && equal:
				agree = true
				sure = sure || x.kind != ofState && !x.copular && !y.copular
			case known && r.Score == 0:
				kind := KindObject
				if x.kind == ofMeasure {
					kind = KindNumber
				}
				r = Result{scoreObject, kind}
			}
		}
	}
	if sure || agree && r.Score == 0 {
		return Result{}, true
	}
	return r, false
}

// sameAttribute reports whether two claims state the same attribute. An opening time is also the
// time of a meeting, a closing time a deadline.
func sameAttribute(x, y *claim) bool {
	if x.attribute == y.attribute {
		return x.kind == y.kind
	}
	if x.kind == ofMeasure && y.kind == ofMeasure && (x.attribute == "deadline" && y.attribute == "closing" || x.attribute == "closing" && y.attribute == "deadline") {
		return isDate(x.vals[0]) && isDate(y.vals[0])
	}
	return x.kind == ofMeasure && y.kind == ofMeasure && (x.attribute == "opening" && y.attribute == "when" || x.attribute == "when" && y.attribute == "opening") && containsAny(x.owner, eventNouns)
}

// sameOwner compares owners. sx and sy are the speakers of the statements, empty if unknown.
func sameOwner(x, y []string, sx, sy string) bool {
	if sx != "" && sy != "" || slices.Contains(x, "@i") != slices.Contains(y, "@i") && !slices.Equal(withoutOwner(x), withoutOwner(y)) {
		x, y = withSpeaker(x, sx), withSpeaker(y, sy)
	}
	if slices.Equal(x, y) {
		return true
	}
	u, v := withoutOwner(x), withoutOwner(y)
	return len(u) > 0 && slices.Equal(u, v)
}

// withSpeaker replaces "I" by the speaker.
func withSpeaker(owner []string, self string) []string {
	if self == "" || !slices.Contains(owner, "@i") {
		return owner
	}
	out := slices.Clone(owner)
	out[slices.Index(out, "@i")] = self
	slices.Sort(out)
	return slices.Compact(out)
}

// compare reports whether two values are the same. known is false if it is uncertain.
func (c *claim) compare(o *claim) (equal, known bool) {
	switch c.kind {
	case ofCode, ofLabel, ofBlood, ofStreet, ofState:
		if !slices.Equal(c.rest, o.rest) {
			return false, false
		}
		if (c.attribute == "version" || strings.HasPrefix(c.attribute, "version of ")) && (strings.HasPrefix(c.text, o.text+".") || strings.HasPrefix(o.text, c.text+".")) {
			return true, true
		}
		return c.text == o.text, true
	case ofMeasure:
		if free := isFree(c.vals); c.attribute == "price" && free != isFree(o.vals) {
			paid, gift := c, o
			if free {
				paid, gift = o, c
			}
			return false, len(paid.vals) == 1 && paid.vals[0].num > 0 && (len(gift.rest) == 0 || slices.Equal(c.rest, o.rest))
		}
		if !slices.Equal(c.rest, o.rest) && !isMonthlyRate(c.rest, o.rest) && !isMonthlyRate(o.rest, c.rest) {
			return false, false
		}
		for _, v := range c.vals {
			for _, w := range o.vals {
				if m, n := monthNumber(v), monthNumber(w); v.kind != w.kind && m != 0 && n != 0 && m != n {
					return false, true
				}
				if v.kind != w.kind || v.unit != w.unit {
					continue
				}
				if v.recurring != w.recurring || v.recurring && c.attribute != "when" {
					return false, false
				}
				if !v.same(w) {
					if v.kind >= valueMoney && (hasYear(c.vals) != hasYear(o.vals) || valueDatesDiffer(c.vals, o.vals)) {
						return false, false // values of different dates
					}
					return false, !(v.kind == valueTime && (c.attribute == "opening" || c.attribute == "closing") && valueDatesDiffer(c.vals, o.vals))
				}
				equal, known = true, true
			}
		}
		return equal, known
	}
	if slices.Equal(c.words, o.words) {
		return true, true
	}
	if valueDatesDiffer(c.vals, o.vals) {
		return false, false
	}
	x, y := c.name, o.name
	if isRegion(x) != isRegion(y) && !(isPlace(x) && isPlace(y)) {
		return false, false // Uppsala may lie in Sweden
	}
	if isSubset(c.words, o.words) || isSubset(o.words, c.words) || canonicalPlace(x) == canonicalPlace(y) {
		return true, c.kind != ofSpot
	}
	if samePlace(x, y) || isAcronym(x, y) || isAcronym(y, x) || c.proper != o.proper && c.kind == ofName && c.attribute != "employer" {
		return false, false
	}
	if c.attribute == "car" && !sameKind(c.words[0], o.words[0]) {
		return false, false // a make and a model
	}
	hx, hy := c.words[len(c.words)-1], o.words[len(o.words)-1]
	if c.attribute == "team" && hx == hy || c.attribute == "role" && hx == hy && len(c.words) > 1 && len(o.words) > 1 && ranks[c.words[0]] && ranks[o.words[0]] {
		return false, true
	}
	if c.kind == ofNoun && (hx == hy && c.attribute == "role" || isA(hx, hy) || isA(hy, hx)) {
		return false, false
	}
	if c.kind == ofSpot && hx == hy {
		return false, false
	}
	return false, true
}

// ranks distinguish occupations of the same name.
var ranks = lemmas("head chief lead senior junior assistant deputy vice sous trainee associate principal staff executive second")

// monthNumber returns the month of a date or a month; 0 for other values.
func monthNumber(v value) int {
	switch {
	case v.kind == valueMonth:
		return int(v.num)
	case v.kind == valueDate && !v.partial && v.num < 1300:
		return int(v.num) / 100
	}
	return 0
}

// isFree reports a price of nothing.
func isFree(vals []value) bool { return len(vals) == 1 && vals[0].unit == freeUnit }

// isMonthlyRate reports that only y says for which period a price is.
func isMonthlyRate(x, y []string) bool {
	return len(x) == 0 && len(y) == 1 && (y[0] == "month" || y[0] == "monthly" || y[0] == "daily")
}

func valueDatesDiffer(x, y []value) bool {
	for _, v := range x {
		for _, w := range y {
			if v.kind == w.kind && v.kind >= valueWeekday && v.kind <= valueYear && !v.same(w) {
				return true
			}
		}
	}
	return false
}

// mainClaim returns the index of the first claim whose attribute is named by a noun or a verb of
// its own; otherwise of the first certain one, otherwise 0.
func mainClaim(claims []claim) int {
	for _, good := range []func(claim) bool{
		func(c claim) bool { return !c.weak && !c.copular && c.kind != ofState },
		func(c claim) bool { return !c.weak },
	} {
		if i := slices.IndexFunc(claims, good); i >= 0 {
			return i
		}
	}
	return 0
}

// Attribute returns the attribute that a statement is about and its owner, as written and without
// an article. own is set if the owner is, or belongs to, the speaker; subject is empty for the
// speaker.
func (a Analysis) Attribute() (subject, attribute string, own, ok bool) {
	if len(a.claims) == 0 {
		return "", "", false, false
	}
	c := a.claims[a.main]
	var b strings.Builder
	for i, x := range c.subject {
		switch {
		case isSelf(x.low) || x.low == "we" || x.low == "our":
			own = true
			continue
		case x.is(determiner) && x.low != "'s":
			continue
		case b.Len() > 0 && x.low != "'s":
			b.WriteByte(' ')
		}
		if x.low == "'s" && i+1 == len(c.subject) {
			continue // Ana's
		}
		b.WriteString(x.raw)
	}
	return b.String(), c.attribute, own, own || b.Len() > 0
}
