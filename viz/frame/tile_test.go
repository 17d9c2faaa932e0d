package frame

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// crowd is a scene of n memories in a few clusters, each joined to the next and to a distant
// one.
func crowd(n int) *Frame {
	r := rand.New(rand.NewPCG(3, 5))
	born := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f := &Frame{At: born, Cursor: 9, Drawing: 4, Total: n, Regions: []Region{{Name: "ferry", Count: 3}}}
	for i := range n {
		var b [16]byte
		b[6], b[8] = 0x70, 0x80
		binary.BigEndian.PutUint32(b[12:], uint32(i))
		node := Node{
			ID: graph.IDFromBytes(b), Type: graph.Semantic, DecayClass: graph.DecaySlow, Importance: float64(r.IntN(256)) / 255,
			History: []graph.State{{From: born, Status: graph.Active, Tier: graph.L1}}, CreatedAt: born,
		}
		for d := range node.Position {
			node.Position[d] = float32((i%5)*40-80)*float32(d-1) + r.Float32()*20
		}
		f.Nodes = append(f.Nodes, node)
		if i > 0 {
			f.Edges = append(f.Edges, Edge{int32(i), int32(i - 1), "TEMPORAL_SEQ", 1}, Edge{int32(i), int32(r.IntN(i)), "ENTITY_OVERLAP", 0.5})
		}
	}
	return f
}

const few = 300 // nodes of a tile

func TestTilesHoldEachMemoryOnce(t *testing.T) {
	f := crowd(4000)
	tiles := NewTiles(f, few)
	list := tiles.List()
	if list[0].Key != RootTile || list[0].Count != few || len(list) < 3 {
		t.Fatalf("tiles %v", list)
	}
	for i := 0; i < len(f.Nodes); i += 97 {
		id := f.Nodes[i].ID
		key, ok := tiles.TileOf(id)
		if !ok || !slices.ContainsFunc(tiles.Frame(key).Nodes, func(n Node) bool { return n.ID == id }) {
			t.Errorf("memory %d is not in tile %d", i, key)
		}
	}
	if key, ok := tiles.TileOf("nobody"); ok {
		t.Errorf("tile %d is empty", key)
	}
	again := NewTiles(f, few)
	seen := map[graph.ID]uint32{}
	for _, x := range list {
		part := tiles.Frame(x.Key)
		if len(part.Nodes) != x.Count || x.Count > few || part.Total != f.Total {
			t.Errorf("tile %d has %d of %d nodes", x.Key, len(part.Nodes), x.Count)
		}
		for _, n := range part.Nodes {
			if seen[n.ID] != 0 {
				t.Fatalf("%s is in tiles %d and %d", n.ID, seen[n.ID], x.Key)
			}
			seen[n.ID] = x.Key
		}
		if !slices.IsSortedFunc(part.Nodes, func(a, b Node) int { return int(255*b.Importance) - int(255*a.Importance) }) {
			t.Errorf("tile %d is not in the order of importance", x.Key)
		}
		if x.Key != RootTile { // a cell holds nothing more important than its parent
			around := tiles.Frame(x.Key / 8)
			if last := around.Nodes[len(around.Nodes)-1].Importance; part.Nodes[0].Importance > last {
				t.Errorf("tile %d has %v, the one around it ends at %v", x.Key, part.Nodes[0].Importance, last)
			}
		}
		if !reflect.DeepEqual(again.Frame(x.Key), part) {
			t.Errorf("tile %d is another the second time", x.Key)
		}
	}
	if len(seen) != len(f.Nodes) {
		t.Errorf("%d of %d memories are in tiles", len(seen), len(f.Nodes))
	}
	if tiles.Frame(7) != nil || tiles.Frame(0) != nil {
		t.Error("a missing tile exists")
	}
}

// If tiles are loaded in any order with parents first, the client ends up with every edge once.
func TestTilesGiveEachEdgeOnce(t *testing.T) {
	f := crowd(3000)
	tiles := NewTiles(f, few)
	list := tiles.List()
	for _, order := range []func(a, b Tile) int{
		func(a, b Tile) int { return int(a.Key) - int(b.Key) },
		func(a, b Tile) int { return len16(a) - len16(b) + int(b.Key%8) - int(a.Key%8) },
	} {
		slices.SortStableFunc(list, order)
		held := map[graph.ID]bool{}
		edges := map[[2]graph.ID]int{}
		for _, x := range list {
			part := tiles.Frame(x.Key)
			for _, n := range part.Nodes {
				held[n.ID] = true
			}
			end := func(i int32) graph.ID {
				if int(i) < len(part.Nodes) {
					return part.Nodes[i].ID
				}
				return part.ExternalIDs[int(i)-len(part.Nodes)]
			}
			for _, e := range part.Edges {
				if a, b := end(e.From), end(e.To); held[a] && held[b] && e.Kind == "TEMPORAL_SEQ" {
					edges[[2]graph.ID{a, b}]++
				}
			}
		}
		for i := 1; i < len(f.Nodes); i++ {
			if n := edges[[2]graph.ID{f.Nodes[i].ID, f.Nodes[i-1].ID}]; n != 1 {
				t.Fatalf("edge %d came %d times", i, n)
			}
		}
	}
}

// len16 is the depth of a tile times sixteen.
func len16(x Tile) int {
	n := 0
	for k := x.Key; k > 1; k /= 8 {
		n += 16
	}
	return n
}

func TestCellsAreStable(t *testing.T) {
	f := crowd(400)
	before := NewTiles(f, few)
	f.Nodes[0].Position = [3]float32{-99, 99, 0}
	if after := NewTiles(f, few); after.half != before.half || before.half != 128 && before.half != 256 {
		t.Errorf("the cube was %v, is %v", before.half, after.half)
	}
}

func TestRootTileRoundTrip(t *testing.T) {
	root := NewTiles(crowd(303), few).Frame(RootTile)
	b, err := Encode(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(b)
	if err != nil || !slices.Equal(got.Tiles, root.Tiles) || got.TileHalf != root.TileHalf || !slices.Equal(got.Regions, root.Regions) {
		t.Errorf("tiles %v, half %v, regions %v, %v", got.Tiles, got.TileHalf, got.Regions, err)
	}
}
