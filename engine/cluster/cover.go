package cluster

import "slices"

// covered returns the places of the members that have one of some terms, in their text or as a tag.
func (l *labelling) covered(terms ...candidate) map[int32]bool {
	members := map[int32]bool{}
	for _, c := range terms {
		for _, m := range l.in.Members.having[c.said()] {
			members[m] = true
		}
	}
	return members
}

// texts is the number of members that have a term in their text, or the word that it says more of.
func (l *labelling) texts(c candidate) int {
	if word := l.in.Members.terms[c.said()]; word != nil {
		return word.texts
	}
	return c.count.texts
}

// cover is the share of the members that have one of some terms, in their text or as a tag.
func (l *labelling) cover(terms ...candidate) float64 { return l.share(len(l.covered(terms...))) }

// fit is how well a term tells the members from other memories: the harmonic mean of the share of the members that have it and
// of the share of those with it that are members.
func (l *labelling) fit(c candidate) float64 {
	with := len(l.covered(c))
	elsewhere := func(all, members map[string]*termCount) int {
		a, m := all[c.said()], members[c.said()]
		switch {
		case a == nil:
			return 0
		case m == nil:
			return a.texts
		}
		return a.texts - m.texts
	}
	others := max(elsewhere(l.in.All.terms, l.in.Members.terms), elsewhere(l.in.All.tags, l.in.Members.tags))
	return 2 * float64(with) / float64(l.in.Members.texts+with+others)
}

// weighed returns the parts of a label of two that is shown. What fits the members best is the first: one of the parts that is not
// only who takes part, or a tag. A second part must be in half of the members, or in a quarter of them that do not have the
// first. A term that replaces the second part must be in a third of them, and fit better. If there is none, a first part of half of the members stands
// alone, and so does one beside which was only who takes part.
func (l *labelling) weighed(parts []candidate) []candidate {
	if l.in.Members.having == nil || len(parts) < 2 {
		return parts
	}
	what := slices.DeleteFunc(slices.Clone(parts), func(c candidate) bool { return l.isPerson(c) && l.cover(c) < dominantShare })
	tags := slices.DeleteFunc(l.typicalTags(), func(t candidate) bool {
		return slices.ContainsFunc(parts, func(c candidate) bool { return repeatsWord(c, t) })
	})
	if !slices.ContainsFunc(what, func(c candidate) bool { return !l.isPerson(c) }) {
		return parts
	}
	first, tagged := what[0], false
	for i, c := range slices.Concat(what, tags) {
		if l.fit(c) > l.fit(first) {
			first, tagged = c, i >= len(what)
		}
	}
	out := []candidate{first}
	if second := l.beside(first, what, tags, tagged); second != nil {
		out = append(out, *second)
		if l.before(*second, first, parts) {
			slices.Reverse(out)
		}
	} else if l.general(first) || len(what) > 1 && l.cover(first) < dominated || l.cover(first) < covering || l.in.Members.texts < fewTexts && l.cover(first) <= dominated {
		return parts
	}
	if l.in.Taken[l.joined(out)] {
		return parts
	}
	return out
}

// withWho returns the name of a person instead of parts that fewer members have, for the text only. Few others may mention the person.
// If fewer than half of the members have a part, half of them must mention the person. Otherwise three quarters must, and a quarter of the
// members more than have a part. The first part stays beside the name if a third of the members have only that.
func (l *labelling) withWho(parts []candidate) []candidate {
	if l.in.Members.having == nil || len(parts) == 0 {
		return parts
	}
	who := l.whoMostly()
	if who == nil || slices.ContainsFunc(parts, func(p candidate) bool { return overlaps(p, *who) }) {
		return parts
	}
	mentioned, covered := l.cover(*who), l.cover(parts...)
	if covered >= dominated && (mentioned < dominantShare || mentioned < covered+telling-rounding) || l.in.Taken[l.joined([]candidate{*who})] {
		return parts
	}
	both := l.inOrder(*who, parts[0])
	if len(who.words)+len(parts[0].words) > maxWords || l.cover(both...) < mentioned+covering-rounding || l.in.Taken[l.joined(both)] {
		return []candidate{*who}
	}
	return both
}

// whoMostly returns the whole name of the person whom half of the members mention, and few others; nil if there is none.
func (l *labelling) whoMostly() *candidate {
	var who *candidate
	for _, c := range l.candidates {
		if l.isPerson(c) && l.cover(c) >= dominated && l.prevails(c) && (who == nil || l.fit(c) > l.fit(*who)) {
			who = &c
		}
	}
	if who == nil {
		return nil
	}
	whole := l.extended(*who, l.candidates)
	return &whole
}

// widened adds to a single part what else a person would say, for the text only. A tag that few members have in their texts says of
// what kind they are, so it gets the name of a thing or place that a third of the members have, mostly together with the tag: "Heron and incident". A part of at most half of
// the members gets a noun that a third of them have without it, if the two are in three quarters of them, and both in one.
func (l *labelling) widened(parts []candidate) []candidate {
	if l.in.Members.having == nil || len(parts) != 1 {
		return parts
	}
	first := parts[0]
	said := 0
	if c := l.in.Members.terms[first.key]; c != nil {
		said = c.texts
	}
	kind := l.in.Members.tags[first.key] != nil && l.share(said) < dominated && l.cover(first) >= dominated
	if !kind && l.cover(first) > dominated {
		return parts
	}
	var best *candidate
	for _, c := range l.candidates {
		if c.count.texts < leastSecond || l.share(c.count.texts) < covering || !l.nominal(c) || l.isPerson(c) || l.isUnit(c) || kind && l.incidental(c) || c.roles.isOpen() || !l.prevails(c) {
			continue
		}
		if len(first.words)+len(c.words) > maxWords || repeatsWord(first, c) || l.sameThing(c, first) || l.in.Taken[l.joined(l.inOrder(first, c))] {
			continue
		}
		both := len(l.covered(c)) + len(l.covered(first)) - len(l.covered(c, first))
		if kind && (!l.named(c) || float64(both) < dominated*float64(len(l.covered(c)))) {
			continue
		}
		if !kind && (both == 0 || l.cover(first, c)-l.cover(first) < covering-rounding || l.cover(first, c) < dominantShare) {
			continue
		}
		if best == nil || l.fit(c) > l.fit(*best) || l.fit(c) == l.fit(*best) && len(c.words) > len(best.words) {
			best = &c
		}
	}
	if best == nil {
		return parts
	}
	return l.inOrder(first, l.mostly(*best))
}

// inOrder returns two parts as the medoid has them.
func (l *labelling) inOrder(a, b candidate) []candidate {
	if l.placeOf(b) < l.placeOf(a) {
		a, b = b, a
	}
	return []candidate{a, b}
}

// prevails reports a term whose share of the members is much larger than that of the other memories.
func (l *labelling) prevails(c candidate) bool {
	all := l.in.All.terms[c.key]
	others := l.in.All.texts - l.in.Members.texts
	return all == nil || others <= 0 || l.share(c.count.texts) >= lift*float64(all.texts-c.count.texts)/float64(others)
}

// before reports that a term comes before another one in the label as it was, or else in the medoid.
func (l *labelling) before(a, b candidate, parts []candidate) bool {
	at := func(c candidate) int {
		return slices.IndexFunc(parts, func(p candidate) bool { return p.key == c.key })
	}
	if i, j := at(a), at(b); i >= 0 && j >= 0 {
		return i < j
	}
	return l.placeOf(a) < l.placeOf(b)
}

// beside returns the second part beside a first one: another part, else a tag, else a noun. It is nil if none says more. A phrase
// that most members have needs none, and beside a tag a part must be in members that lack it.
func (l *labelling) beside(first candidate, parts, tags []candidate, tagged bool) *candidate {
	if len(first.words) > 1 && l.cover(first) >= dominantShare {
		return nil
	}
	says := func(c candidate, more float64) bool {
		enough := l.cover(first, c)-l.cover(first) >= more-rounding || !tagged && l.cover(c) >= dominated
		if c.key == first.key || len(first.words)+len(c.words) > maxWords || repeatsWord(first, c) || !enough {
			return false
		}
		_, one := l.inOnePhrase(first, c)
		return !one
	}
	nouns := slices.DeleteFunc(slices.Clone(l.candidates), func(c candidate) bool {
		return c.count.texts < leastSecond || l.share(c.count.texts) < covering || !l.nominal(c) || !l.typical(c) || l.named(c) != l.named(first) || l.isPerson(c) || l.isUnit(c) || l.incidental(c) || c.roles.isOpen()
	})
	more, least := covering, 0.0 // share of the members that only a second part has, and how well it fits
	if !tagged {
		more = telling
	}
	for _, list := range [][]candidate{parts, tags, nouns} {
		var best *candidate
		for _, c := range list {
			if says(c, more) && l.fit(c) >= least && (best == nil || l.fit(c) > l.fit(*best)) {
				best = &c
			}
		}
		if best != nil {
			return best
		}
		for _, c := range parts { // what comes instead of another part fits better
			if c.key != first.key {
				least = max(least, l.fit(c))
			}
		}
		more = covering
	}
	return nil
}

// rounding is the error that a share may have.
const rounding = 1e-9

// sameThing reports that a part and a tag stand for one thing: nearly all memories with either have both. "Heron and kite" says no
// more than "Heron", if Heron is the only kite.
func (l *labelling) sameThing(part, tag candidate) bool {
	if l.in.Members.having == nil {
		return false
	}
	both := len(l.in.Members.having[part.key]) + len(l.in.Members.having[tag.key]) - len(l.covered(part, tag))
	either := -both
	if a := l.in.All.terms[part.key]; a != nil {
		either += a.texts
	}
	if a := l.in.All.tags[tag.key]; a != nil {
		either += a.texts
	}
	return float64(both) >= dominantShare*float64(either)
}

// habitual reports that the others open as often as the members do with a greeting, thanks or praise.
func (l *labelling) habitual() bool {
	if l.in.Members.having == nil {
		return false
	}
	members, all := 0, 0
	for o := greets; o < openings; o++ {
		members += l.in.Members.openings[o]
		all += l.in.All.openings[o]
	}
	return !l.lifts(members, all)
}
