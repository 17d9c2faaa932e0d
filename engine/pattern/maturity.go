package pattern

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// maturity is where and when the sources of a view were said.
type maturity struct {
	sources   int
	clusters  []graph.ID // ascending
	mature    int        // the most sources in one mature cluster
	occasions int        // of those in clusters
	needed    int        // occasions
	spread    int        // members needed in several clusters
}

func (f *finder) maturityOf(v *view) maturity {
	against := 0
	for _, o := range v.against {
		against += o.weight()
	}
	contested := float64(against) >= minorShare*float64(against+v.weight()) && against > 0
	m := maturity{sources: len(v.sources), needed: f.needed}
	m.spread = minSpread + m.needed - minOccurrences
	clusters, mature := map[graph.ID]bool{}, map[graph.ID]int{}
	var grouped []Source
	for _, i := range v.sources {
		s := f.sources[i]
		if s.Cluster == "" {
			continue
		}
		grouped = append(grouped, s)
		clusters[s.Cluster] = true
		if s.Mature {
			mature[s.Cluster]++
			m.mature = max(m.mature, mature[s.Cluster])
		}
	}
	m.clusters, m.occasions = slices.Sorted(maps.Keys(clusters)), occasionsOf(grouped, contested)
	return m
}

// lacks says why the sources are no ground for a pattern; "" if they are. Any of three is enough: some of them in a mature
// cluster, several clusters, or several occasions.
func (m maturity) lacks() string {
	several := len(m.clusters) >= SeveralClusters
	switch {
	case m.mature >= minOccurrences, several && m.sources >= m.spread, m.occasions >= m.needed:
		return ""
	case several:
		return fmt.Sprintf("it occurs in %d members of several clusters, fewer than %d", m.sources, m.spread)
	}
	return fmt.Sprintf("it is said too rarely; one of these is enough: %d occasions (it has %d), %d clusters (it has %d), or %d members of one cluster with %d members and a density above %.1f (it has %d)",
		m.needed, m.occasions, SeveralClusters, len(m.clusters), minOccurrences, MatureMembers, MatureAbove, m.mature)
}

// occasionsFor returns the number of occasions that are enough among n sources: as many as members of a mature cluster, and one
// more whenever the sources double, because more of them agree by chance.
func occasionsFor(n int) int {
	needed := minOccurrences
	for ; n >= fewSources; n /= 2 {
		needed++
	}
	return needed
}

// occasionsOf counts the separate occasions on which sources were said. Sources of one session are one occasion, and so are
// those of one day (UTC), also by others between: what is written again and again in one conversation, or by one import on
// one day, is said once.
//
// The day is that on which a source was recorded, if that was within a day of what the caller says. If it was not, the day
// is only a claim of the caller: two such occasions count as one, and if the matter is contested, all that were recorded on one
// day do.
func occasionsOf(sources []Source, contested bool) int {
	first := map[string]int{} // by session and by day: a source with it
	set := make([]int, len(sources))
	root := func(i int) int {
		for set[i] != i {
			i = set[i]
		}
		return i
	}
	for i, s := range sources {
		set[i] = i
		for _, k := range s.occasions(contested) {
			o, known := first[k]
			if !known {
				first[k] = i
				continue
			}
			a, b := root(o), root(i)
			set[max(a, b)] = min(a, b)
		}
	}
	attested := map[int]bool{} // by root
	for i, s := range sources {
		r := root(i)
		attested[r] = attested[r] || contested || s.attested()
	}
	seen, claimed := 0, 0
	for _, a := range attested {
		if a {
			seen++
		} else {
			claimed++
		}
	}
	return seen + claimed/2
}

// attestedWithin is how long after it was said a source may be recorded, or before, so that the day is no claim.
const attestedWithin = 24 * time.Hour

// attested reports a source that was recorded when it was said.
func (s Source) attested() bool {
	return s.Recorded.IsZero() || s.Recorded.Sub(s.At).Abs() <= attestedWithin
}

// occasions are what a source shares with others of one occasion.
func (s Source) occasions(contested bool) []string {
	day := s.At
	if !s.Recorded.IsZero() && (contested || s.attested()) {
		day = s.Recorded
	}
	keys := []string{"day " + day.UTC().Format(time.DateOnly)}
	if s.Session != "" {
		keys = append(keys, "session "+s.Session)
	}
	return keys
}
