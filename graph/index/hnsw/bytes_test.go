package hnsw

import (
	"errors"
	"slices"
	"testing"
)

func bytesOf(g *Graph) (head, nodes []byte) {
	return g.AppendHead(nil), g.AppendNodes(nil, 0, g.Bound())
}

func loaded(head []byte, pieces ...[]byte) (*Graph, error) {
	l, err := NewLoader(head)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if err := l.Add(p); err != nil {
			return nil, err
		}
	}
	return l.Graph()
}

func TestGraphRoundTrip(t *testing.T) {
	w := newWorld(41, 2600, 24)
	s := w.spaces()["int8"]
	g := built(s, 2500, Options{M: 8, Effort: 40, Seed: 9})
	g.Repair(s, set(2500, func(node uint32) bool { return node%10 == 3 }))
	head, nodes := bytesOf(g)
	for _, cut := range []uint32{0, 1000, g.Bound()} { // in one piece, in two
		same, err := loaded(head, g.AppendNodes(nil, 0, cut), g.AppendNodes(nil, cut, g.Bound()))
		if err != nil {
			t.Fatal(err)
		}
		sound(t, same)
		again, nodesAgain := bytesOf(same)
		if !slices.Equal(again, head) || !slices.Equal(nodesAgain, nodes) {
			t.Error("other bytes")
		}
		for i := uint32(2500); i < 2600; i++ { // it goes on as it was
			same.Insert(s, i)
		}
		sound(t, same)
	}
	if e, err := loaded(New(Options{}).AppendHead(nil)); err != nil || e.Len() != 0 {
		t.Errorf("an empty graph: %v", err)
	}
}

func TestDamagedBytesAreRefused(t *testing.T) {
	w := newWorld(42, 60, 4)
	g := built(w.spaces()["float32"], 60, Options{M: 2})
	head, nodes := bytesOf(g)
	refused := func(what string, head []byte, pieces ...[]byte) {
		t.Helper()
		if _, err := loaded(head, pieces...); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", what, err)
		}
	}
	edit := func(b []byte, at int, to byte) []byte {
		b = slices.Clone(b)
		b[at] = to
		return b
	}
	refused("no head", nil)
	refused("another version", edit(head, 0, 2), nodes)
	refused("M 1", edit(head, 1, 1), nodes)
	refused("M 33", edit(head, 1, 33), nodes)
	refused("too many nodes", edit(head, 7, 0xff), nodes)
	refused("a level too high", head, edit(nodes, 0, maxLevel+2))
	refused("too many links", head, edit(nodes, 1, 5))
	refused("a link to nobody", head, edit(nodes, 3, 0x0f))
	refused("a link beyond the bound", head, edit(nodes, 5, 0x0f))
	refused("cut within a node", head, nodes[:len(nodes)-len(nodes)%1024-2][:7])
	refused("more nodes than said", head, nodes, make([]byte, 1))
	// A link to a node that is not on the level.
	refused("a node less", head, append([]byte{0}, nodes[2+4*int(nodes[1]):]...))
}

func FuzzLoader(f *testing.F) {
	w := newWorld(43, 40, 4)
	s := w.spaces()["float32"]
	head, nodes := bytesOf(built(s, 40, Options{M: 2, Seed: 1}))
	f.Add(head, nodes[:300])
	f.Add(head, nodes)
	f.Add(head, []byte{1, 0})
	f.Fuzz(func(t *testing.T, head, nodes []byte) {
		if len(nodes) > 1<<12 {
			return
		}
		g, err := loaded(head, nodes)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		// An accepted graph can be searched: no link leads out of it.
		search := g.Searcher()
		defer search.Free()
		search.Search(flat{}, 10, Constraints{})
		search.Search(flat{}, 10, Constraints{NodeLimit: 3})
		if same, err := again(g); err != nil || same.Len() != g.Len() {
			t.Errorf("not again: %v", err)
		}
	})
}

func again(g *Graph) (*Graph, error) {
	head, nodes := bytesOf(g)
	return loaded(head, nodes)
}

// flat is a space in which all nodes are equally similar.
type flat struct{}

func (flat) Load(*Probe, uint32) {}
func (flat) Compare(_ *Probe, nodes []uint32, scores []float32) {
	clear(scores[:len(nodes)])
}
