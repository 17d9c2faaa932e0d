package cluster

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// EventKind is what happened to a cluster.
type EventKind string

// The kinds of events.
const (
	Born   EventKind = "BORN"   // a cluster whose members were mostly in no cluster, or in several
	Merged EventKind = "MERGED" // most members of other clusters are now in it
	Split  EventKind = "SPLIT"  // a new cluster whose members were mostly in one other cluster
	Died   EventKind = "DIED"   // its members are in no cluster any more, or in several
)

// EventKinds lists every EventKind in the order of the API.
var EventKinds = []EventKind{Born, Merged, Split, Died}

// Event is a change of a cluster against the previous settlement.
type Event struct {
	Kind    EventKind
	Cluster graph.ID   // BORN and SPLIT: the new one; MERGED: the one that absorbed; DIED: the one that is gone
	From    []graph.ID // MERGED: the absorbed ones, ascending; SPLIT: the one that it was part of; else nil
	Size    int        // members of Cluster; DIED: those that it had
}

// sameShare is the share of the smaller of two clusters that must be in both, so that they can
// be the same one.
const sameShare = 1.0 / 3

// sharing is the number of members that a former cluster and a new one share.
type sharing struct{ former, now, shared int }

// identify names clusters by their overlap with former ones: the pair that shares most members
// is matched first, and each of both is matched once (greedy matching, as in Greene, Doyle,
// Cunningham, "Tracking the Evolution of Communities in Dynamic Social Networks", ASONAM 2010).
// members are the ids of each cluster; the order of clusters decides the order of new ids.
func identify(members [][]graph.ID, before []Former, newID func(n int) graph.ID) ([]graph.ID, []Event) {
	overlaps, left := overlapsWith(members, before)
	names := make([]graph.ID, len(members))
	kept := make([]bool, len(before))
	for _, o := range overlaps {
		smaller := min(left[o.former], len(members[o.now]))
		if names[o.now] == "" && !kept[o.former] && float64(o.shared) >= sameShare*float64(smaller) {
			names[o.now], kept[o.former] = before[o.former].ID, true
		}
	}
	born, fresh := 0, make([]bool, len(members))
	for k := range names {
		if names[k] == "" {
			names[k], fresh[k] = newID(born), true
			born++
		}
	}
	return names, eventsOf(members, before, overlaps, names, fresh, kept, left)
}

// overlapsWith counts shared members, the greatest number first, ties by former id and order. left
// is the number of members of each former cluster that are still in some cluster.
func overlapsWith(members [][]graph.ID, before []Former) (overlaps []sharing, left []int) {
	now := map[graph.ID]int{}
	for k, ids := range members {
		for _, id := range ids {
			now[id] = k
		}
	}
	left = make([]int, len(before))
	for f := range before {
		shared := map[int]int{}
		for _, id := range before[f].Members {
			if k, ok := now[id]; ok {
				shared[k]++
				left[f]++
			}
		}
		for k, n := range shared {
			overlaps = append(overlaps, sharing{f, k, n})
		}
	}
	slices.SortFunc(overlaps, func(x, y sharing) int {
		return cmp.Or(cmp.Compare(y.shared, x.shared), cmp.Compare(before[x.former].ID, before[y.former].ID), cmp.Compare(x.now, y.now))
	})
	return overlaps, left
}

// eventsOf says what happened to the clusters: births and splits in the order of clusters, merges
// in the same order, then deaths by id.
func eventsOf(members [][]graph.ID, before []Former, overlaps []sharing, names []graph.ID, fresh, kept []bool, left []int) []Event {
	from := make([]int, len(members)) // the former cluster that most members were in, −1 for none
	for k := range from {
		from[k] = -1
	}
	absorbed := make([][]graph.ID, len(members))
	gone := make([]bool, len(before))
	for f := range before {
		gone[f] = !kept[f]
	}
	for _, o := range overlaps {
		if fresh[o.now] && kept[o.former] && 2*o.shared > len(members[o.now]) {
			from[o.now] = o.former
		}
		if !kept[o.former] && 2*o.shared > left[o.former] {
			absorbed[o.now] = append(absorbed[o.now], before[o.former].ID)
			gone[o.former] = false
		}
	}
	var events []Event
	for k, name := range names {
		switch {
		case fresh[k] && from[k] >= 0:
			events = append(events, Event{Split, name, []graph.ID{before[from[k]].ID}, len(members[k])})
		case fresh[k]:
			events = append(events, Event{Born, name, nil, len(members[k])})
		}
	}
	for k, ids := range absorbed {
		if len(ids) > 0 {
			slices.Sort(ids)
			events = append(events, Event{Merged, names[k], ids, len(members[k])})
		}
	}
	var deaths []Event
	for f, dead := range gone {
		if dead {
			deaths = append(deaths, Event{Died, before[f].ID, nil, len(before[f].Members)})
		}
	}
	slices.SortFunc(deaths, func(x, y Event) int { return cmp.Compare(x.Cluster, y.Cluster) })
	return append(events, deaths...)
}
