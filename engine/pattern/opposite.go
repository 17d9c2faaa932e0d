package pattern

import (
	"strings"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// particles are words that say how or where something is to be, although they are stop words: "must be on", "must stay in".
var particles = english.WordSet("on off in out up down over under inside outside above below")

// directions are opposite particles that package conflict does not read as opposites, because they are prepositions too.
var directions = map[string]string{"in": "out", "out": "in", "over": "under", "under": "over"}

// placing are particles that are prepositions of a place too.
var placing = english.WordSet("on off inside outside above below")

// opposite reports whether two words exclude each other in one place of a statement.
func opposite(a, b string) bool {
	if x, at, ok := strings.Cut(a, " "); ok { // at one place: "on the lead" and "off the lead"
		y, other, _ := strings.Cut(b, " ")
		return at == other && conflict.Opposed(x, y)
	}
	if strings.Contains(b, " ") {
		return false
	}
	return directions[a] == b || conflict.Opposed(a, b)
}

// demandLeads stand directly before the verb of a demand.
var demandLeads = union(union(modals, copulas), english.WordSet("not never always please only to should ought cannot can't mustn't shouldn't don't do shan't keep leave stay remain"))

// demandLemmas are demandLeads in every form: "kept".
var demandLemmas = func() map[string]bool {
	out := map[string]bool{}
	for w := range demandLeads {
		out[english.Lemma(w)] = true
	}
	return out
}()

// asides follow a word that ends its phrase.
var asides = english.WordSet("all every each again always now today tonight and or but too please")

// endsOf returns the words of a clause that say what is to be done or how something is to be: the verb, and each word that ends its
// phrase, with the word itself by its stem. A word before a noun is none: of "the open gate must stay closed" it is "closed". Of
// particles it returns those that are no preposition: "turn off the lamp on the porch" has "off".
func endsOf(words []extract.Word, clause []int) map[string]string {
	out := map[string]string{}
	verb := func(k int) bool { // what k words precede is the verb of a demand
		return k >= 0 && k < len(clause) && (k == 0 || demandLeads[words[clause[k-1]].Low])
	}
	for k, i := range clause {
		w := words[i]
		low, particle := w.Low, particles[w.Low]
		stem := stemOf(w)
		if particle && stem == "" {
			stem = low
		}
		if stem == "" || demandLeads[low] || directions[low] != "" && k > 0 && !demandLeads[words[clause[k-1]].Low] && !demandLemmas[english.Lemma(words[clause[k-1]].Low)] { // "sign in" and "sign out" exclude nothing
			continue
		}
		next := ""
		if k+1 < len(clause) && clause[k+1] == i+1 && w.SignAfter == 0 {
			next = words[i+1].Low
		}
		through := next == "all" && i+2 < len(words) && english.Lemma(words[i+2].Low) == words[i+2].Low // "on all night"
		last := through || next == "" || prepositions[next] || particles[next] || strings.HasSuffix(next, "ly")
		if particle && placing[low] && (next == "the" || next == "a" || next == "an") && i+2 < len(words) {
			if place := stemOf(words[i+2]); place != "" {
				out[low+" "+place] = low + " " + place
			}
		}
		if last || particle && (verb(k) || k > 0 && verb(k-1)) || !particle && (asides[next] || isTime(next) || verb(k)) {
			out[stem] = low
		}
	}
	return out
}

// opposed reports whether two statements have opposite words in the place of one: "must be on" and "must be off". What both say is none.
func (st *statement) opposed(o *statement) bool {
	return opposedEnds(st.ends, o.ends, func(x, y string) bool { _, a := o.ends[x]; _, b := st.ends[y]; return !a && !b })
}

// opposedEnds reports a pair of opposite words that differ reports.
func opposedEnds(a, b map[string]string, differ func(x, y string) bool) bool {
	for x, low := range a {
		for y, other := range b {
			if x != y && differ(x, y) && opposite(low, other) {
				return true
			}
		}
	}
	return false
}
