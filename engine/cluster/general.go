package cluster

import (
	"math"
	"strings"
)

const (
	generalShare = 0.125 // share of the other clusters with a word, above which it is a general word of their owner
	leastGeneral = 4     // other clusters that must have a general word
	byChance     = 0.05  // probability that as many random memories have a term, from which on that may be chance
	fewMembers   = 12    // members below which that probability is looked at
)

// Spread counts the clusters with each word, and those with each saying that enough members of a cluster have to name it. Each
// cluster is one count of terms.
func Spread(clusters []*Terms) map[string]int {
	spread := map[string]int{}
	for _, t := range clusters {
		for key := range t.terms {
			if !strings.Contains(key, " ") {
				spread[key]++
			}
		}
		for said, n := range t.sayings { // of two words or more
			if n >= leastMembers(t.texts) {
				spread[said]++
			}
		}
	}
	return spread
}

// wide reports a word or a saying that so many clusters of the owner have that it is general.
func (l *labelling) wide(key string) bool {
	others := l.in.Spread[key] - 1
	return others >= leastGeneral && float64(others) > generalShare*float64(l.in.Classes-1)
}

// general reports a word that many clusters of the owner have, such as "life" in a diary: it tells this cluster from few
// others. A phrase is never general, and nothing is in a cluster that is no longer small: its members have shown what
// they are about.
func (l *labelling) general(c candidate) bool {
	return l.in.Members.texts < 2*MinSize && l.wide(c.key)
}

// incidental reports a general word that at most half of the members have: it does not name them.
func (l *labelling) incidental(c candidate) bool {
	return l.share(c.count.texts) <= dominated && l.general(c)
}

// onlyGeneral reports parts of a label that are general words alone: one, or several of which none is in more than three
// quarters of the members.
func (l *labelling) onlyGeneral(parts []candidate) bool {
	for _, c := range parts {
		if !l.general(c) || len(parts) > 1 && l.share(c.count.texts) > dominantShare {
			return false
		}
	}
	return len(parts) > 0
}

// byLuck reports that as many of a few members, drawn at random from the other memories, would have a term with a
// probability that is not small: three of four, where a third of the other memories have it.
func (l *labelling) byLuck(members, all int) bool {
	n, others := l.in.Members.texts, l.in.All.texts-l.in.Members.texts
	return n < fewMembers && tail(members, n, float64(all-members)/float64(others)) > byChance
}

// tail is the probability of at least k successes in n trials, each with probability p.
func tail(k, n int, p float64) float64 {
	sum, ways := 0.0, 1.0
	for i := range n + 1 {
		if i >= k {
			sum += ways * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		}
		ways = ways * float64(n-i) / float64(i+1)
	}
	return sum
}
