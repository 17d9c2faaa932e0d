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
}

func (f *finder) maturityOf(v *view) maturity {
	m := maturity{sources: len(v.sources), needed: occasionsFor(len(f.sources))}
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
	m.clusters, m.occasions = slices.Sorted(maps.Keys(clusters)), occasionsOf(grouped)
	return m
}

// lacks says why the sources are no ground for a pattern; "" if they are. Any of three is enough: some of them in a mature
// cluster, several clusters, or several occasions.
func (m maturity) lacks() string {
	several := len(m.clusters) >= SeveralClusters
	switch {
	case m.mature >= minOccurrences, several && m.sources >= minSpread, m.occasions >= m.needed:
		return ""
	case several:
		return fmt.Sprintf("it occurs in %d members of several clusters, fewer than %d", m.sources, minSpread)
	}
	rest := fmt.Sprintf("in fewer than %d clusters, and on fewer than %d occasions", SeveralClusters, m.needed)
	if m.mature == 0 {
		return fmt.Sprintf("it occurs in no cluster with %d members and a density above %.1f, %s", MatureMembers, MatureAbove, rest)
	}
	return fmt.Sprintf("it occurs in %d members of one cluster with %d members and a density above %.1f, fewer than %d, %s", m.mature, MatureMembers, MatureAbove, minOccurrences, rest)
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
func occasionsOf(sources []Source) int {
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
		keys := []string{"day " + s.At.UTC().Format(time.DateOnly)}
		if s.Session != "" {
			keys = append(keys, "session "+s.Session)
		}
		for _, k := range keys {
			o, known := first[k]
			if !known {
				first[k] = i
				continue
			}
			a, b := root(o), root(i)
			set[max(a, b)] = min(a, b)
		}
	}
	n := 0
	for i := range set {
		if set[i] == i {
			n++
		}
	}
	return n
}
