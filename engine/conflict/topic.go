package conflict

import (
	"slices"
	"strings"
)

// topic is a sentence that measures one thing, without the words that carry the value
// there: "the database runs PostgreSQL 14" and "we upgraded the database to PostgreSQL
// 16" are both about {database, postgresql}. Two that are about the same words and give
// different values contradict each other, however each puts it.
type topic struct {
	words []string // word families of what is measured, sorted
	owner string   // whose it is: "@i", "@he" …; empty where nobody is named
	vals  []value
	per   string // of a rate: a month, per user
	end   edge
	plain bool // a word of it is no name
}

// edge is which end of a span of time a value gives.
type edge int8

const (
	anyEdge   edge = iota
	beginning      // starts at, opens at, leaves at, since
	ending         // ends at, closes at, until, by
	arriving       // lands at, gets in at
)

// valueOrdinal is a place in a row, "the third floor". Only topics read it.
const valueOrdinal valueKind = 32

// carriers are verbs that bring a value and say nothing more of the thing: is, runs,
// takes, amounts to; and those that put it in the place of another.
var carriers = lemmas(`be have run use listen come amount total cost weigh measure last take stay stand sit lie hold contain remain become keep operate
reach hit number count equal belong read pay charge set fix put schedule plan move relocate reschedule postpone delay push shift bring change switch update upgrade
downgrade bump raise lower increase decrease reduce cut drop rise grow shrink climb fall jump slip extend shorten deploy go turn end`)

// changers among them may stand in the past: what they brought about is so now.
var changers = lemmas(`move relocate reschedule postpone delay push shift bring change switch update upgrade downgrade bump raise lower increase decrease
reduce cut drop rise grow shrink climb fall jump slip extend shorten go set fix become schedule put`)

// edges are verbs of the ends of a span of time.
var edges = func() map[string]edge {
	m := map[string]edge{}
	for e, list := range map[edge]string{
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

// asking are verbs of what holds of each thing of a kind: a review needs two approvals.
var asking = lemmas("need require cost take last weigh hold")

// fresh are words that say of a value that it is the one in force.
var fresh = lemmas("new current currently latest updated revised actual final total exact regular standard presently brand")

// impliedBy are nouns that a kind of value implies.
var impliedBy = map[valueKind]map[string]bool{
	valueMoney:   lemmas("price cost total amount sum bill"),
	valueVersion: lemmas("version release"),
	valueDate:    lemmas("date day"),
	valueTime:    lemmas("time clock hour"),
	valueWeekday: lemmas("day"),
}

// rated are what a rate is given for: a month, per user.
var rated = lemmas("second minute hour day week month quarter year night user seat person head")

// maxTopic is how many words a topic may have: more is a story.
const maxTopic = 6

// topicOf reads what a sentence measures; t are its tokens with values marked.
func topicOf(t []token, vals []value) (topic, bool) {
	vals = ordinalsOf(t, vals)
	if len(vals) == 0 || len(vals) > 3 {
		return topic{}, false
	}
	v := findVerb(t, false)
	if v < 0 || t[v].is(modal) || v+1 < len(t) && t[v+1].low == "going" {
		return topic{}, false
	}
	p := topic{end: anyEdge}
	carried, changed, past := true, false, t[v].past && !t[v].is(formOfHave)
	main := vals[0].kind
	// labels say which one is meant, and measure nothing
	isLabel := func(x value) bool { return len(vals) > 1 && label(t, x.at) || x.at < v && label(t, x.at) }
	for _, x := range vals {
		if isLabel(x) {
			p.words = append(p.words, "#"+t[x.at].low)
			continue
		}
		if x.at < v && !(x.kind == valueVersion && v+1 < len(t) && t[v+1].is(preposition)) {
			return topic{}, false // the value is the subject
		}
		main = x.kind
		p.vals = append(p.vals, x)
	}
	if len(p.vals) == 0 {
		return topic{}, false
	}
	person := false
	for i, x := range t {
		switch {
		case x.mark && x.low == ":":
			return topic{}, false
		case x.mark || x.low == "'s":
			continue
		case pronoun(x.low) != "" || x.low == "user":
			k := pronoun(x.low)
			if x.low == "user" || k == "@we" {
				k = "@i"
			}
			if k == "@it" || k == "@there" {
				if i == 0 {
					return topic{}, false // who knows what
				}
				continue
			}
			if p.owner != "" && p.owner != k {
				return topic{}, false
			}
			p.owner = k
			person = person || i < v && x.is(subjectForm)
			continue
		case x.used || slices.ContainsFunc(vals, func(o value) bool { return o.at == i }):
			continue
		case x.low == "per" || (x.low == "a" || x.low == "an") && i+1 < len(t) && i > v && rated[t[i+1].lem]:
			if i+1 < len(t) {
				p.per = t[i+1].lem
			}
			continue
		case x.low == "a" || x.low == "an" || x.low == "another":
			if i == 0 && asking[t[v].lem] && t[v].finite && !t[v].past {
				continue // any of them
			}
			if i < v || !person {
				if i+1 < len(t) && !t[i+1].used {
					return topic{}, false // not a certain one
				}
			}
			continue
		case p.per != "" && x.lem == p.per:
			continue
		case strings.HasSuffix(x.low, "ly") && rated[lemma(strings.TrimSuffix(x.low, "ly"))]:
			p.per = lemma(strings.TrimSuffix(x.low, "ly"))
			continue
		case x.is(stopWord) && !x.is(formOfBe|formOfHave), x.is(adverb), fresh[x.lem], impliedBy[main][x.lem] && (i != 0 || t[1].used), i > v && dayPart(t, i):
			continue
		}
		verb := i == v || i > v && (x.verb || carriers[x.lem] || onceVerbs[x.lem]) && !x.upper && (x.ing || x.past || t[i-1].low == "to" || t[i-1].is(formOfBe|formOfHave|adverb))
		if verb {
			e, spans := edges[x.lem]
			switch {
			case spans && timed(main):
				p.end = e
			case carriers[x.lem]:
				changed = changed || changers[x.lem]
			case onceVerbs[x.lem] && (main == valueYear || main == valueDate):
				p.words, p.plain = append(p.words, "!"+x.lem), true
				changed = true
			default:
				carried = false
			}
			continue
		}
		if x.is(formOfBe | formOfHave) {
			continue
		}
		p.plain = p.plain || !x.upper && !x.first || x.first && !nameLike(t, i)
		p.words = append(p.words, x.lem)
	}
	for _, x := range p.vals {
		if timed(x.kind) {
			switch x.prep {
			case "until", "till", "by":
				p.end = ending
			case "since", "from":
				p.end = beginning
			}
			if x.habit || person && !changed {
				return topic{}, false // what one does then, and then again
			}
		}
	}
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
	switch {
	case !carried, len(p.words) == 0, len(p.words) > maxTopic:
		return topic{}, false
	case past && !changed && (person || timed(main) || slices.ContainsFunc(p.vals, func(x value) bool { return timed(x.kind) })):
		return topic{}, false // it happened, and may happen again
	}
	return p, true
}

// dayPart reports the part of the day that a time lies in: at 4 in the morning.
func dayPart(t []token, i int) bool {
	switch t[i].low {
	case "morning", "afternoon", "evening", "night":
		return i > 2 && (t[i-1].used || t[i-1].low == "at" || t[i-1].low == "the" && t[i-2].low == "in")
	}
	return false
}

// nameLike reports a first word that may be a name: capital, and no plain word before a
// noun.
func nameLike(t []token, i int) bool {
	return t[i].raw[0] >= 'A' && t[i].raw[0] <= 'Z' && !(i+1 < len(t) && !t[i+1].upper && !t[i+1].is(stopWord) && !t[i+1].finite && !t[i+1].used)
}

// timed reports a kind that says when.
func timed(k valueKind) bool { return k >= valueTime && k <= valueYear }

// ordinalsOf adds the places in a row that a sentence names.
func ordinalsOf(t []token, vals []value) []value {
	for i := range t {
		if t[i].used || i == 0 || i+1 >= len(t) || t[i+1].mark || t[i+1].is(stopWord) || !t[i-1].is(determiner) {
			continue
		}
		n, ok := ordinalWord(t[i].low)
		if !ok {
			n, ok = ordinalFigure(t[i].low)
		}
		if ok && t[i-1].low == "the" {
			vals = append(vals[:len(vals):len(vals)], value{kind: valueOrdinal, num: n, at: i})
		}
	}
	return vals
}

// ordinalFigure reads "3rd".
func ordinalFigure(low string) (float64, bool) {
	n, i := 0.0, 0
	for ; i < len(low) && i < 4 && low[i] >= '0' && low[i] <= '9'; i++ {
		n = n*10 + float64(low[i]-'0')
	}
	if i == 0 {
		return 0, false
	}
	switch low[i:] {
	case "st", "nd", "rd", "th":
		return n, true
	}
	return 0, false
}

// compareTopics holds what two statements measure against each other.
func compareTopics(a, b *Analysis) Result {
	for i := range a.topics {
		for j := range b.topics {
			x, y := &a.topics[i], &b.topics[j]
			if (x.owner == "@i" || y.owner == "@i") && a.self != "" && b.self != "" && a.self != b.self {
				continue
			}
			if r := x.against(y); r.Score > 0 {
				return r
			}
		}
	}
	return Result{}
}

// against compares two topics: one thing, one kind of value, and one that differs.
func (p *topic) against(q *topic) Result {
	switch {
	case !slices.Equal(p.words, q.words), !p.plain && !q.plain, p.per != "" && q.per != "" && p.per != q.per, len(p.vals) != len(q.vals):
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
		j := i // two of one kind, from Monday to Wednesday, are compared in their order
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
	case timed(other.kind):
		kind = KindDate
	}
	return Result{scoreTopic, kind, "another value of the same"}
}
