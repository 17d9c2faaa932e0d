package grouping_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// Two halves of a topic are two clusters, until memories that speak of both merge them.
func TestASleepMergesClusters(t *testing.T) {
	w := village(t)
	a := say(w, topic{orchard.things[:3], orchard.places[:2]}, 0, 5, nil)
	b := say(w, topic{orchard.things[3:], orchard.places[2:]}, 24, 5, nil)
	night(w)
	first, second := clusterWith(w, a, .6), clusterWith(w, b, .6)
	if first == second {
		t.Fatal("the halves are one cluster before anything links them")
	}
	before := membersOf(w)
	say(w, orchard, 100, 60, nil)
	night(w)
	home := clusterWith(w, slices.Concat(a, b), .6)
	if home != first && home != second {
		t.Fatalf("the halves are in %s, not in %s or %s", home, first, second)
	}
	merged := 0
	for _, e := range checkedEvents(w, before) {
		if e.Kind == cluster.Merged && e.Cluster == home && (slices.Contains(e.From, first) || slices.Contains(e.From, second)) {
			merged++
		}
	}
	if merged != 1 {
		t.Errorf("%d events say that %s and %s are one now", merged, first, second)
	}
}

// Many memories on another matter make small groups within a topic split from it; once they are erased, the groups
// merge with it again.
func TestASleepSplitsClusters(t *testing.T) {
	w := village(t)
	say(w, topic{orchard.things[:3], orchard.places[:2]}, 0, 24, nil)
	say(w, topic{orchard.things[3:], orchard.places[2:]}, 24, 24, nil)
	night(w)
	before := membersOf(w)
	n := 0
	counts := say(w, orchard, 100, 80, func(in *engine.RememberInput) {
		x, of := orchard.things, rand.New(rand.NewPCG(uint64(n), 7)).Perm(len(orchard.things))
		in.Content = fmt.Sprintf("The %s, the %s, the %s and the %s were counted before the %s on day %d", x[of[0]], x[of[1]], x[of[2]], x[of[3]], x[of[4]], n)
		n++
	})
	night(w)
	if !slices.ContainsFunc(checkedEvents(w, before), func(e engine.ClusterEvent) bool { return e.Kind == cluster.Split }) {
		t.Error("no cluster has split")
	}
	before = membersOf(w)
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: counts}); err != nil {
		t.Fatal(err)
	}
	night(w)
	if !slices.ContainsFunc(checkedEvents(w, before), func(e engine.ClusterEvent) bool { return e.Kind == cluster.Merged }) {
		t.Error("no clusters have merged")
	}
}

// membersOf lists the members of each cluster.
func membersOf(w *enginetest.World) map[graph.ID][]graph.ID {
	w.T.Helper()
	of := map[graph.ID][]graph.ID{}
	for _, c := range clusters(w, w.Caller) {
		for _, m := range c.Members(0) {
			of[c.ID] = append(of[c.ID], m.ID)
		}
	}
	return of
}

// checkedEvents returns the events of the last sleep, and checks its splits and merges against the members before and after it.
func checkedEvents(w *enginetest.World, before map[graph.ID][]graph.ID) []engine.ClusterEvent {
	w.T.Helper()
	events, _, err := w.ClusterEvolution(w.T.Context(), w.Caller, engine.ClusterEventFilter{}, engine.ClusterEventPlace{}, 0)
	if err != nil || len(events) == 0 {
		w.T.Fatalf("no event: %v", err)
	}
	events = slices.DeleteFunc(events, func(e engine.ClusterEvent) bool { return !e.At.Equal(events[0].At) })
	now := membersOf(w)
	// in reports whether more than half of some memories are in a cluster, of those that are in any.
	in := func(ids []graph.ID, home graph.ID, of map[graph.ID][]graph.ID) bool {
		there, any := 0, 0
		for _, id := range ids {
			for c, members := range of {
				if slices.Contains(members, id) {
					any++
					if c == home {
						there++
					}
				}
			}
		}
		return 2*there > any
	}
	for _, e := range events {
		switch e.Kind {
		case cluster.Split:
			if before[e.Cluster] != nil || len(e.From) != 1 || now[e.From[0]] == nil || !in(now[e.Cluster], e.From[0], before) || len(now[e.Cluster]) != e.Size {
				w.T.Errorf("%+v, but it had %d members, has %d, and the former one has %d", e.Event, len(before[e.Cluster]), len(now[e.Cluster]), len(now[e.From[0]]))
			}
		case cluster.Merged:
			for _, f := range e.From {
				if before[f] == nil || now[f] != nil || !in(before[f], e.Cluster, now) {
					w.T.Errorf("%+v, but %s had %d members and has %d", e.Event, f, len(before[f]), len(now[f]))
				}
			}
		}
	}
	return events
}
