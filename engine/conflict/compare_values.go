package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// durableVerbs state a measure that lasts: the team has eight people.
var durableVerbs = lemmaSet("durableVerbs")

// onceVerbs happen to a thing only once.
var onceVerbs = lemmas("bear die founded establish release launch marry graduate publish invent build open hire found create sign adopt retire complete finish start begin end join move divorce expire close")

// scheduleVerbs happen at a time of day, or on a day.
var scheduleVerbs = lemmas("be start begin end finish open close leave depart arrive land meet wake get go have eat run schedule take fly happen occur expire launch release board shut")

var dueVerbs = lemmas("reopen resume arrive depart start begin end expire launch open close land ship happen release")
var leaveVerbs = lemmas("fly leave move depart")

// oneOffEvents are events of which one rarely has two at a time.
var oneOffEvents = lemmas("appointment flight surgery interview exam wedding deadline funeral graduation checkup hearing")

// compareValues compares the values of two otherwise equal clauses.
func compareValues(a, b *clause, subj subjectMatch, days float64) Result {
	switch {
	case len(a.values) == 0 || len(b.values) == 0 || subj != same && subj != samePronoun,
		a.verb != b.verb && !(isScheduled(a) && isScheduled(b)) || a.frequency*b.frequency < 0,
		!(sameTime(a, b) || isFutureBe(a, b)) || a.verb != b.verb && phaseOf(a.verb) != phaseOf(b.verb):
		return Result{}
	}
	onlyA, onlyB, both := wordDifference(a, b)
	onlyA, onlyB = withoutScheduling(onlyA), withoutScheduling(onlyB)
	if len(onlyA) > 0 && len(onlyB) > 0 || len(onlyA)+len(onlyB) > 2 {
		return Result{}
	}
	if subj == samePronoun && both < 2 {
		return Result{}
	}
	event := containsAny(a.subject, eventNouns) || slices.ContainsFunc(a.items, func(x item) bool { return eventNouns[x.lem] }) && a.verb == "have"
	if !event && !slices.Equal(withoutWeekdays(a.qualifiers), withoutWeekdays(b.qualifiers)) {
		return Result{}
	}
	was := a.tense == past
	if was && days > 1.5 && a.open {
		return Result{}
	}
	switch {
	case timesDiffer(a, b, event, was, days):
		return Result{scoreValue, KindTime}
	case daysDiffer(a, b, event, was):
		return Result{scoreValue, KindDate}
	case amountsDiffer(a, b, was):
		return Result{scoreValue, KindNumber}
	}
	return Result{}
}

func withoutWeekdays(q []string) []string {
	return slices.DeleteFunc(slices.Clone(q), func(x string) bool { return strings.HasPrefix(x, "weekday") && x != "weekday" })
}

func isScheduled(c *clause) bool {
	return scheduleVerbs[c.verb] && c.verb != "have" && c.verb != "get" && c.verb != "go" && containsAny(c.subject, eventNouns)
}

// phaseOf returns 1 for a verb of ending, 2 for a verb of arriving, 0 for others.
func phaseOf(verb string) int {
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
	return a.tense != past && b.tense != past && (a.tense == future || b.tense == future) && (scheduleVerbs[a.verb] || durableVerbs[a.verb])
}

var schedulingWords = lemmas("schedule set plan due move reschedule postpone push shift bring forward advance back start begin held hold fix book now happen")

func withoutScheduling(list []item) []item {
	return slices.DeleteFunc(list, func(x item) bool { return schedulingWords[x.lem] || vagueWords[x.low] || x.low == "only" })
}

func valuesBetween(c *clause, from, to valueKind) []value {
	return slices.DeleteFunc(slices.Clone(c.values), func(v value) bool { return v.kind < from || v.kind > to || v.beforeVerb })
}

// disjoint reports whether both have values, and none of x may equal one of y.
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

func timesDiffer(a, b *clause, event, was bool, days float64) bool {
	x, y := valuesBetween(a, valueTime, valueTime), valuesBetween(b, valueTime, valueTime)
	if len(x) == 0 || len(y) == 0 || datesDiffer(a, b) && !(event && a.verb != "have" && isDefinite(a) && isDefinite(b) && !was) {
		return false
	}
	if len(x) == len(y) && len(x) > 1 {
		equal := true
		for i := range x {
			equal = equal && x[i].same(y[i])
		}
		if equal {
			return false
		}
	} else if !disjoint(x, y) {
		return false
	}
	switch {
	case x[0].prep != y[0].prep && len(x) == 1 && len(y) == 1 && (isBound(x[0].prep) || isBound(y[0].prep)),
		!event && !scheduleVerbs[a.verb] && !(a.verb == "be" && a.passive),
		!event && was && !(hasDate(a) && hasDate(b)) && a.subject[0][0] == '@':
		return false
	}
	if !event && (a.verb == "have" || a.verb == "be" && len(a.items) == 0 && len(a.subject) == 1 && a.subject[0][0] == '@') {
		if !(a.verb == "have" && len(a.items) > 0) {
			return false
		}
	}
	if a.verb == "have" && len(a.items) == 1 && !oneOffEvents[a.items[0].lem] && (a.items[0].det == "a" || a.items[0].det == "an") && !hasDate(a) {
		return false // one may have two meetings
	}
	if hasDate(a) != hasDate(b) && !isDefinite(a) && days > 1.5 {
		return false
	}
	return true
}

func isBound(prep string) bool {
	return prep == "before" || prep == "after" || prep == "until" || prep == "from" || prep == "by" || prep == "since"
}

// isDefinite reports that the subject of a clause is one definite thing.
func isDefinite(c *clause) bool { return !c.open && !c.plural && !c.weak }

func daysDiffer(a, b *clause, event, was bool) bool {
	x, y := valuesBetween(a, valueWeekday, valueYear), valuesBetween(b, valueWeekday, valueYear)
	if len(x) == 0 || len(y) == 0 || !datesDiffer(a, b) {
		return false
	}
	if disjoint(valuesBetween(a, valueMoney, valueVersion), valuesBetween(b, valueMoney, valueVersion)) {
		return false // 300 in one year, 400 in another
	}
	if isBound(x[0].prep) != isBound(y[0].prep) || x[0].prep == "before" && y[0].prep == "after" {
		return false
	}
	once := onceVerbs[a.verb] || a.passive && len(a.items) > 0 && (onceVerbs[a.items[0].lem] || schedulingWords[a.items[0].lem])
	if a.verb == "have" {
		return !was && slices.ContainsFunc(a.items, func(x item) bool { return oneOffEvents[x.lem] })
	}
	if once && (len(a.subject) > 0 && (a.subject[0][0] != '@' || len(a.subject) > 1 || a.passive || len(a.items) > 0 && (a.items[0].det == "my" || a.items[0].det == "the" || a.items[0].proper))) {
		if a.plural || a.open && !event {
			return false
		}
		if moveVerbs[a.verb] && a.verb != "move" {
			return false
		}
		return true
	}
	if a.verb == "be" || isScheduled(a) || a.verb == "due" {
		due := len(a.items) > 0 && a.items[0].lem == "due"
		person := !due && (len(a.subject) == 1 && a.subject[0][0] == '@' || a.named && !event)
		if person || a.plural && !due {
			return false
		}
		recurrent := !isDefinite(a) || !isDefinite(b)
		if recurrent && !slices.ContainsFunc(a.subject, func(s string) bool { return oneOffEvents[s] }) {
			return false
		}
		if !event && len(a.items) > 0 && a.items[0].lem != "due" && !once && !(functionalSubject(a.subject)) {
			return false
		}
		return true
	}
	if x[0].prep == "since" && y[0].prep == "since" {
		return true
	}
	if dueVerbs[a.verb] && !was && isDefinite(a) && isDefinite(b) && (a.subject[0][0] != '@' && !a.named || len(a.subject) > 1) {
		return true
	}
	if leaveVerbs[a.verb] && !was && (a.progressive || a.tense == future) && slices.ContainsFunc(a.items, func(x item) bool { return x.proper }) && len(a.items) == len(b.items) {
		return true
	}
	return event && isDefinite(a) && isDefinite(b) && scheduleVerbs[a.verb]
}

func amountsDiffer(a, b *clause, was bool) bool {
	if datesDiffer(a, b) || hasYear(a.values) != hasYear(b.values) {
		return false
	}
	for _, v := range a.values {
		for _, w := range b.values {
			switch {
			case v.beforeVerb && (v.kind == valueVersion || v.kind == valueNumber && numberedNouns[v.prep]), // it identifies the thing
				v.kind < valueMoney || v.kind != w.kind || v.unit != w.unit || v.beforeVerb != w.beforeVerb,
				hasSameValue(b, v) || hasSameValue(a, w),
				v.prep != w.prep && (isBound(v.prep) || isBound(w.prep) || v.prep == "by" || w.prep == "by"),
				v.unit == "ago":
				continue
			}
			stands := durableVerbs[a.verb] || a.passive || a.modality != asserted
			long := v.prep == "for" && w.prep == "for" && v.unit == "month"
			stands = stands || long || labelNouns[v.prep] && v.prep == w.prep
			switch {
			case was && !(hasDate(a) && hasDate(b) || a.verb == "be" && !a.passive || a.verb == "cost" || a.verb == "last" || v.beforeVerb || a.passive),
				!was && !stands,
				(a.hedged || a.tense == future) && a.verb != "be" && a.verb != "cost" && a.verb != takeKey && a.verb != "last",
				a.weak || b.weak || a.open && a.verb == "be" && (v.kind == valueMoney),
				v.kind == valueQuantity && habitualVerbs[a.verb] && !hasRate(a, b) && !was && !long && a.modality == asserted,
				v.kind == valueNumber && !labelNouns[v.prep] && a.verb != "be" && a.verb != "run" && a.verb != "listen" && a.verb != "use" && !a.passive,
				a.verb == "be" && len(a.subject) == 1 && (a.subject[0] == "@it" || a.subject[0] == "@there" && sharedWords(a, b) < 2):
				continue
			}
			return true
		}
	}
	return false
}

// numberedNouns are nouns that a number identifies.
var numberedNouns = english.WordSet("release version build sprint chapter ticket issue phase stage step round episode season section iteration milestone")

func hasYear(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == valueYear })
}

// sharedWords returns how many words two clauses share.
func sharedWords(a, b *clause) int {
	_, _, n := wordDifference(a, b)
	return n
}

// labelNouns are nouns that a number names.
var labelNouns = english.WordSet("room platform gate seat floor port line table chapter page apartment suite track lane terminal channel building unit")

// habitualVerbs state a measure only per period: five miles a day.
var habitualVerbs = lemmas("drink smoke eat walk exercise train practice meet run use pay serve cover work sleep include live")

func hasRate(a, b *clause) bool {
	f := func(c *clause) bool {
		return c.frequency > 0 || len(c.qualifiers) > 0 || slices.ContainsFunc(c.items, func(x item) bool {
			return x.lem == "day" || x.lem == "week" || x.lem == "month" || x.lem == "year" || x.lem == "night" || x.lem == "hour"
		}) || (c.subject[0][0] != '@' || len(c.subject) > 1) && !c.named || c.verb == "sleep" || c.verb == "work"
	}
	return f(a) && f(b)
}

func hasSameValue(c *clause, v value) bool {
	return slices.ContainsFunc(c.values, func(w value) bool { return w.kind == v.kind && w.unit == v.unit && w.same(v) })
}
