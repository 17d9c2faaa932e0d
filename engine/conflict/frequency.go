package conflict

import (
	"slices"
	"strconv"
)

// A frequency is the interval between two occurrences, in seconds.
const (
	hour  = 3600.0
	day   = 24 * hour
	week  = 7 * day
	month = 365.25 / 12 * day
	year  = 365.25 * day
)

// frequencyWords state a frequency by themselves.
var frequencyWords = map[string]float64{
	"hourly": hour, "daily": day, "nightly": day, "weekly": week, "fortnightly": 2 * week, "monthly": month, "quarterly": 3 * month, "yearly": year, "annually": year,
}

// frequencyUnits are the units of intervals.
var frequencyUnits = map[string]float64{
	"minute": 60, "hour": hour, "day": day, "night": day, "morning": day, "evening": day, "week": week, "fortnight": 2 * week, "month": month, "quarter": 3 * month, "year": year,
}

// intervalAt reads a frequency at t[i]: "every six hours", "twice a week", "nightly". n is the
// number of tokens; 0 if there is none.
func intervalAt(t []token, i int) (every float64, n int) {
	if every, ok := frequencyWords[t[i].low]; ok {
		return every, 1
	}
	if t[i].low == "on" && lowAt(t, i+1) == "the" && i+5 < len(t) && t[i+3].low == "of" && t[i+5].low == "month" && t[i+4].is(determiner) {
		if _, ok := ordinalWord(t[i+2].low); !ok {
			if _, ok = ordinalFigure(t[i+2].low); !ok {
				return 0, 0
			}
		}
		return month, 6 // on the first of the month
	}
	if t[i].low == "every" || t[i].low == "each" {
		if _, ok := weekdayOf(lowAt(t, i+1)); ok {
			return week, 2
		}
		times, j := 1.0, i+1
		switch w := lowAt(t, j); {
		case w == "other" || w == "second":
			times, j = 2, j+1
		case count(w) > 0:
			times, j = count(w), j+1
		}
		if every, ok := frequencyUnits[lemmaAt(t, j)]; ok {
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
	case count(w) > 0 && (lowAt(t, j) == "times" || lowAt(t, j) == "time"):
		times, j = count(w), j+1
	}
	if times == 0 || lowAt(t, j) != "a" && lowAt(t, j) != "an" && lowAt(t, j) != "per" && lowAt(t, j) != "each" && lowAt(t, j) != "every" {
		return 0, 0
	}
	if every, ok := frequencyUnits[lemmaAt(t, j+1)]; ok {
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

// count returns a small whole number in digits or words; 0 for other words.
func count(low string) float64 {
	if n, ok := numberWord(low); ok {
		return n
	}
	if len(low) > 2 || !digits(low) {
		return 0
	}
	n, _ := strconv.Atoi(low)
	return float64(n)
}

// frequencyClaim reads how often something is done. Its owner are the person and all other words,
// which distinguish it from other activities.
func (p *parser) frequencyClaim(t []token) (claim, bool) {
	for i := 1; i < len(t); i++ {
		every, n := intervalAt(t, i)
		if n == 0 {
			continue
		}
		rest := slices.Concat(t[:i], t[i+n:])
		if isDoubtful(rest) || slices.ContainsFunc(rest, func(x token) bool { return x.past && x.strong && !x.is(formOfBe) && !isPassive(rest) }) {
			return claim{}, false
		}
		c := claim{attribute: "how often", kind: ofMeasure, subject: objectOfRoutine(t[:i]), vals: []value{{kind: valueQuantity, unit: "second", num: every}}}
		for _, x := range rest {
			switch {
			case x.punctuation:
			case pronoun(x.low) == "@i" || pronoun(x.low) == "@we":
				c.owner = append(c.owner, "@i")
			case x.is(stopWord) || occurrenceVerbs[x.lem] || x.raw[0] >= '0' && x.raw[0] <= '9':
			case backupWords[x.lem]:
				c.owner = append(c.owner, "copy")
			default:
				c.owner = append(c.owner, x.lem)
			}
		}
		slices.Sort(c.owner)
		c.owner = slices.Compact(c.owner)
		return c, len(c.owner) > 1 || len(c.owner) == 1 && c.owner[0][0] != '@' && len(rest) < 6
	}
	return claim{}, false
}

// backupWords are words for making backups.
var backupWords = lemmas("back copy save backup duplicate secure")

// occurrenceVerbs say only that something exists or is done.
var occurrenceVerbs = lemmas("run happen take place be occur hold make do")

// objectOfRoutine returns what a sentence before "every week" is about: "we save the wiki", "a
// copy of the wiki is made".
func objectOfRoutine(t []token) []token {
	v := findVerb(t, false)
	if v < 1 {
		return t
	}
	about := t[:v]
	if v == 1 && t[0].is(subjectForm) && v+1 < len(t) && t[v+1].is(determiner) {
		about = firstPhrase(t[v+1:])
	}
	for k := 1; k+1 < len(about); k++ {
		if about[k].low == "of" && backupWords[about[k-1].lem] {
			return about[k+1:]
		}
	}
	return about
}

// isPassive reports "is saved", "are taken".
func isPassive(t []token) bool {
	for i := 1; i < len(t); i++ {
		if t[i].past && (t[i-1].low == "is" || t[i-1].low == "are") {
			return true
		}
	}
	return false
}
