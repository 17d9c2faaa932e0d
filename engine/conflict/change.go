package conflict

import "slices"

// endingVerbs are verbs that end something, with the verbs for what they end.
var endingVerbs = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for ends, verb := range wordLists.Keyed("endingVerbs") {
		for w := range lemmas(ends) {
			if m[w] == nil {
				m[w] = map[string]bool{}
			}
			m[w][lemma(verb)] = true
		}
	}
	return m
}()

var switchFromVerbs = lemmas("switch migrate move convert transition")
var selfEndingVerbs = lemmas("retire die")

// saysEnded reports whether a says that what b says has ended.
func saysEnded(a, b *clause, subj subjectMatch) bool {
	of, ok := endingVerbs[a.verb]
	if a.verb == "be" && a.passive && len(a.items) > 0 {
		of, ok = endingVerbs[a.items[0].lem]
	}
	if a.verb == "cancel" && !a.negated && a.modality == asserted && !a.hedged && a.tense != future && b.verb == "be" && !b.negated && b.tense != past && len(b.values) > 0 {
		what := slices.Concat(lemsOf(a.object()), lemsOf(a.phrase("to", "with", "in")))
		slices.Sort(what)
		if slices.Equal(what, withoutOwner(b.subject)) {
			return true
		}
	}
	if !ok || a.negated || b.negated || a.modality != asserted || b.modality != asserted || a.hedged || b.hedged || a.weak || b.weak ||
		a.tense != past && a.tense != perfect && !a.passive || b.tense == past || b.tense == perfect && b.verb != "be" || b.condition != "" || a.condition != "" || !of[b.verb] && !(a.passive && (b.verb == "be" || b.verb == "have")) {
		return false
	}
	// "the membership was cancelled"
	if a.verb == "be" && a.passive && b.verb == "have" && a.items[0].lem == "cancel" && len(a.items) == 1 && !a.named {
		if what := withoutOwner(a.subject); len(what) > 0 && !slices.ContainsFunc(what, func(w string) bool {
			return !slices.ContainsFunc(b.items, func(y item) bool { return y.lem == w })
		}) {
			return true
		}
	}
	// the event itself is cancelled: "the trip was cancelled"
	if a.verb == "be" && a.passive {
		if a.items[0].lem == "cancel" && a.tense != future && subj == same && !a.named && (b.verb == "be" && (len(b.values) > 0 || slices.ContainsFunc(b.items, func(x item) bool { return schedulingWords[x.lem] }))) {
			return true
		}
		return false
	}
	if selfEndingVerbs[a.verb] && len(a.items) == 0 && subj == same && a.named {
		return true
	}
	ended := a.object()
	switch {
	case switchFromVerbs[a.verb]:
		ended = a.phrase("from")
	case a.verb == leaveKey || a.verb == "quit" || a.verb == "resign":
		if f := a.phrase("from", "at"); f != nil && len(ended) == 0 {
			ended = f
		}
		if a.verb == leaveKey && (len(ended) == 0 || !ended[0].proper && ended[0].det != "my") {
			return false
		}
	case a.verb == "break":
		if len(ended) > 0 && ended[0].low == "up" {
			ended = a.phrase("up", "with")
			if len(ended) > 0 && ended[0].low == "up" {
				ended = ended[1:]
			}
		}
	case a.verb == giveKey:
		if !slices.ContainsFunc(a.items, func(x item) bool { return x.low == "up" }) {
			return false
		}
		ended = slices.DeleteFunc(slices.Clone(a.items), func(x item) bool { return x.low == "up" })
	}
	for len(ended) > 0 && (ended[0].low == "up" || ended[0].low == "off" || ended[0].low == "out") {
		ended = ended[1:]
	}
	if len(ended) == 0 || len(ended) > 4 {
		return false
	}
	owners := subj == same || personOf(a.subject) != "" && personOf(a.subject) == personOf(b.subject) && b.verb == "be" && len(a.subject) == 1
	if !owners || subj == samePronoun {
		return false
	}
	for _, x := range ended {
		if x.lem == "job" || x.lem == "relationship" {
			continue
		}
		if !slices.ContainsFunc(b.items, func(y item) bool { return (y.lem == x.lem || x.lem == y.lem+"s") && !y.compared }) {
			if x.lem == b.verb { // "quit smoking", "gave up smoking"
				continue
			}
			return false
		}
	}
	if ended[len(ended)-1].lem == "job" && b.verb != "work" {
		return false
	}
	return true
}
