package conflict

import "slices"

// Frequencies are given as what lies between two times, in seconds.
const (
	hour  = 3600.0
	day   = 24 * hour
	week  = 7 * day
	month = 365.25 / 12 * day
	year  = 365.25 * day
)

// rhythms are words that say how often by themselves.
var rhythms = map[string]float64{
	"hourly": hour, "daily": day, "nightly": day, "weekly": week, "fortnightly": 2 * week, "monthly": month, "quarterly": 3 * month, "yearly": year, "annually": year,
}

// turns are what comes round.
var turns = map[string]float64{
	"minute": 60, "hour": hour, "day": day, "night": day, "morning": day, "evening": day, "week": week, "fortnight": 2 * week, "month": month, "quarter": 3 * month, "year": year,
}

// oftenAt reads how often at t[i]: "every six hours", "twice a week", "nightly". n is how
// many tokens it takes, 0 where there is none.
func oftenAt(t []token, i int) (every float64, n int) {
	if every, ok := rhythms[t[i].low]; ok {
		return every, 1
	}
	if t[i].low == "every" || t[i].low == "each" {
		times, j := 1.0, i+1
		switch w := at(t, j); {
		case w == "other" || w == "second":
			times, j = 2, j+1
		case count(w) > 0:
			times, j = count(w), j+1
		}
		if every, ok := turns[lemmaAt(t, j)]; ok {
			return every * times, j + 1 - i
		}
		return 0, 0
	}
	times, j := 0.0, i+1
	switch w := t[i].low; {
	case w == "once":
		times = 1
	case w == "twice":
		times = 2
	case count(w) > 0 && (at(t, j) == "times" || at(t, j) == "time"):
		times, j = count(w), j+1
	}
	if times == 0 || at(t, j) != "a" && at(t, j) != "an" && at(t, j) != "per" && at(t, j) != "each" && at(t, j) != "every" {
		return 0, 0
	}
	if every, ok := turns[lemmaAt(t, j+1)]; ok {
		return every / times, j + 2 - i
	}
	return 0, 0
}

func lemmaAt(t []token, i int) string {
	if i >= len(t) {
		return ""
	}
	return t[i].lem
}

// count is a small whole number in figures or words, 0 for another word.
func count(low string) float64 {
	if n, ok := numberWords[low]; ok {
		return n
	}
	if len(low) == 0 || len(low) > 2 || !digits(low) {
		return 0
	}
	n := 0.0
	for i := range len(low) {
		n = 10*n + float64(low[i]-'0')
	}
	return n
}

// often reads how often something is done: who does it and all that is said of it tell it
// from other things that are done.
func (p *parser) often(t []token) (claim, bool) {
	for i := 1; i < len(t); i++ {
		every, n := oftenAt(t, i)
		if n == 0 {
			continue
		}
		rest := slices.Concat(t[:i], t[i+n:])
		if doubtful(rest) || slices.ContainsFunc(rest, func(x token) bool { return x.past && x.strong && !x.is(formOfBe) && !passive(rest) }) {
			return claim{}, false
		}
		c := claim{attribute: "how often", kind: ofMeasure, subject: t[:i], vals: []value{{kind: valueQuantity, unit: "second", num: every}}}
		for _, x := range rest {
			switch {
			case x.mark:
			case pronoun(x.low) == "@i" || pronoun(x.low) == "@we":
				c.owner = append(c.owner, "@i")
			case !x.is(stopWord):
				c.owner = append(c.owner, x.lem)
			}
		}
		slices.Sort(c.owner)
		c.owner = slices.Compact(c.owner)
		return c, len(c.owner) > 1
	}
	return claim{}, false
}

// passive reports "is saved", "are taken".
func passive(t []token) bool {
	for i := 1; i < len(t); i++ {
		if t[i].past && (t[i-1].low == "is" || t[i-1].low == "are") {
			return true
		}
	}
	return false
}
