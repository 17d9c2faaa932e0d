package conflict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// measurement is a sentence that measures a thing, without the words that introduce the value:
// "the database runs PostgreSQL 14" and "we upgraded the database to PostgreSQL 16" are both about
// {database, postgresql}. Two measurements of the same words with different values contradict each
// other.
type measurement struct {
	words         []string // lemmas of what is measured, sorted
	owner         string   // "@i", "@he" …; empty if no person is named
	vals          []value
	per           string // of a rate: a month, per user
	end           spanEnd
	hasCommonNoun bool // one of the words is not a name
}

// spanEnd is the end of a span of time that a value gives.
type spanEnd int8

const (
	anyEdge   spanEnd = iota
	beginning         // starts at, opens at, leaves at, since
	ending            // ends at, closes at, until, by
	arriving          // lands at, gets in at
)

// valueOrdinal is a rank, "the third floor". Only measurements use it.
const valueOrdinal valueKind = 32

// measureVerbs are verbs that introduce a value or replace one by another: is, runs, takes,
// amounts to.
var measureVerbs = lemmaSet("measureVerbs")

// changeVerbs are those of which a past form states the current value.
var changeVerbs = lemmaSet("changeVerbs")

// spanEndVerbs are verbs for the ends of a span of time.
var spanEndVerbs = func() map[string]spanEnd {
	m := map[string]spanEnd{}
	for e, list := range map[spanEnd]string{
		beginning: "start begin commence open leave depart kick launch",
		ending:    "end finish close stop conclude shut expire",
		arriving:  "arrive land",
	} {
		for w := range lemmas(list) {
			m[w] = e
		}
	}
	return m
}()

// requirementVerbs state what holds for each thing of a kind: a review needs two approvals.
var requirementVerbs = lemmas("need require cost take last weigh hold")

// currentWords say that a value is the current one.
var currentWords = lemmas("new current currently latest updated revised actual final total exact regular standard presently brand")

// impliedNouns are nouns that a kind of value implies.
var impliedNouns = map[valueKind]map[string]bool{
	valueMoney:   lemmas("price cost total amount sum bill"),
	valueVersion: lemmas("version release"),
	valueDate:    lemmas("date day"),
	valueTime:    lemmas("time clock hour"),
	valueWeekday: lemmas("day"),
}

// rateUnits are the units of rates: a month, per user.
var rateUnits = lemmas("second minute hour day week month quarter year night user seat person head")

// maxMeasured is the maximum number of words of a measurement. A longer sentence tells a story.
const maxMeasured = 6

// measurementOf reads what a sentence measures. t are its tokens with values marked.
func measurementOf(t []token, vals []value) (measurement, bool) {
	vals = ordinalsOf(t, vals)
	if len(vals) == 0 || len(vals) > 3 {
		return measurement{}, false
	}
	v := findVerb(t, false)
	if v < 0 || t[v].is(modal) || v+1 < len(t) && t[v+1].low == "going" {
		return measurement{}, false
	}
	p := measurement{end: anyEdge}
	carried, changed, past := true, false, t[v].past && !t[v].is(formOfHave)
	main := vals[0].kind
	// labels identify the thing and measure nothing
	isLabel := func(x value) bool { return len(vals) > 1 && isLabel(t, x.index) || x.index < v && isLabel(t, x.index) }
	for _, x := range vals {
		if isLabel(x) {
			p.words = append(p.words, "#"+t[x.index].low)
			continue
		}
		if x.index < v && !(x.kind == valueVersion && v+1 < len(t) && t[v+1].is(preposition)) {
			return measurement{}, false // the value is the subject
		}
		main = x.kind
		p.vals = append(p.vals, x)
	}
	if len(p.vals) == 0 {
		return measurement{}, false
	}
	person := false
	for i, x := range t {
		switch {
		case x.punctuation && x.low == ":":
			return measurement{}, false
		case x.punctuation || x.low == "'s":
			continue
		case pronoun(x.low) != "" || x.low == "user":
			k := pronoun(x.low)
			if x.low == "user" || k == "@we" {
				k = "@i"
			}
			if k == "@it" || k == "@there" {
				if i == 0 {
					return measurement{}, false // the referent is unknown
				}
				continue
			}
			if p.owner != "" && p.owner != k {
				return measurement{}, false
			}
			p.owner = k
			person = person || i < v && x.is(subjectForm)
			continue
		case x.used || slices.ContainsFunc(vals, func(o value) bool { return o.index == i }):
			continue
		case x.low == "per" || (x.low == "a" || x.low == "an") && i+1 < len(t) && i > v && rateUnits[t[i+1].lem]:
			if i+1 < len(t) {
				p.per = t[i+1].lem
			}
			continue
		case x.low == "a" || x.low == "an" || x.low == "another":
			if i == 0 && requirementVerbs[t[v].lem] && t[v].finite && !t[v].past {
				continue // each thing of a kind
			}
			if i < v || !person {
				if i+1 < len(t) && !t[i+1].used {
					return measurement{}, false // not definite
				}
			}
			continue
		case p.per != "" && x.lem == p.per:
			continue
		case strings.HasSuffix(x.low, "ly") && rateUnits[lemma(strings.TrimSuffix(x.low, "ly"))]:
			p.per = lemma(strings.TrimSuffix(x.low, "ly"))
			continue
		case x.is(stopWord) && !x.is(formOfBe|formOfHave), x.is(adverb), currentWords[x.lem], impliedNouns[main][x.lem] && (i != 0 || t[1].used), i > v && isDayPart(t, i):
			continue
		}
		verb := i == v || i > v && (x.verb || measureVerbs[x.lem] || onceVerbs[x.lem]) && !x.upper && (x.ing || x.past || t[i-1].low == "to" || t[i-1].is(formOfBe|formOfHave|adverb))
		if verb {
			e, spans := spanEndVerbs[x.lem]
			switch {
			case spans && isTimeKind(main):
				p.end = e
			case measureVerbs[x.lem]:
				changed = changed || changeVerbs[x.lem]
			case onceVerbs[x.lem] && (main == valueYear || main == valueDate):
				p.words, p.hasCommonNoun = append(p.words, "!"+x.lem), true
				changed = true
			default:
				carried = false
			}
			continue
		}
		if x.is(formOfBe | formOfHave) {
			continue
		}
		p.hasCommonNoun = p.hasCommonNoun || !x.upper && !x.first || x.first && !looksLikeName(t, i)
		p.words = append(p.words, x.lem)
	}
	for _, x := range p.vals {
		if isTimeKind(x.kind) {
			switch x.prep {
			case "until", "till", "by":
				p.end = ending
			case "since", "from":
				p.end = beginning
			}
			if x.recurring || person && !changed {
				return measurement{}, false // a habit
			}
		}
	}
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
	switch {
	case !carried, len(p.words) == 0, len(p.words) > maxMeasured:
		return measurement{}, false
	case past && !changed && (person || isTimeKind(main) || slices.ContainsFunc(p.vals, func(x value) bool { return isTimeKind(x.kind) })):
		return measurement{}, false // an event, which may recur
	}
	return p, true
}

// isDayPart reports the part of the day of a time: at 4 in the morning.
func isDayPart(t []token, i int) bool {
	switch t[i].low {
	case "morning", "afternoon", "evening", "night":
		return i > 2 && (t[i-1].used || t[i-1].low == "at" || t[i-1].low == "the" && t[i-2].low == "in")
	}
	return false
}

// looksLikeName reports a first word that may be a name: it has a capital and is not followed by a
// common noun.
func looksLikeName(t []token, i int) bool {
	return t[i].raw[0] >= 'A' && t[i].raw[0] <= 'Z' && !(i+1 < len(t) && !t[i+1].upper && !t[i+1].is(stopWord) && !t[i+1].finite && !t[i+1].used)
}

// isTimeKind reports a kind of value that says when.
func isTimeKind(k valueKind) bool { return k >= valueTime && k <= valueYear }

// ordinalsOf adds the ranks that a sentence names.
func ordinalsOf(t []token, vals []value) []value {
	for i := range t {
		if t[i].used || i == 0 || i+1 >= len(t) || t[i+1].punctuation || t[i+1].is(stopWord) || !t[i-1].is(determiner) {
			continue
		}
		n, ok := ordinalWord(t[i].low)
		if !ok {
			n, ok = ordinalFigure(t[i].low)
		}
		if ok && t[i-1].low == "the" {
			vals = append(vals[:len(vals):len(vals)], value{kind: valueOrdinal, num: n, index: i})
		}
	}
	return vals
}

// ordinalFigure reads "3rd".
func ordinalFigure(low string) (float64, bool) {
	figures, ok := english.CutOrdinal(low)
	if !ok || len(figures) > 4 || !digits(figures) {
		return 0, false
	}
	n, _ := strconv.Atoi(figures)
	return float64(n), true
}

// compareMeasurements compares the measurements of two statements.
func compareMeasurements(a, b *Analysis) Result {
	return firstPair(a.measurements, b.measurements, func(x, y *measurement) Result {
		if (x.owner == "@i" || y.owner == "@i") && a.self != "" && b.self != "" && a.self != b.self {
			return Result{}
		}
		return x.differsFrom(y)
	})
}

// differsFrom compares two measurements: the same thing and kind of value, and one value that
// differs.
func (p *measurement) differsFrom(q *measurement) Result {
	switch {
	case !slices.Equal(p.words, q.words), !p.hasCommonNoun && !q.hasCommonNoun, p.per != "" && q.per != "" && p.per != q.per, len(p.vals) != len(q.vals):
		return Result{}
	case p.owner != "" && q.owner != "" && p.owner != q.owner:
		return Result{}
	case p.end != q.end && !(p.end == anyEdge && q.end == beginning || p.end == beginning && q.end == anyEdge):
		return Result{}
	}
	var other *value
	for i := range p.vals {
		x := &p.vals[i]
		alike := func(y value) bool { return x.kind == y.kind && x.unit == y.unit }
		j := i // two values of one kind (from Monday to Wednesday) are compared in order
		if !alike(q.vals[i]) {
			j = slices.IndexFunc(q.vals, alike)
		}
		if j < 0 {
			return Result{}
		}
		if x.same(q.vals[j]) {
			continue
		}
		if other != nil {
			return Result{}
		}
		other = x
	}
	if other == nil {
		return Result{}
	}
	kind := KindNumber
	switch {
	case other.kind == valueTime:
		kind = KindTime
	case isTimeKind(other.kind):
		kind = KindDate
	}
	return Result{scoreSlot, kind}
}
