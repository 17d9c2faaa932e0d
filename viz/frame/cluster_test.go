package frame

import (
	"reflect"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestClustersAreWhereTheirMembersAre(t *testing.T) {
	ferry, kettle := id(200), id(201)
	nodes := []Node{
		{Position: [3]float32{0, 0, 0}, Cluster: ferry}, {Position: [3]float32{2, 0, 0}, Cluster: ferry}, {Position: [3]float32{100, 0, 0}, Cluster: ferry},
		{Position: [3]float32{5, 5, 5}, Cluster: kettle}, {Position: [3]float32{-50, 0, 0}},
	}
	got := NewClusters(nodes, map[graph.ID]string{ferry: "Ferry", kettle: "Kettle", id(202): "Nobody"})
	want := []Cluster{
		{ID: ferry, Label: "Ferry", Count: 3, Centre: [3]float32{2, 0, 0}, Radius: 2},
		{ID: kettle, Label: "Kettle", Count: 1, Centre: [3]float32{5, 5, 5}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("clusters %+v, want %+v", got, want)
	}
}

func TestChangedMembershipIsADifference(t *testing.T) {
	before, after := small(), small()
	after.Nodes[0].Cluster = id(200)
	part := Diff(before, after)
	if part == nil || len(part.Nodes) != 1 || part.Nodes[0].Cluster != id(200) {
		t.Fatalf("part %+v", part)
	}
	if listed := slices.ContainsFunc(part.Clusters, func(c Cluster) bool { return c.ID == id(200) }); !listed {
		t.Errorf("the part has a node of a cluster that it does not list: %+v", part.Clusters)
	}
	after = small()
	after.Clusters[1].Label = "Kettles"
	if part := Diff(before, after); part == nil || len(part.Nodes) != 0 || len(part.Clusters) != 1 {
		t.Errorf("with another label: %+v", part)
	}
}

func TestTilesListTheClustersOfTheirNodes(t *testing.T) {
	f := crowd(2000)
	labels := map[graph.ID]string{}
	for i := range f.Nodes {
		if c := i % 7; c < 5 {
			f.Nodes[i].Cluster = id(byte(200 + c))
			labels[f.Nodes[i].Cluster] = "Topic"
		}
	}
	f.Clusters = NewClusters(f.Nodes, labels)
	tiles := NewTiles(f, few)
	for _, x := range tiles.List() {
		tile := tiles.Frame(x.Key)
		if _, err := Encode(tile); err != nil {
			t.Errorf("tile %d: %v", x.Key, err)
		}
		if named := tile.clustersOfNodes(); x.Key != RootTile && len(tile.Clusters) != len(named) {
			t.Errorf("tile %d lists %d clusters, its nodes are in %d", x.Key, len(tile.Clusters), len(named))
		}
	}
	if root := tiles.Frame(RootTile); len(root.Clusters) != 5 {
		t.Errorf("the root lists %d clusters, want 5", len(root.Clusters))
	}
}
