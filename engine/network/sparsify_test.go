package network

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// net collects relations; their ids ascend.
type net []*graph.Relation

func (n *net) add(source, target string, strength float64) *graph.Relation {
	r := &graph.Relation{
		ID: graph.ID(fmt.Sprintf("r%06d", len(*n))), Source: graph.ID(source), Target: graph.ID(target),
		Predicate: fmt.Sprint("p", len(*n)), Strength: strength, StrengthAt: epoch,
	}
	*n = append(*n, r)
	return r
}

func (n net) sparsified(t testing.TB, limit int) (dropped []*graph.Relation) {
	t.Helper()
	dropped, err := Sparsify(n, epoch, limit)
	if err != nil {
		t.Fatal(err)
	}
	return dropped
}

func wantDropped(t *testing.T, got []*graph.Relation, want ...*graph.Relation) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("dropped %v, want %v", names(got), names(want))
	}
}

func names(rs []*graph.Relation) (out []string) {
	for _, r := range rs {
		out = append(out, fmt.Sprintf("%s–%s", r.Source, r.Target))
	}
	return out
}

func TestNothingIsDroppedBelowTheLimit(t *testing.T) {
	var n net
	for i := range 256 {
		n.add("hub", fmt.Sprint("leaf", i), 1)
	}
	wantDropped(t, n.sparsified(t, MaxRelations))
	wantDropped(t, net{}.sparsified(t, MaxRelations))
}

// A relation that is the only one of its leaf stays, however weak. Others go.
func TestOnlyRelationsOfLeavesStay(t *testing.T) {
	var n net
	n.add("hub", "leaf a", 0.01)
	n.add("hub", "leaf b", 0.01)
	strong := n.add("hub", "x", 5)
	weak := n.add("hub", "y", 4)
	n.add("x", "y", 1)
	wantDropped(t, n.sparsified(t, 3), weak)
	strong.Strength = 3 // now the other one is weaker
	wantDropped(t, n.sparsified(t, 3), strong)
}

// If all relations are leaves, the weakest ones go. The remaining strength counts, not the
// stored one.
func TestStarLosesItsWeakestLeaves(t *testing.T) {
	var n net
	faded := n.add("hub", "a", 5)
	faded.StrengthAt = at(-900)
	n.add("hub", "b", 2)
	n.add("hub", "c", 1)
	wantDropped(t, n.sparsified(t, 2), faded)
}

// A weak relation that is the only one between two clusters stays, although both ends have
// stronger ones.
func TestBridgeStays(t *testing.T) {
	var n net
	for _, side := range []string{"l", "r"} {
		for i := range 6 {
			n.add(side+" hub", fmt.Sprint(side, i), 9)
			n.add(fmt.Sprint(side, i), fmt.Sprint(side, (i+1)%6), 3)
		}
	}
	bridge := n.add("l hub", "r hub", 0.001)
	dropped := n.sparsified(t, 4)
	if slices.Contains(dropped, bridge) {
		t.Errorf("the bridge went: %v", names(dropped))
	}
	if parts(n, nil) != 1 || parts(n, dropped) != 1 {
		t.Errorf("%d parts, then %d", parts(n, nil), parts(n, dropped))
	}
}

// Two weak relations lead to the distant cluster. One of them stays, and a redundant stronger
// one goes.
func TestConnectingRelationsComeFirst(t *testing.T) {
	var n net
	n.add("a", "b", 10)
	n.add("b", "c", 10)
	n.add("hub", "a", 5)
	n.add("hub", "b", 4)
	third := n.add("hub", "c", 3)
	n.add("d", "e", 10)
	n.add("hub", "d", 0.2)
	far := n.add("hub", "e", 0.1)
	wantDropped(t, n.sparsified(t, 3), third, far)
}

// No edge is dropped if an earlier exchange made room.
func TestNothingIsDroppedWhereThereIsRoom(t *testing.T) {
	edges := []Edge{{0, 1, 3}, {1, 2, 2}, {0, 3, 1}} // 3 lost its only edge, 0 has room
	order := []int32{0, 1, 2}
	c := &sparsifier{edges: edges, limit: 2, order: order, incident: incidentEdges(4, edges, order), keep: make([]bool, 3), degree: make([]int, 4)}
	c.keepEdge(0)
	c.keepEdge(1)
	if !c.reconnectIsolated() || !slices.Equal(c.keep, []bool{true, true, true}) || !slices.Equal(c.degree, []int{2, 2, 1, 1}) {
		t.Errorf("kept %v, degrees %v", c.keep, c.degree)
	}
}

// Of two relations of equal strength the one between central entities goes.
func TestCentralityDecides(t *testing.T) {
	var n net
	for i := range 5 { // celebrity has many relations
		n.add("celebrity", fmt.Sprint("fan", i), 1)
	}
	central := n.add("hub", "celebrity", 1)
	n.add("hub", "quiet", 1)
	n.add("quiet", "celebrity", 1) // so that neither relation is a bridge
	n.add("hub", "other", 1)
	n.add("other", "celebrity", 1)
	n.add("hub", "third", 1)
	n.add("third", "celebrity", 1)
	if dropped := n.sparsified(t, 8); !slices.Equal(dropped, []*graph.Relation{central}) {
		t.Errorf("dropped %v", names(dropped))
	}
}

func TestTwoRelationsOfTwoEntitiesAreNoBridge(t *testing.T) {
	var n net
	n.add("a", "b", 2)
	second := n.add("a", "b", 1)
	n.add("a", "leaf", 0.1)
	wantDropped(t, n.sparsified(t, 2), second)
}

func TestSparsifyRefuses(t *testing.T) {
	if _, err := Sparsify(nil, epoch, 0); err == nil {
		t.Error("a limit of 0 was accepted")
	}
	var n net
	n.add("a", "b", -1)
	n.add("a", "c", 1)
	if _, err := Sparsify(n, epoch, 1); err == nil {
		t.Error("a negative strength was accepted")
	}
}

// parts counts the connected components that remain.
func parts(n net, dropped []*graph.Relation) int {
	beside := map[graph.ID][]graph.ID{}
	for _, r := range n {
		for _, id := range []graph.ID{r.Source, r.Target} {
			beside[id] = append(beside[id], id)
		}
		if !slices.Contains(dropped, r) {
			beside[r.Source] = append(beside[r.Source], r.Target)
			beside[r.Target] = append(beside[r.Target], r.Source)
		}
	}
	seen, count := map[graph.ID]bool{}, 0
	for start := range beside {
		if seen[start] {
			continue
		}
		count++
		for queue := []graph.ID{start}; len(queue) > 0; queue = queue[1:] {
			for _, id := range beside[queue[0]] {
				if !seen[id] {
					seen[id] = true
					queue = append(queue, id)
				}
			}
		}
	}
	return count
}

func drawNet(t *rapid.T) net {
	var n net
	entities := rapid.IntRange(2, 12).Draw(t, "entities")
	for range rapid.IntRange(0, 40).Draw(t, "relations") {
		// Squaring makes some nodes hubs.
		pick := func(label string) string {
			a, b := rapid.IntRange(0, entities-1).Draw(t, label), rapid.IntRange(0, entities-1).Draw(t, label)
			return fmt.Sprint("e", min(a, b))
		}
		n.add(pick("source"), pick("target"), rapid.SampledFrom([]float64{0, .1, .5, 1, 1, 2}).Draw(t, "strength"))
	}
	return n
}

func degrees(rs []*graph.Relation) map[graph.ID]int {
	d := map[graph.ID]int{}
	for _, r := range rs {
		d[r.Source]++
		if r.Target != r.Source {
			d[r.Target]++
		}
	}
	return d
}

func TestSparsifyInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNet(t)
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		dropped, err := Sparsify(n, epoch, limit)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Sparsify(rapid.Permutation(n).Draw(t, "order"), epoch, limit)
		if err != nil || !slices.Equal(dropped, again) {
			t.Fatalf("dropped %v, in another order %v (%v)", names(dropped), names(again), err)
		}
		kept := slices.DeleteFunc(slices.Clone(n), func(r *graph.Relation) bool { return slices.Contains(dropped, r) })
		before, after := degrees(n), degrees(kept)
		for id, d := range after {
			if d > limit {
				t.Fatalf("%s keeps %d relations, more than %d", id, d, limit)
			}
		}
		if twice, err := Sparsify(kept, epoch, limit); err != nil || len(twice) > 0 {
			t.Fatalf("a second time dropped %v (%v)", names(twice), err)
		}
		for _, r := range dropped {
			if after[r.Source] < limit && after[r.Target] < limit {
				t.Fatalf("%s–%s was dropped without need", r.Source, r.Target)
			}
			for _, ends := range [][2]graph.ID{{r.Source, r.Target}, {r.Target, r.Source}} {
				orphan, host := ends[0], ends[1]
				if after[orphan] > 0 {
					continue
				}
				// In this case the neighbour is at its limit and all its relations are last
				// ones.
				for _, k := range kept {
					other := k.Source
					if k.Source == host {
						other = k.Target
					}
					if (k.Source == host || k.Target == host) && after[other] > 1 {
						t.Fatalf("%s lost its last relation while %s keeps %s–%s", orphan, host, k.Source, k.Target)
					}
				}
				if after[host] < limit || before[orphan] == 0 {
					t.Fatalf("%s lost its last relation while %s has room", orphan, host)
				}
			}
		}
	})
}

// A bridge is an edge whose removal adds a component: the search agrees with removing each edge
// in turn.
func TestBridgesAgreeWithRemoval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNet(t)
		ties, order := make([]Link, len(n)), make([]int32, len(n))
		for i, r := range n {
			ties[i], order[i] = Link{r.Source, r.Target, 1}, int32(i)
		}
		ids, edges := numberNodes(ties)
		whole := parts(n, nil)
		for i, is := range bridges(edges, incidentEdges(len(ids), edges, order)) {
			if want := parts(n, n[i:i+1]) > whole; is != want {
				t.Fatalf("%v: bridge %v, want %v", names(n[i:i+1]), is, want)
			}
		}
	})
}

// A chain as long as the graph does not need the runtime's stack.
func TestLongChainConsistsOfBridges(t *testing.T) {
	const length = 200_000
	edges, order := make([]Edge, length), make([]int32, length)
	for i := range edges {
		edges[i], order[i] = Edge{int32(i), int32(i + 1), 1}, int32(i)
	}
	if slices.Contains(bridges(edges, incidentEdges(length+1, edges, order)), false) {
		t.Error("an edge of a chain is not a bridge")
	}
}

// A hub with tens of thousands of leaves: each leaf needs its last relation, and the hub is not
// searched for each of them.
func TestHugeStar(t *testing.T) {
	const leaves = 30_000
	var n net
	for i := range leaves {
		n.add("hub", fmt.Sprintf("leaf %05d", i), float64(i))
	}
	dropped := n.sparsified(t, MaxRelations)
	if len(dropped) != leaves-MaxRelations {
		t.Fatalf("%d dropped, want %d", len(dropped), leaves-MaxRelations)
	}
	if !slices.Equal(dropped, n[:leaves-MaxRelations]) {
		t.Error("the dropped relation was not the weakest")
	}
}

func ExampleSparsify() {
	var relations net
	relations.add("Ada", "Oslo", 1.2)
	relations.add("Ada", "Lund", 0.4)
	relations.add("Ada", "chess", 0.1) // chess has no other relation
	relations.add("Oslo", "Lund", 0.7)
	dropped, err := Sparsify(relations, epoch, 2)
	if err != nil {
		panic(err)
	}
	for _, r := range dropped {
		fmt.Println(r.Source, r.Target)
	}
	// Output: Ada Lund
}

func BenchmarkSparsify(b *testing.B) {
	const entities, relations = 20_000, 200_000
	random := rand.New(rand.NewPCG(3, 4))
	var n net
	for _, e := range randomEdges(random, entities, relations) {
		n.add(fmt.Sprintf("e%06d", e.From), fmt.Sprintf("e%06d", e.To), e.Weight)
	}
	dropped := 0
	for b.Loop() {
		dropped = len(n.sparsified(b, MaxRelations))
	}
	b.ReportMetric(float64(dropped), "dropped")
}
