package cluster

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// saying returns the most typical saying of the members and the number of those with it; "" if they
// have none in common. What many clusters say is a habit, and not what one is about.
func (l *labelling) saying() (string, int) {
	best, most := "", 0.0
	for said, n := range l.in.Members.sayings {
		if n < l.least || float64(n) < telling*float64(l.in.Members.texts) || !l.lifts(n, l.in.All.sayings[said]) || l.names(said) || fragment(said) || l.measures(said) || l.wide(said) {
			continue
		}
		if weight := float64(n) * math.Sqrt(float64(1+strings.Count(said, " "))); weight > most || weight == most && said < best {
			best, most = said, weight
		}
	}
	return best, l.in.Members.sayings[best]
}

// fragment reports words that begin or end in the middle of a clause: "since we last", "sounds like".
func fragment(said string) bool {
	words := strings.Fields(said)
	first, last := words[0], words[len(words)-1]
	return prepositions[first] || conjunctions[first] || ordinals[first] || prepositions[last] || conjunctions[last] || determiners[last] || ordinals[last]
}

// measures reports a saying that begins with a unit of measure, "metres per second", if these may be no part,
// or with "per".
func (l *labelling) measures(said string) bool {
	first, _, _ := strings.Cut(said, " ")
	return first == "per" || !l.units && l.rolesOf(english.Lemma(first)).isUnit()
}

// names reports a saying with a name in it, which calls somebody.
func (l *labelling) names(said string) bool {
	for w := range strings.FieldsSeq(said) {
		if l.rolesOf(english.Lemma(w)).isName() {
			return true
		}
	}
	return false
}

// inSaying returns the saying that nearly all members with a noun use it in: "making a difference"; "" if there is
// none. The noun alone would not say what is done.
func (l *labelling) inSaying(c candidate) string {
	if len(c.words) != 1 || l.rolesOf(c.words[0]).isName() {
		return ""
	}
	type use struct {
		texts, most int
		written     string
	}
	uses := map[string]*use{}
	best, key := 0, ""
	for said, n := range l.in.Members.sayings {
		words := strings.Fields(said)
		if len(words) < 3 || english.Lemma(words[len(words)-1]) != c.words[0] || !slices.ContainsFunc(words[1:len(words)-1], english.StopWord) || strings.HasSuffix(words[0], "ly") || fragment(said) || l.names(said) {
			continue
		}
		for i, w := range words {
			words[i] = english.Lemma(w)
		}
		k := strings.Join(words, " ")
		u := uses[k]
		if u == nil {
			u = &use{}
			uses[k] = u
		}
		u.texts += n
		// A gerund is a name: "making a difference".
		rank := n
		if first, _, _ := strings.Cut(said, " "); strings.HasSuffix(first, "ing") {
			rank += l.in.Members.texts
		}
		if rank > u.most || rank == u.most && said < u.written {
			u.most, u.written = rank, said
		}
		if u.texts > best || u.texts == best && k < key {
			best, key = u.texts, k
		}
	}
	if best < l.least || float64(best) < sayingOfNoun*float64(c.count.texts) {
		return ""
	}
	return uses[key].written
}

// sayingOfNoun is the share of the members with a noun that must have it in one saying.
const sayingOfNoun = 0.6

// ofWhat returns an open noun with what follows it, "loss of Heron", and the number of members that say so, if that is heavier
// than a part; "" if there is none.
func (l *labelling) ofWhat(parts []candidate) (said string, open candidate, n int) {
	for _, c := range l.candidates {
		if len(parts) > 0 && c.weight < parts[0].weight {
			break
		}
		if len(c.words) != 1 || !c.roles.isOpen() || !l.nominal(c) || !l.typical(c) || !l.tells(c) || l.isUnit(c) {
			continue
		}
		for _, s := range slices.Sorted(maps.Keys(l.in.Members.sayings)) {
			words := strings.Fields(s)
			if last := words[len(words)-1]; len(words) < 3 || words[1] != "of" || english.Lemma(words[0]) != c.key || fragment(s) || !l.rolesOf(english.Lemma(last)).isNoun() {
				continue
			}
			if texts := l.in.Members.sayings[s]; texts > n {
				said, n = s, texts
			}
		}
		if n >= LeastMembers && l.share(n) >= covering {
			words := strings.Fields(said)
			for i, w := range words {
				if i > 0 && l.rolesOf(english.Lemma(w)).isName() {
					words[i] = capitalised(w)
				}
			}
			return strings.Join(words, " "), c, n
		}
		said, n = "", 0
	}
	return "", open, 0
}
