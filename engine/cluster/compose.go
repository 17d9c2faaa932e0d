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
		l.having = max(l.having, l.share(l.texts(p)))
		if !l.isPerson(p) {
			l.matter = max(l.matter, l.texts(p))
		}
	}
	if text == "" {
		weak = weak || l.onlyGeneral(parts)
		for _, p := range parts {
			l.keys = append(l.keys, p.key)
		}
		text = l.joined(l.widened(l.withWho(l.filed(l.specific(l.weighed(parts))))))
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
		most = max(most, l.texts(p))
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
	if talk := l.talk(); talk != "" && l.share(n) < sayingStays && (len(parts) == 0 || !l.habitual()) {
		l.having = openingShare // at least
		return nil, talk
	}
	if n > most {
		l.having = l.share(n)
		if most == 0 || !l.in.Taken[capitalised(said)] { // nouns tell two clusters with one saying apart
			return nil, capitalised(said)
		}
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
			return l.share(c.count.texts) >= covering && l.typical(c) && !l.incidental(c) && l.nominal(c) && !l.isPerson(c)
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

// specific returns parts that say more, for the text only: a word that is mostly part of one phrase becomes that phrase, and
// a name that is no person's gets a noun of half of the members if it is alone, because a place or a thing has many matters.
func (l *labelling) specific(parts []candidate) []candidate {
	out := make([]candidate, len(parts))
	words := 0
	for i, p := range parts {
		out[i] = l.mostly(p)
		words += len(out[i].words)
	}
	if words > maxWords || len(out) == 2 && overlaps(out[0], out[1]) || l.in.Taken[l.joined(out)] {
		out = parts
	}
	if len(out) != 1 || len(out[0].words) > 1 || !l.named(out[0]) || l.isPerson(out[0]) {
		return out
	}
	return l.with(out[0], func(c candidate) bool {
		return c.count.texts >= leastSecond && l.share(c.count.texts) >= dominated && l.typical(c) && !l.named(c) && (l.nominal(c) || l.likelyNoun(c))
	})
}

// mostly returns the phrase that most members with a word have it in; else the term itself.
func (l *labelling) mostly(c candidate) candidate {
	best := c
	if len(c.words) > 1 {
		return c
	}
	for _, p := range l.candidates {
		if len(p.words) > 1 && l.nominal(p) && l.typical(p) && slices.Contains(p.words, c.key) && float64(p.count.texts) >= phraseMostly*float64(c.count.texts) && (len(best.words) == 1 || p.count.texts > best.count.texts) {
			best = p
			best.word = c.key
		}
	}
	return best
}

// likelyNoun reports a word that stands where a noun does more often than anywhere else.
func (l *labelling) likelyNoun(c candidate) bool {
	r := c.roles
	return len(c.words) == 1 && !when(c.key) && r.noun+r.modifier > r.verb+r.quality
}

// with adds the heaviest noun that fits to a part, if there is one. To the name of a person it adds no other. Whether a noun
// needs what follows it is read from the members: in those about a pod, "battery" may stand alone.
func (l *labelling) with(first candidate, fits func(candidate) bool) []candidate {
	for _, c := range l.candidates {
		if len(first.words)+len(c.words) > maxWords || overlaps(first, c) || l.isUnit(c) || c.count.roles.isOpen() || !fits(c) || l.isPerson(first) && l.isPerson(c) {
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
	case l.share(c.count.texts) < dominantShare || len(c.words) > 1 || when(c.key):
		return false
	case r.isName():
		return 2*r.alone < r.name+r.starts
	}
	return !r.isOpen() && l.likelyNoun(c) && !endsIn(c.key, qualityEndings) && !endsIn(c.key, relationEndings)
}
