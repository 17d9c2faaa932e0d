package frame

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// MaxSingleFrame is how many nodes a scene may have to be sent as one frame. A larger one is sent
// in tiles.
const MaxSingleFrame = 100_000

// TileNodes is how many nodes a tile holds at most, the deepest ones aside.
const TileNodes = 1 << 16

// RootTile is the key of the tile that holds the most important memories of all.
const RootTile = 1

const entityOverlap = "ENTITY_OVERLAP"

// maxTileDepth is how many levels lie under the root: the keys of the deepest have 31 bits.
const maxTileDepth = 10

// Tile is one of the cells that a large scene is sent in.
type Tile struct {
	Key   uint32 // 1 for the root; 8·key + octant for a child: bit 0 the half with the larger x, bit 1 y, bit 2 z
	Count int    // memories in it
}

// Tiles are the cells of an octree over a scene, after the layered point trees of
// Schütz, "Potree: Rendering Large Point Clouds in Web Browsers", TU Wien 2016: every
// cell holds the most important memories of its cube that no larger cell holds. So each
// memory is in one tile, and the tiles down to any level are a picture of the whole.
type Tiles struct {
	scene       *Frame
	maxNodes    int // most nodes of a tile
	half        float32
	tileOf      []uint32           // of each node
	nodesByTile map[uint32][]int32 // nodes by key, the most important first
}

// NewTiles cuts a scene, which must not be changed from then on.
func NewTiles(f *Frame) *Tiles { return newTiles(f, TileNodes) }

func newTiles(f *Frame, size int) *Tiles {
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

// cubeHalf is half the edge of a cube around the origin that holds all places: a power of
// two, so that a memory more does not move the cells.
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

// tileFor is the largest cell around a place that has room.
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

// List answers all tiles by ascending key, the larger cells first.
func (t *Tiles) List() []Tile {
	list := make([]Tile, 0, len(t.nodesByTile))
	for key, nodes := range t.nodesByTile {
		list = append(list, Tile{key, len(nodes)})
	}
	slices.SortFunc(list, func(a, b Tile) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// Has reports whether there is a tile of that key. The root always is.
func (t *Tiles) Has(key uint32) bool { return key == RootTile || len(t.nodesByTile[key]) > 0 }

// TileOf answers the tile that holds a memory; false where there is no such memory.
func (t *Tiles) TileOf(id graph.ID) (uint32, bool) {
	for i := range t.scene.Nodes {
		if t.scene.Nodes[i].ID == id {
			return t.tileOf[i], true
		}
	}
	return 0, false
}

// Frame answers one tile as a part: its nodes, and the edges at them. Those to a cell
// inside it are left to that one, which is loaded later; those of likeness, which are
// many and say little, are left out where they lead to another cell. The root names all tiles and
// the regions. Nil where there is no such tile.
func (t *Tiles) Frame(key uint32) *Frame {
	if !t.Has(key) {
		return nil
	}
	nodes := t.nodesByTile[key]
	f := &Frame{At: t.scene.At, Cursor: t.scene.Cursor, Drawing: t.scene.Drawing, Total: t.scene.Total, Nodes: make([]Node, len(nodes))}
	if key == RootTile {
		f.Tiles, f.TileHalf, f.Regions = t.List(), t.half, t.scene.Regions
	}
	r := endNumbers{part: f, after: t.scene, index: make(map[graph.ID]int32, len(nodes))}
	for k, i := range nodes {
		f.Nodes[k] = t.scene.Nodes[i]
		r.index[f.Nodes[k].ID] = int32(k)
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
