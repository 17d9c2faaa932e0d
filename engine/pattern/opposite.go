package pattern

import (
	"strings"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// particles are words that say how or where something is to be, although they are stop words: "must be on", "must stay in".
var particles = english.WordSet("on off in out up down over under inside outside above below beneath underneath")

// directions are opposite particles that package conflict does not read as opposites, because they are prepositions too.
var directions = map[string]string{"in": "out", "out": "in", "over": "under", "under": "over"}

// placing are particles that are prepositions of a place too, with those that name another side of it, and what goes with something.
var placing = map[string]map[string]bool{
	"in": english.WordSet("outside"), "inside": english.WordSet("outside"), "outside": english.WordSet("in inside"),
	"on": english.WordSet("off under below beneath underneath"), "off": english.WordSet("on"),
	"over": english.WordSet("under below beneath underneath"), "above": english.WordSet("under below beneath underneath"),
	"under": english.WordSet("on over above"), "below": english.WordSet("on over above"), "beneath": english.WordSet("on over above"), "underneath": english.WordSet("on over above"),
	"with": english.WordSet("without"), "without": english.WordSet("with"),
}

// opposite reports whether two words exclude each other in one place of a statement.
func opposite(a, b string) bool {
	if x, at, ok := strings.Cut(a, " "); ok { // at one place: "on the lead" and "off the lead"
		y, other, _ := strings.Cut(b, " ")
		return at == other && placing[x][y]
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
		if place := placeAfter(words, i); particle && place != "" {
			out[low+" "+place] = low + " " + place
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
		if last || particle && (verb(k) || k > 0 && verb(k-1)) || !particle && (asides[next] || isTime(next) || verb(k)) {
			out[stem] = low
		}
	}
	return out
}

// placeAfter returns the stem of the noun after a preposition of a place and an article: "shed" of "outside the old shed"; empty for none.
func placeAfter(words []extract.Word, i int) (place string) {
	if i+2 >= len(words) || placing[words[i].Low] == nil || words[i].SignAfter != 0 || words[i+1].Low != "the" && words[i+1].Low != "a" && words[i+1].Low != "an" {
		return ""
	}
	for _, w := range words[i+2:] {
		stem := stemOf(w)
		if stem == "" || prepositions[w.Low] || links[w.Low] != "" || namesTime(w) {
			break
		}
		if place = stem; w.SignAfter != 0 {
			break
		}
	}
	return place
}

// company adds to the ends of a statement what its act goes with and without: "with salt", "without salt". What must not be done without
// something is done with it.
func (st *statement) company(s *sentence) {
	for k, i := range s.main {
		if s.words[i].Low != "with" {
			continue
		}
		for _, j := range s.main[k+1:] {
			w := s.words[j]
			if prepositions[w.Low] || w.SignAfter != 0 && stemOf(w) == "" {
				break
			}
			if stem := stemOf(w); stem != "" {
				st.ends["with "+stem] = "with " + stem
			}
			if w.SignAfter != 0 {
				break
			}
		}
	}
	for _, c := range s.conds {
		if s.words[c.start].Low != "without" {
			continue
		}
		link := "without "
		if st.sign > 0 && st.order > 0 {
			link = "with "
		}
		for _, w := range s.words[c.from:c.to] {
			if prepositions[w.Low] {
				break
			}
			if stem := stemOf(w); stem != "" {
				st.ends[link+stem] = link + stem
			}
		}
	}
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
