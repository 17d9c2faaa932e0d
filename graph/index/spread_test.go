package index

import (
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// net is a feed of entities with the given mentions.
type net struct {
	*feed
	ids map[string]graph.ID
}

func newNet(names ...string) *net {
	n := &net{newFeed(), map[string]graph.ID{}}
	for _, name := range names {
		n.ids[name] = n.id(epoch)
		n.putEntity(&graph.Entity{ID: n.ids[name], Namespace: "main", Name: name, Canonical: name, Type: graph.Concept, FirstSeen: epoch})
	}
	return n
}

// says writes a memory that mentions the entities.
func (n *net) says(names ...string) graph.ID {
	m := n.memory(epoch, "x", func(m *graph.Memory) {
		for _, name := range names {
			m.Entities = append(m.Entities, n.ids[name])
		}
	})
	n.put(m, nil)
	return m.ID
}

func (n *net) relate(a, b string, strength float64, edit ...func(*graph.Relation)) {
	r := &graph.Relation{ID: n.id(epoch), Source: n.ids[a], Target: n.ids[b], Strength: strength, StrengthAt: epoch, RecordedAt: epoch, ValidFrom: epoch}
	for _, e := range edit {
		e(r)
	}
	n.putRelation(r)
}

func TestActivationFadesWithHopsAndHubs(t *testing.T) {
	n := newNet("a", "b", "c")
	direct := n.says("a")
	n.relate("a", "b", 4)
	n.relate("a", "c", 1)
	strong, weak := n.says("b"), n.says("c")
	x := opened(t, n, Options{})
	got := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"]}, Now: epoch})
	emit := 1 / (1 + math.Log(3)) // one mention, two relations
	near(t, "direct", got[direct].Graph, emit)
	onward := 1 / (1 + math.Log(2)) // one mention, one relation
	near(t, "along the strongest relation", got[strong].Graph, emit*hopDecay*onward)
	near(t, "along a weaker one", got[weak].Graph, emit*hopDecay/4*onward)
	expectList(t, "via", got[weak].Via, []graph.ID{n.ids["a"], n.ids["c"]})
	expectList(t, "via", got[direct].Via, []graph.ID{n.ids["a"]})
	expect(t, "rank of the direct one", got[direct].Ranks.Graph, 1)
	one := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"]}, Hops: 1, Now: epoch})
	expect(t, "reached in one hop", len(one), 1)
}

func TestActivationGoesThroughSharedMemories(t *testing.T) {
	n := newNet("a", "b")
	n.says("a", "b")
	other := n.says("b")
	x := opened(t, n, Options{})
	got := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"]}, Now: epoch})
	expect(t, "reached", len(got), 2)
	near(t, "behind a shared memory", got[other].Graph, 1*hopDecay/(1+math.Log(2))/(1+math.Log(2)))
	// Memories that the filter excludes pass no activation on.
	got = recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"]}, Now: epoch, Filter: Filter{Types: []graph.Type{graph.Semantic}}})
	expect(t, "through hidden memories", len(got), 0)
}

func TestActivationOfTwoSeedsAddsUp(t *testing.T) {
	n := newNet("a", "b")
	both := n.says("a", "b")
	n.says("a")
	n.says("b")
	x := opened(t, n, Options{})
	got := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"], n.ids["b"], n.ids["a"], "unknown"}, Hops: 1, Now: epoch})
	emit := 1 / (1 + math.Log(2))
	near(t, "both", got[both].Graph, 1-(1-emit)*(1-emit))
	expect(t, "first", best(got, func(c Candidate) float64 { return c.Graph }), both)
}

func TestRelationConductsOnlyWhileValid(t *testing.T) {
	n := newNet("a", "b")
	behind := n.says("b")
	n.relate("a", "b", 1, func(r *graph.Relation) {
		r.RecordedAt, r.ValidFrom, r.ValidTo = epoch.Add(2*time.Hour), epoch.Add(time.Hour), epoch.Add(3*time.Hour)
	})
	x := opened(t, n, Options{})
	reach := func(now time.Time, asOf graph.AsOf) bool {
		got := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["a"]}, Now: now, Filter: Filter{AsOf: asOf}})
		_, reached := got[behind]
		return reached
	}
	hour := func(h float64) time.Time { return epoch.Add(time.Duration(h * float64(time.Hour))) }
	expect(t, "before it was recorded", reach(hour(1.5), graph.AsOf{}), false)
	expect(t, "while it holds", reach(hour(2.5), graph.AsOf{}), true)
	expect(t, "at its end", reach(hour(3), graph.AsOf{}), false)
	expect(t, "its time, seen later", reach(hour(9), graph.AsOf{Valid: hour(1)}), true)
	expect(t, "its time, as known before", reach(hour(9), graph.AsOf{Valid: hour(2.5), Recorded: hour(1)}), false)
}

func TestSpreadingStopsAtItsBudget(t *testing.T) {
	n := newNet("hub", "far")
	for range spreadBudget + 300 {
		n.says("hub", "far")
	}
	last := n.says("hub")
	x := opened(t, n, Options{})
	settle(t, x, n.feed)
	got := recalled(t, x, n.feed, Query{Entities: []graph.ID{n.ids["hub"]}, Limit: 10_000, Now: epoch})
	expect(t, "reached", len(got), spreadBudget-1) // the hub itself is one
	if _, reached := got[last]; !reached {
		t.Error("the newest is not among what a hub reaches")
	}
}

// An erasure may remove an entity between the hop that reaches it and the next one.
func TestEntityRemovedDuringSpreadingIsSkipped(t *testing.T) {
	s := &activation{entities: newEntityIndex(), partitionByName: map[string]int{}, activated: map[graph.ID]activatedEntity{}, next: map[graph.ID]activatedEntity{}, budget: 9, hops: 2}
	s.emit(activatedEntity{id: newFeed().id(epoch), level: 1}, true)
	expect(t, "memories reached", len(s.memories), 0)
	expect(t, "entities reached", len(s.next), 0)
}
