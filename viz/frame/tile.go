package frame

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Whole is how many nodes a scene may have to be sent as one frame. A larger one is sent
// in tiles.
const Whole = 100_000

// TileNodes is how many nodes a tile holds at most, the deepest ones aside.
const TileNodes = 1 << 16

// Root is the key of the tile that holds the most important memories of all.
const Root = 1

const overlap = "ENTITY_OVERLAP"

// depth is how many levels lie under the root: the keys of the deepest have 31 bits.
const depth = 10

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
	of   *Frame
	size int // most nodes of a tile
	half float32
	tile []uint32           // of each node
	held map[uint32][]int32 // nodes by key, the most important first
}

// NewTiles cuts a scene, which must not be changed from then on.
func NewTiles(f *Frame) *Tiles { return newTiles(f, TileNodes) }

func newTiles(f *Frame, size int) *Tiles {
	t := &Tiles{of: f, size: size, half: half(f.Nodes), tile: make([]uint32, len(f.Nodes)), held: map[uint32][]int32{}}
	order := make([]int32, len(f.Nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.Nodes[b].Importance, f.Nodes[a].Importance), cmp.Compare(a, b))
	})
	for _, i := range order {
		key := t.cell(f.Nodes[i].Position)
		t.tile[i] = key
		t.held[key] = append(t.held[key], i)
	}
	return t
}

// half is half the edge of a cube around the origin that holds all places: a power of
// two, so that a memory more does not move the cells.
func half(nodes []Node) float32 {
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

// cell is the largest cell around a place that has room.
func (t *Tiles) cell(place [3]float32) uint32 {
	key, half := uint32(Root), t.half
	var middle [3]float32
	for range depth {
		if len(t.held[key]) < t.size {
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
	list := make([]Tile, 0, len(t.held))
	for key, nodes := range t.held {
		list = append(list, Tile{key, len(nodes)})
	}
	slices.SortFunc(list, func(a, b Tile) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// Has reports whether there is a tile of that key. The root always is.
func (t *Tiles) Has(key uint32) bool { return key == Root || len(t.held[key]) > 0 }

// Of answers the tile that holds a memory; false where there is no such memory.
func (t *Tiles) Of(id graph.ID) (uint32, bool) {
	for i := range t.of.Nodes {
		if t.of.Nodes[i].ID == id {
			return t.tile[i], true
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
	nodes := t.held[key]
	f := &Frame{At: t.of.At, Cursor: t.of.Cursor, Drawing: t.of.Drawing, Total: t.of.Total, Nodes: make([]Node, len(nodes))}
	if key == Root {
		f.Tiles, f.TileHalf, f.Regions = t.List(), t.half, t.of.Regions
	}
	r := refs{part: f, after: t.of, index: make(map[graph.ID]int32, len(nodes))}
	for k, i := range nodes {
		f.Nodes[k] = t.of.Nodes[i]
		r.index[f.Nodes[k].ID] = int32(k)
	}
	for _, e := range t.of.Edges {
		from, to := t.tile[e.From], t.tile[e.To]
		if from != key && to != key || from != to && (e.Kind == overlap || inside(from, key) || inside(to, key)) {
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
