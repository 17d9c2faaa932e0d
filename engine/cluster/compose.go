package cluster

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// compose makes the text of the label, and reports whether it is weak, see ClusterLabel. It tries what names a
// cluster best first: nouns that set it apart; a word of nearly all members that may be a noun; nouns that other
// memories have too; a saying or a noun with a unit; what is counted.
func (l *labelling) compose() (text string, weak bool) {
	anyNoun := func(c candidate) bool { return l.tells(c) && (l.nominal(c) || len(c.words) == 1 && l.dominant(c)) }
	noun := func(c candidate) bool { return anyNoun(c) && !l.incidental(c) && !c.roles.isOpen() }
	parts, text := l.nouns(noun)
	if len(parts) == 0 && text == "" {
		parts = l.parts(l.mayName)
	}
	if len(parts) == 0 && text == "" {
		l.lift = noLift
		parts = l.parts(anyNoun)
		l.lift = lift
	}
	if len(parts) == 0 && text == "" {
		l.units = true
		parts, text = l.nouns(noun)
	}
	if len(parts) == 0 && text == "" {
		l.counted = true
		parts = l.parts(noun)
	}
	if text == "" {
		if said, open, n := l.ofWhat(parts); said != "" {
			l.having, l.matter, l.keys = l.share(n), n, []string{open.key}
			return capitalised(said), l.units
		}
	}
	if len(parts) == 1 {
		if said := l.inSaying(parts[0]); said != "" {
			l.having, l.matter = l.share(parts[0].count.texts), parts[0].count.texts
			return capitalised(said), l.units
		}
		parts = l.completed(parts[0])
		weak = len(parts) == 1 && l.isPerson(parts[0])
	}
	for _, p := range parts {
		l.having = max(l.having, l.share(p.count.texts))
		if !l.isPerson(p) {
			l.matter = max(l.matter, p.count.texts)
		}
	}
	if text == "" {
		weak = weak || l.onlyGeneral(parts)
		text = l.joined(parts)
		for _, p := range parts {
			l.keys = append(l.keys, p.key)
		}
	} else {
		weak = l.in.Members.texts < fewTexts // two or three that use the same words need not be about the same matter
	}
	return text, weak || l.units
}

// nouns returns the nouns that name the cluster, or a saying or what its members do if that says more.
func (l *labelling) nouns(noun func(candidate) bool) (parts []candidate, text string) {
	parts = l.parts(noun)
	most := 0
	for _, p := range parts {
		most = max(most, p.count.texts)
	}
	if l.share(most) >= dominated {
		return parts, ""
	}
	if len(parts) == 0 {
		if parts = l.parts(l.activity); len(parts) > 0 {
			return parts, ""
		}
	}
	said, n := l.saying()
	if talk := l.talk(); talk != "" && l.share(n) < sayingStays {
		l.having = openingShare // at least
		return nil, talk
	}
	if n > most {
		l.having = l.share(n)
		return nil, capitalised(said)
	}
	return parts, ""
}

// activity reports a word of three quarters of the members that they mostly write in -ing, and somewhere as a noun:
// "running" is what they are about, although it is a verb in "I started running".
func (l *labelling) activity(c candidate) bool {
	form := l.form(c)
	return len(c.words) == 1 && l.share(c.count.texts) >= dominantShare && strings.HasSuffix(form, "ing") && c.roles.noun > 0 && !l.general(c)
}

// joined is the text of a label of some parts.
func (l *labelling) joined(parts []candidate) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = l.written(p)
	}
	return capitalised(strings.Join(texts, " and "))
}

// matterFirst moves the heaviest noun that at least half of the members have before the name of a person or a general
// word.
func (l *labelling) matterFirst(fitting []candidate) {
	wide := func(c candidate) bool { return l.isPerson(c) || l.general(c) }
	if !wide(fitting[0]) {
		return
	}
	at := slices.IndexFunc(fitting, func(c candidate) bool { return !wide(c) && l.share(c.count.texts) >= dominated })
	if at > 0 {
		noun := fitting[at]
		copy(fitting[1:], fitting[:at])
		fitting[0] = noun
	}
}

// completed adds a second part to one that does not name the cluster alone: it is the label of another cluster
// already, the name of a person, a general word, or in few members.
func (l *labelling) completed(first candidate) []candidate {
	switch {
	case l.in.Taken[l.joined([]candidate{first})]:
		if both := l.with(first, func(c candidate) bool { return l.nominal(c) }); len(both) > 1 {
			return both
		}
		return l.with(first, l.likelyNoun)
	case l.isPerson(first):
		return l.with(first, func(c candidate) bool { return l.share(c.count.texts) >= covering && l.typical(c) && l.nominal(c) })
	case l.general(first), l.in.Members.texts < fewTexts && 2*first.count.texts <= l.in.Members.texts:
		return l.with(first, func(c candidate) bool {
			return l.share(c.count.texts) >= covering && l.typical(c) && !l.incidental(c) && l.nominal(c)
		})
	case l.share(first.count.texts) < covering:
		l.lift = noLift
		defer func() { l.lift = lift }()
		return l.with(first, func(c candidate) bool {
			return c.count.texts >= leastSecond && l.share(c.count.texts) >= telling && l.typical(c) && l.nominal(c)
		})
	}
	return []candidate{first}
}

// likelyNoun reports a word that stands where a noun does more often than anywhere else.
func (l *labelling) likelyNoun(c candidate) bool {
	r := c.roles
	return len(c.words) == 1 && !calendar(c.key) && r.noun+r.modifier > r.verb+r.quality
}

// with adds the heaviest noun that fits to a part, if there is one. To the name of a person it adds no other.
func (l *labelling) with(first candidate, fits func(candidate) bool) []candidate {
	for _, c := range l.candidates {
		if len(first.words)+len(c.words) > maxWords || overlaps(first, c) || l.isUnit(c) || c.roles.isOpen() || !fits(c) || l.isPerson(first) && l.isPerson(c) {
			continue
		}
		if both := []candidate{first, c}; !l.in.Taken[l.joined(both)] {
			return both
		}
	}
	return []candidate{first}
}

// isPerson reports a term that is the name of a person.
func (l *labelling) isPerson(c candidate) bool {
	return !slices.ContainsFunc(c.words, func(w string) bool { return !l.in.People[w] && !titles[w] })
}

// isUnit reports a unit of measure, or what is counted, if these may be no part.
func (l *labelling) isUnit(c candidate) bool {
	return !l.units && (l.rolesOf(c.words[0]).isUnit() || len(c.words) == 1 && clockUnits[c.key])
}

// clockUnits are the lemmas of units that stand without a number too: "an hour of watching".
var clockUnits = map[string]bool{english.Lemma("hour"): true, english.Lemma("minute"): true}

// mayName reports a word of three quarters of the members that may be a noun: one that stands where a noun or the first
// part of a compound does more often than anywhere else, as the subject of "the storm cost a mast", or a name that
// is not mostly called.
func (l *labelling) mayName(c candidate) bool {
	r := c.roles
	switch {
	case l.share(c.count.texts) < dominantShare || len(c.words) > 1 || calendar(c.key):
		return false
	case r.isName():
		return 2*r.alone < r.name+r.starts
	}
	return !r.isOpen() && l.likelyNoun(c) && !endsIn(c.key, qualityEndings) && !endsIn(c.key, relationEndings)
}
