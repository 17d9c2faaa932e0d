package frame

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// apply applies a part to a scene, as a reader does.
func apply(t *testing.T, f, part *Frame) *Frame {
	t.Helper()
	nodes := map[graph.ID]Node{}
	for _, n := range f.Nodes {
		nodes[n.ID] = n
	}
	type key struct {
		from, to graph.ID
		kind     string
	}
	edges := map[key]float64{}
	for _, e := range f.Edges {
		edges[key{f.Nodes[e.From].ID, f.Nodes[e.To].ID, e.Kind}] = e.Weight
	}
	for _, id := range part.Removed {
		if _, known := nodes[id]; !known {
			t.Errorf("%s was deleted and never existed", id)
		}
		delete(nodes, id)
	}
	for k := range edges {
		if _, ok := nodes[k.from]; !ok {
			delete(edges, k)
		} else if _, ok := nodes[k.to]; !ok {
			delete(edges, k)
		}
	}
	end := func(i int32) graph.ID {
		if int(i) < len(part.Nodes) {
			return part.Nodes[i].ID
		}
		return part.ExternalIDs[int(i)-len(part.Nodes)]
	}
	for _, e := range part.RemovedEdges {
		k := key{end(e.From), end(e.To), e.Kind}
		if _, known := edges[k]; !known {
			t.Errorf("%v is deleted and never existed", k)
		}
		delete(edges, k)
	}
	for _, n := range part.Nodes {
		if old, known := nodes[n.ID]; known && reflect.DeepEqual(old, n) {
			t.Errorf("%s is sent and did not change", n.ID)
		}
		nodes[n.ID] = n
	}
	for _, e := range part.Edges {
		k := key{end(e.From), end(e.To), e.Kind}
		if _, known := edges[k]; known {
			t.Errorf("%v is sent and already exists", k)
		}
		edges[k] = e.Weight
	}
	out := &Frame{At: part.At, Cursor: part.Cursor, Drawing: part.Drawing, Total: part.Total, Regions: f.Regions}
	if part.Regions != nil {
		out.Regions = part.Regions
	}
	clusters := map[graph.ID]Cluster{}
	for _, c := range f.Clusters {
		clusters[c.ID] = c
	}
	for _, id := range part.RemovedClusters {
		if _, known := clusters[id]; !known {
			t.Errorf("the cluster %s was deleted and never existed", id)
		}
		delete(clusters, id)
	}
	named := part.clustersOfNodes()
	for _, c := range part.Clusters {
		if clusters[c.ID] == c && !named[c.ID] {
			t.Errorf("the cluster %s is sent and did not change", c.ID)
		}
		clusters[c.ID] = c
	}
	for _, c := range clusters {
		out.Clusters = append(out.Clusters, c)
	}
	slices.SortFunc(out.Clusters, compareClusters)
	index := map[graph.ID]int32{}
	for _, n := range nodes {
		out.Nodes = append(out.Nodes, n)
	}
	slices.SortFunc(out.Nodes, func(a, b Node) int { return cmp.Compare(a.ID, b.ID) })
	for i, n := range out.Nodes {
		index[n.ID] = int32(i)
	}
	for k, w := range edges {
		out.Edges = append(out.Edges, Edge{index[k.from], index[k.to], k.kind, w})
	}
	return sorted(out)
}

// sorted sorts the edges, whose order has no meaning.
func sorted(f *Frame) *Frame {
	slices.SortFunc(f.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	return f
}

// random is a scene with some of the ids below n.
func random(r *rand.Rand, n int, born time.Time) *Frame {
	f := &Frame{At: born, Cursor: graph.Cursor(r.Uint32()), Drawing: r.Uint64()}
	for i := range n {
		if r.IntN(3) == 0 {
			continue
		}
		node := Node{
			ID: id(byte(i + 1)), Type: graph.Episodic, DecayClass: graph.DecayMedium, Version: 1, CreatedAt: born,
			History: []graph.State{{From: born, Status: graph.Active, Tier: graph.L1}}, Label: fmt.Sprint("memory ", i),
		}
		if r.IntN(2) == 0 {
			node.Position[r.IntN(3)] = 1
			node.UseDays, node.LastUse = []int32{20000}, born.Add(time.Hour)
		}
		if r.IntN(3) == 0 {
			node.History = append(node.History, graph.State{From: born.Add(time.Minute), Status: graph.Archived, Tier: graph.L1})
		}
		f.Nodes = append(f.Nodes, node)
	}
	f.Total = len(f.Nodes)
	f.Clusters = nil
	for c := range r.IntN(4) {
		f.Clusters = append(f.Clusters, Cluster{ID: id(byte(200 + c)), Label: []string{"Ferry", "Ledgers and crowns"}[r.IntN(2)], Count: 1 + r.IntN(2), Radius: float32(r.IntN(2))})
	}
	slices.SortFunc(f.Clusters, compareClusters)
	for i := range f.Nodes {
		if c := r.IntN(4); c < len(f.Clusters) {
			f.Nodes[i].Cluster = f.Clusters[c].ID
		}
	}
	f.Regions = []Region{}
	for i := range r.IntN(3) {
		f.Regions = append(f.Regions, Region{[3]float32{1, 2, float32(i)}, 3, 40 + i, []string{"the ferry", "ledgers · crowns"}[r.IntN(2)]})
	}
	have := map[Edge]bool{}
	for range 2 * len(f.Nodes) {
		e := Edge{From: int32(r.IntN(len(f.Nodes))), To: int32(r.IntN(len(f.Nodes))), Kind: EdgeKinds[r.IntN(3)]}
		if have[e] {
			continue
		}
		have[e] = true
		e.Weight = float64(r.IntN(3)) / 255
		f.Edges = append(f.Edges, e)
	}
	return sorted(f)
}

func TestPartChangesOneSceneIntoAnother(t *testing.T) {
	born := at("2026-03-01T00:00:00Z")
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		before, after := random(r, 12, born), random(r, 12, born)
		part := Diff(before, after)
		b, err := Encode(part)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		read, err := Decode(b)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if read.Nodes == nil {
			read.Nodes = part.Nodes
		}
		for i := range read.Nodes {
			read.Nodes[i].Position = part.Nodes[i].Position // a part is quantised differently from the complete frame
		}
		if got := apply(t, before, read); !reflect.DeepEqual(got, after) {
			t.Fatalf("seed %d: became\n%+v\nwant\n%+v", seed, got, after)
		}
		if again := Diff(after, after); again != nil {
			t.Fatalf("seed %d: a scene differs from itself by %+v", seed, again)
		}
	}
}

func TestNewDrawingIsADifference(t *testing.T) {
	before, after := small(), small()
	after.Drawing++
	if part := Diff(before, after); part == nil || part.Drawing != after.Drawing || len(part.Nodes) != 0 {
		t.Errorf("part %+v", part)
	}
}

func TestInconsistentPartIsRefused(t *testing.T) {
	part := Diff(small(), later())
	for name, breakIt := range map[string]func(*Frame){
		"a removed edge to a missing node": func(f *Frame) { f.RemovedEdges[0].To = 99 },
		"a cut of an unknown kind":         func(f *Frame) { f.RemovedEdges[0].Kind = "LIKES" },
		"a ref that is no UUID":            func(f *Frame) { f.ExternalIDs[0] = "mouse" },
		"a gone one that is no UUID":       func(f *Frame) { f.Removed[0] = "" },
		"an edge to a missing node":        func(f *Frame) { f.Edges[0].From = int32(len(f.Nodes) + len(f.ExternalIDs)) },
	} {
		broken := *part
		broken.RemovedEdges, broken.ExternalIDs, broken.Removed, broken.Edges = slices.Clone(part.RemovedEdges), slices.Clone(part.ExternalIDs), slices.Clone(part.Removed), slices.Clone(part.Edges)
		breakIt(&broken)
		if _, err := Encode(&broken); err == nil {
			t.Errorf("%s was packed", name)
		}
	}
}

// later is the scene small after an hour: one memory is new, one removed, one superseded, one
// edge removed, one cluster new and one removed, and one memory is in another cluster.
func later() *Frame {
	f := small()
	f.At, f.Cursor = f.At.Add(time.Hour), f.Cursor+9
	f.Nodes = slices.Delete(f.Nodes, 1, 2)
	first := &f.Nodes[0]
	first.History = append(slices.Clone(first.History), graph.State{From: f.At, Status: graph.Superseded, Tier: graph.L2, ValidTo: f.At})
	f.Nodes = append(f.Nodes, Node{
		ID: id(9), Position: [3]float32{10, 20, -30}, Type: graph.Procedural, Namespace: "default", Project: "new", Importance: 0.4,
		DecayClass: graph.DecaySlow, K: 0.01, Version: 2, CreatedAt: f.At, ValidFrom: f.At, Label: "a later version",
		History: []graph.State{{From: f.At, Status: graph.Active, Tier: graph.L2}}, Cluster: id(202),
	})
	first.Cluster = id(202)
	f.Clusters = []Cluster{{ID: id(202), Label: "Ferry and crew", Count: 2, Centre: [3]float32{10, 20, 50}, Radius: 130}, f.Clusters[1]}
	f.Regions = []Region{{[3]float32{10, 0, 5}, 12, 30, "ferry · crew"}}
	f.Edges = []Edge{{From: 2, To: 0, Kind: "SUPERSEDES", Weight: 1}, {From: 1, To: 2, Kind: "ENTITY_OVERLAP", Weight: 0.2}}
	return f
}

// The explorer's tests apply the golden part to the golden frame.
func TestGoldenPart(t *testing.T) {
	for name, f := range map[string]*Frame{"later.bin": later(), "part.bin": Diff(small(), later())} {
		b, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s is not what the encoder writes; go test ./viz/frame -update (%v)", name, err)
		}
	}
}
