package frame

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// MaxSingleFrame is the maximum number of nodes of a scene that is sent as one frame. A larger
// scene is sent in tiles.
const MaxSingleFrame = 100_000

// TileNodes is the maximum number of nodes in a tile, except at the deepest level.
const TileNodes = 1 << 16

// RootTile is the key of the tile with the most important memories.
const RootTile = 1

const entityOverlap = "ENTITY_OVERLAP"

// maxTileDepth is the number of levels below the root; the keys of the deepest have 31 bits.
const maxTileDepth = 10

// Tile is a cell of a large scene.
type Tile struct {
	Key   uint32 // 1 for the root; 8·key + octant for a child: bit 0 the half with the larger x, bit 1 y, bit 2 z
	Count int    // number of memories in it
}

// Tiles is an octree over a scene, after the layered point trees of Schütz, "Potree: Rendering
// Large Point Clouds in Web Browsers", TU Wien 2016. Each cell holds the most important
// memories of its cube that no larger cell holds. So each memory is in one tile, and the tiles
// down to any level show the whole scene.
type Tiles struct {
	scene       *Frame
	maxNodes    int // maximum nodes of a tile
	half        float32
	tileOf      []uint32           // of each node
	nodesByTile map[uint32][]int32 // nodes by key, most important first
}

// NewTiles divides a scene, which must not be changed afterwards, into tiles of at most size nodes,
// except at the deepest level; 0: [TileNodes].
func NewTiles(f *Frame, size int) *Tiles {
	if size == 0 {
		size = TileNodes
	}
	t := &Tiles{scene: f, maxNodes: size, half: cubeHalf(f.Nodes), tileOf: make([]uint32, len(f.Nodes)), nodesByTile: map[uint32][]int32{}}
	order := make([]int32, len(f.Nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.Nodes[b].Importance, f.Nodes[a].Importance), cmp.Compare(a, b))
	})
	for _, i := range order {
		key := t.tileFor(f.Nodes[i].Position)
		t.tileOf[i] = key
		t.nodesByTile[key] = append(t.nodesByTile[key], i)
	}
	return t
}

// cubeHalf is half the edge of the cube around the origin that contains all positions. It is a
// power of two, so that an additional memory rarely moves the cells.
func cubeHalf(nodes []Node) float32 {
	h := float32(1)
	for i := range nodes {
		for _, x := range nodes[i].Position {
			for max(x, -x) > h {
				h *= 2
			}
		}
	}
	return h
}

// tileFor returns the largest cell around a position that has room.
func (t *Tiles) tileFor(place [3]float32) uint32 {
	key, half := uint32(RootTile), t.half
	var middle [3]float32
	for range maxTileDepth {
		if len(t.nodesByTile[key]) < t.maxNodes {
			break
		}
		half /= 2
		key *= 8
		for d, x := range place {
			if x >= middle[d] {
				key |= 1 << d
				middle[d] += half
			} else {
				middle[d] -= half
			}
		}
	}
	return key
}

// List returns all tiles by ascending key, larger cells first.
func (t *Tiles) List() []Tile {
	list := make([]Tile, 0, len(t.nodesByTile))
	for key, nodes := range t.nodesByTile {
		list = append(list, Tile{key, len(nodes)})
	}
	slices.SortFunc(list, func(a, b Tile) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// Has reports whether a tile with the key exists. The root always exists.
func (t *Tiles) Has(key uint32) bool { return key == RootTile || len(t.nodesByTile[key]) > 0 }

// TileOf returns the tile of a memory; false if the memory is unknown.
func (t *Tiles) TileOf(id graph.ID) (uint32, bool) {
	for i := range t.scene.Nodes {
		if t.scene.Nodes[i].ID == id {
			return t.tileOf[i], true
		}
	}
	return 0, false
}

// Frame returns one tile as a part: its nodes and their edges. Edges to a cell inside it belong
// to that cell, which is loaded later. Edges of entity overlap to other cells are left out,
// because they are numerous and carry little information. The root also lists all tiles, the
// regions and the clusters; another tile lists the clusters of its nodes. Nil if the tile does not exist.
func (t *Tiles) Frame(key uint32) *Frame {
	if !t.Has(key) {
		return nil
	}
	nodes := t.nodesByTile[key]
	f := &Frame{At: t.scene.At, Cursor: t.scene.Cursor, Drawing: t.scene.Drawing, Total: t.scene.Total, Nodes: make([]Node, len(nodes))}
	if key == RootTile {
		f.Tiles, f.TileHalf, f.Regions, f.Clusters = t.List(), t.half, t.scene.Regions, t.scene.Clusters
	}
	r := endNumbers{part: f, after: t.scene, index: make(map[graph.ID]int32, len(nodes))}
	for k, i := range nodes {
		f.Nodes[k] = t.scene.Nodes[i]
		r.index[f.Nodes[k].ID] = int32(k)
	}
	if named := f.clustersOfNodes(); key != RootTile {
		for _, c := range t.scene.Clusters {
			if named[c.ID] {
				f.Clusters = append(f.Clusters, c)
			}
		}
	}
	for _, e := range t.scene.Edges {
		from, to := t.tileOf[e.From], t.tileOf[e.To]
		if from != key && to != key || from != to && (e.Kind == entityOverlap || inside(from, key) || inside(to, key)) {
			continue
		}
		f.Edges = append(f.Edges, r.edge(edgeKey{e.From, e.To, e.Kind}, e.Weight))
	}
	return f
}

// inside reports whether a cell lies within another one.
func inside(cell, other uint32) bool {
	for cell > other {
		cell /= 8
		if cell == other {
			return true
		}
	}
	return false
}
