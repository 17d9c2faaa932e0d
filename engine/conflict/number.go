package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// standing verbs give a measure that holds: the team has eight people.
var standing = lemmas(`be have own contain cost weigh take last measure need require earn support employ seat hold use allow limit consist include
run listen call expire retry refresh reset cover span handle charge pay store serve house live drink smoke eat walk exercise work sleep train practice meet wake`)

// onceVerbs happen to a thing once.
var onceVerbs = lemmas("bear die founded establish release launch marry graduate publish invent build open hire found create sign adopt retire complete finish start begin end join move divorce expire close")

// timedVerbs happen at a time of day, or on a day.
var timedVerbs = lemmas("be start begin end finish open close leave depart arrive land meet wake get go have eat run schedule take fly happen occur expire launch release board shut")

var dueVerbs = lemmas("reopen resume arrive depart start begin end expire launch open close land ship happen release")
var leaveVerbs = lemmas("fly leave move depart")

// oneOff nouns are events one hardly has two of at a time.
var oneOff = lemmas("appointment flight surgery interview exam wedding deadline funeral graduation checkup hearing")

// otherValues compares what two like clauses measure.
func otherValues(a, b *clause, subj link, days float64) Result {
	if len(a.vals) == 0 || len(b.vals) == 0 || subj != same && subj != vague {
		return Result{}
	}
	if a.verb != b.verb && !(isTimed(a) && isTimed(b)) || a.freq*b.freq < 0 {
		return Result{}
	}
	if !(together(a, b) || isFutureBe(a, b)) || a.verb != b.verb && phase(a.verb) != phase(b.verb) {
		return Result{}
	}
	onlyA, onlyB, both := apartWords(a, b)
	onlyA, onlyB = unscheduled(onlyA), unscheduled(onlyB)
	if len(onlyA) > 0 && len(onlyB) > 0 || len(onlyA)+len(onlyB) > 2 {
		return Result{}
	}
	if subj == vague && both < 2 {
		return Result{}
	}
	event := slices.ContainsFunc(a.subj, isEvent) || slices.ContainsFunc(a.rest, func(x item) bool { return isEvent(x.lem) }) && a.verb == "have"
	if !event && !slices.Equal(weekdayless(a.quals), weekdayless(b.quals)) {
		return Result{}
	}
	was := a.tense == past
	if was && days > 1.5 && a.open {
		return Result{}
	}
	if r := otherTime(a, b, event, was, days); r.Score > 0 {
		return r
	}
	if r := otherDate(a, b, event, was); r.Score > 0 {
		return r
	}
	return otherAmount(a, b, was)
}

func weekdayless(q []string) []string {
	var out []string
	for _, x := range q {
		if len(x) < 7 || x[:7] != "weekday" || x == "weekday" {
			out = append(out, x)
		}
	}
	return out
}

func isTimed(c *clause) bool {
	return timedVerbs[c.verb] && c.verb != "have" && c.verb != "get" && c.verb != "go" && slices.ContainsFunc(c.subj, isEvent)
}

// phase is 1 of a verb that says when something ends, 2 when somebody arrives, 0 of others.
func phase(verb string) int {
	switch {
	case endVerbs[verb]:
		return 1
	case arriveVerbs[verb]:
		return 2
	}
	return 0
}

var endVerbs = lemmas("end close expire shut")
var arriveVerbs = lemmas("arrive land")

func isFutureBe(a, b *clause) bool {
	return a.tense != past && b.tense != past && (a.tense == future || b.tense == future) && (timedVerbs[a.verb] || standing[a.verb])
}

var scheduling = lemmas("schedule set plan due move reschedule postpone push shift bring forward advance back start begin held hold fix book now happen")

func unscheduled(list []item) []item {
	var out []item
	for _, x := range list {
		if !scheduling[x.lem] && !vagueWords[x.low] && x.low != "only" {
			out = append(out, x)
		}
	}
	return out
}

func pick(c *clause, from, to valueKind) []value {
	var out []value
	for _, v := range c.vals {
		if v.kind >= from && v.kind <= to && !v.before {
			out = append(out, v)
		}
	}
	return out
}

// disjoint reports whether no value of x may be a value of y; both have some.
func disjoint(x, y []value) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	for i, v := range x {
		for j, w := range y {
			if v.kind == w.kind && v.same(w) && (i == j || len(x) != len(y) || v.kind != valueTime) {
				return false
			}
		}
	}
	return true
}

func otherTime(a, b *clause, event, was bool, days float64) Result {
	x, y := pick(a, valueTime, valueTime), pick(b, valueTime, valueTime)
	if len(x) == 0 || len(y) == 0 || datesApart(a, b) && !(event && a.verb != "have" && definite(a) && definite(b) && !was) {
		return Result{}
	}
	if len(x) == len(y) && len(x) > 1 {
		equal := true
		for i := range x {
			equal = equal && x[i].same(y[i])
		}
		if equal {
			return Result{}
		}
	} else if !disjoint(x, y) {
		return Result{}
	}
	if x[0].prep != y[0].prep && len(x) == 1 && len(y) == 1 && (bound(x[0].prep) || bound(y[0].prep)) {
		return Result{}
	}
	if !event && !timedVerbs[a.verb] && !(a.verb == "be" && a.passiv) {
		return Result{}
	}
	if !event && was && !(hasDate(a) && hasDate(b)) && a.subj[0][0] == '@' {
		return Result{}
	}
	if !event && (a.verb == "have" || a.verb == "be" && len(a.rest) == 0 && len(a.subj) == 1 && a.subj[0][0] == '@') {
		if !(a.verb == "have" && len(a.rest) > 0) {
			return Result{}
		}
	}
	if a.verb == "have" && len(a.rest) == 1 && !oneOff[a.rest[0].lem] && (a.rest[0].det == "a" || a.rest[0].det == "an") && !hasDate(a) {
		return Result{} // one may have two meetings
	}
	if hasDate(a) != hasDate(b) && !definite(a) && days > 1.5 {
		return Result{}
	}
	return Result{scoreValue, KindTime, "another time of day"}
}

func bound(prep string) bool {
	return prep == "before" || prep == "after" || prep == "until" || prep == "from" || prep == "by" || prep == "since"
}

// definite reports that a clause speaks of one certain thing.
func definite(c *clause) bool { return !c.open && !c.plural && !c.weak }

func otherDate(a, b *clause, event, was bool) Result {
	x, y := pick(a, valueWeekday, valueYear), pick(b, valueWeekday, valueYear)
	if len(x) == 0 || len(y) == 0 || !datesApart(a, b) {
		return Result{}
	}
	if disjoint(pick(a, valueMoney, valueVersion), pick(b, valueMoney, valueVersion)) {
		return Result{} // 300 in one year, 400 in another
	}
	if bound(x[0].prep) != bound(y[0].prep) || x[0].prep == "before" && y[0].prep == "after" {
		return Result{}
	}
	once := onceVerbs[a.verb] || a.passiv && len(a.rest) > 0 && (onceVerbs[a.rest[0].lem] || scheduling[a.rest[0].lem])
	if a.verb == "have" {
		for _, v := range a.rest {
			if oneOff[v.lem] && !was {
				return Result{scoreValue, KindDate, "another date"}
			}
		}
		return Result{}
	}
	if once && (len(a.subj) > 0 && (a.subj[0][0] != '@' || len(a.subj) > 1 || a.passiv || len(a.rest) > 0 && (a.rest[0].det == "my" || a.rest[0].det == "the" || a.rest[0].proper))) {
		if a.plural || a.open && !event {
			return Result{}
		}
		if moveVerbs[a.verb] && a.verb != "move" {
			return Result{}
		}
		return Result{scoreValue, KindDate, "another date"}
	}
	if a.verb == "be" || isTimed(a) || a.verb == "due" {
		due := len(a.rest) > 0 && a.rest[0].lem == "due"
		person := !due && (len(a.subj) == 1 && a.subj[0][0] == '@' || a.named && !event)
		if person || a.plural && !due {
			return Result{}
		}
		recurrent := !definite(a) || !definite(b)
		if recurrent && !slices.ContainsFunc(a.subj, func(s string) bool { return oneOff[s] }) {
			return Result{}
		}
		if !event && len(a.rest) > 0 && a.rest[0].lem != "due" && !once && !(functionalSubject(a.subj)) {
			return Result{}
		}
		return Result{scoreValue, KindDate, "another date"}
	}
	if x[0].prep == "since" && y[0].prep == "since" {
		return Result{scoreValue, KindDate, "another date"}
	}
	if dueVerbs[a.verb] && !was && definite(a) && definite(b) && (a.subj[0][0] != '@' && !a.named || len(a.subj) > 1) {
		return Result{scoreValue, KindDate, "another date"}
	}
	if leaveVerbs[a.verb] && !was && (a.ing || a.tense == future) && slices.ContainsFunc(a.rest, func(x item) bool { return x.proper }) && len(a.rest) == len(b.rest) {
		return Result{scoreValue, KindDate, "another date"}
	}
	if event && definite(a) && definite(b) && timedVerbs[a.verb] {
		return Result{scoreValue, KindDate, "another date"}
	}
	return Result{}
}

func otherAmount(a, b *clause, was bool) Result {
	if datesApart(a, b) || hasYear(a.vals) != hasYear(b.vals) {
		return Result{}
	}
	for _, v := range a.vals {
		for _, w := range b.vals {
			if v.before && (v.kind == valueVersion || v.kind == valueNumber && numbered[v.prep]) {
				continue // it says which one is meant
			}
			if v.kind < valueMoney || v.kind != w.kind || v.unit != w.unit || v.before != w.before {
				continue
			}
			if anyValue(b, v) || anyValue(a, w) {
				continue
			}
			if v.prep != w.prep && (bound(v.prep) || bound(w.prep) || v.prep == "by" || w.prep == "by") {
				continue
			}
			if v.unit == "ago" {
				continue
			}
			stands := standing[a.verb] || a.passiv || a.mood != fact
			long := v.prep == "for" && w.prep == "for" && v.unit == "month"
			stands = stands || long || labels[v.prep] && v.prep == w.prep
			if was && !(hasDate(a) && hasDate(b) || a.verb == "be" && !a.passiv || a.verb == "cost" || a.verb == lastKey || v.before || a.passiv) {
				continue
			}
			if !was && !stands {
				continue
			}
			if (a.hedged || a.tense == future) && a.verb != "be" && a.verb != "cost" && a.verb != takeKey && a.verb != lastKey {
				continue
			}
			if a.weak || b.weak || a.open && a.verb == "be" && (v.kind == valueMoney) {
				continue
			}
			if v.kind == valueQuantity && habitual[a.verb] && !perTime(a, b) && !was && !long && a.mood == fact {
				continue
			}
			if v.kind == valueNumber && !labels[v.prep] && a.verb != "be" && a.verb != "run" && a.verb != listenKey && a.verb != useKey && !a.passiv {
				continue
			}
			if a.verb == "be" && len(a.subj) == 1 && (a.subj[0] == "@it" || a.subj[0] == "@there" && both(a, b) < 2) {
				continue
			}
			return Result{scoreValue, KindNumber, "another number"}
		}
	}
	return Result{}
}

// numbered are nouns whose number says which one is meant.
var numbered = english.WordSet("release version build sprint chapter ticket issue phase stage step round episode season section iteration milestone")

func hasYear(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == valueYear })
}

// both is how many words two clauses share.
func both(a, b *clause) int {
	_, _, n := apartWords(a, b)
	return n
}

// labels are nouns that a number names.
var labels = english.WordSet("room platform gate seat floor port line table chapter page apartment suite track lane terminal channel building unit")

// habitual verbs measure something only over a time: five miles a day.
var habitual = lemmas("drink smoke eat walk exercise train practice meet run use pay serve cover work sleep include live")

func perTime(a, b *clause) bool {
	f := func(c *clause) bool {
		return c.freq > 0 || len(c.quals) > 0 || slices.ContainsFunc(c.rest, func(x item) bool {
			return x.lem == "day" || x.lem == "week" || x.lem == "month" || x.lem == "year" || x.lem == "night" || x.lem == "hour"
		}) || (c.subj[0][0] != '@' || len(c.subj) > 1) && !c.named || c.verb == sleepKey || c.verb == workKey
	}
	return f(a) && f(b)
}

func anyValue(c *clause, v value) bool {
	return slices.ContainsFunc(c.vals, func(w value) bool { return w.kind == v.kind && w.unit == v.unit && w.same(v) })
}
