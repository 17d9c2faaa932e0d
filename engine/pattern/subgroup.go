package pattern

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
)

// minOutside is the number of occasions on which others speak of a condition that a sub-group names.
const minOutside = 2

// ownConditions returns the stems of the conditions and times that statements share and that no other statement of the matter has, ascending.
func ownConditions(mine, all []*statement) (own []string) {
	count := map[string]int{}
	for _, st := range mine {
		for w := range st.stems {
			if st.when[w] || isTime(w) {
				count[w]++
			}
		}
	}
	for w, n := range count {
		if n == len(mine) && !slices.ContainsFunc(all, func(o *statement) bool { return !slices.Contains(mine, o) && o.stems[w] }) {
			own = append(own, w)
		}
	}
	slices.Sort(own)
	return own
}

// standsApart reports whether the sources of a view, below minorShare, hold under a condition of their own, and are checked among themselves. A
// word that only they have is not enough, because whoever writes four memories can make one up. What is asked is that
//
//   - they are of as many occasions as a pattern needs outside of mature clusters, and the days are those on which they were
//     recorded;
//   - their authority is that of the other sources on the matter or more, and they were written by several principals if those were, one of
//     them among those;
//   - the condition is a time, or sources of minOutside other occasions, which say nothing on the matter, have its word.
func (f *finder) standsApart(v *view, views []*view) bool {
	all := len(v.sources)
	for _, o := range v.against {
		all += len(o.sources)
	}
	if len(v.own) == 0 || all == len(v.sources) || float64(len(v.sources)) >= minorShare*float64(all) {
		return false
	}
	var mine, others []Source
	on := map[int]bool{}
	for _, o := range views {
		for _, i := range o.sources {
			on[i] = true
			if o == v {
				mine = append(mine, f.sources[i])
			} else {
				others = append(others, f.sources[i])
			}
		}
	}
	return occasionsOf(mine, true) >= f.needed && vouched(mine, others) && f.spokenOf(v.own, mine, on)
}

// vouched reports whether a sub-group has the authority and the principals of the others.
func vouched(mine, others []Source) bool {
	if len(others) == 0 {
		return true
	}
	authorities := make([]float64, len(others))
	theirs, own, known := map[string]bool{}, map[string]bool{}, false
	for i, s := range others {
		authorities[i] = s.Authority
		theirs[s.Principal] = true
	}
	slices.Sort(authorities)
	for _, s := range mine {
		if s.Authority < authorities[len(authorities)/2] {
			return false
		}
		own[s.Principal] = true
		known = known || theirs[s.Principal]
	}
	return known && len(own) >= min(2, len(theirs))
}

// spokenOf reports whether one of the words is a time, or stands in sources of minOutside occasions that are not those of a
// sub-group. on are the sources on the matter, which do not count.
func (f *finder) spokenOf(words []string, mine []Source, on map[int]bool) bool {
	taken := map[string]bool{}
	for _, s := range mine {
		for _, k := range s.occasions(true) {
			taken[k] = true
		}
	}
	for _, w := range words {
		if isTime(w) {
			return true
		}
		var outside []Source
		for i, s := range f.sources {
			if !on[i] && !slices.ContainsFunc(s.occasions(true), func(k string) bool { return taken[k] }) && s.says(w) {
				outside = append(outside, s)
			}
		}
		if occasionsOf(outside, true) >= minOutside {
			return true
		}
	}
	return false
}

// says reports whether a source has a word with a stem.
func (s Source) says(stem string) bool {
	for _, x := range extract.Sentences(s.Text) {
		if slices.ContainsFunc(x.Words, func(w extract.Word) bool { return stemOf(w) == stem }) {
			return true
		}
	}
	return false
}
