package hnsw

import (
	"encoding/binary"
	"errors"
	"sync/atomic"
)

// ErrFormat means that bytes are not those of a graph.
var ErrFormat = errors.New("hnsw: not a graph of this version, or damaged")

const (
	formatVersion = 1
	headSize      = 16
)

// AppendHead appends the head of a graph's bytes, little-endian: version and M (a byte each),
// effort (u16), Bound (u32) and the seed (u64). docs/formats/index-snapshot.md describes the
// bytes.
func (g *Graph) AppendHead(b []byte) []byte {
	b = append(b, formatVersion, byte(g.opts.M))
	b = binary.LittleEndian.AppendUint16(b, uint16(min(g.opts.Effort, 1<<16-1)))
	b = binary.LittleEndian.AppendUint32(b, g.Bound())
	return binary.LittleEndian.AppendUint64(b, g.opts.Seed)
}

// Bound returns a number above all nodes.
func (g *Graph) Bound() uint32 { return uint32(len(*g.pages.Load()) * pageSize) }

// AppendNodes appends the nodes in [from, to), in order. A node that is not in the graph is a
// byte 0. Any other node is its level + 1 (a byte), then for each level from 0 the number of
// links (a byte) and the links (u32 each). The graph must not change meanwhile: see Renumber.
func (g *Graph) AppendNodes(b []byte, from, to uint32) []byte {
	for node := from; node < to; node++ {
		p := g.page(node)
		if p == nil || !g.Has(node) {
			b = append(b, 0)
			continue
		}
		level := g.level(p, node)
		b = append(b, byte(level+1))
		for l := 0; l <= level; l++ {
			at := len(b)
			b = append(b, 0)
			list := g.links(p, node, l)
			for i := range list {
				link := atomic.LoadUint32(&list[i])
				if link == noLink {
					break
				}
				b = binary.LittleEndian.AppendUint32(b, link)
				b[at]++
			}
		}
	}
	return b
}

// Loader makes a graph from its bytes, part by part.
type Loader struct {
	graph    *Graph
	nextNode uint32
	bound    uint32
}

// NewLoader reads the head. It returns ErrFormat if the head is invalid.
func NewLoader(head []byte) (*Loader, error) {
	if len(head) != headSize || head[0] != formatVersion || head[1] < 2 || head[1] > MaxM {
		return nil, ErrFormat
	}
	bound := binary.LittleEndian.Uint32(head[4:])
	if bound > MaxNodes {
		return nil, ErrFormat
	}
	effort := max(int(binary.LittleEndian.Uint16(head[2:])), int(head[1]))
	return &Loader{bound: bound, graph: New(Options{M: int(head[1]), Effort: effort, Seed: binary.LittleEndian.Uint64(head[8:])})}, nil
}

// Add reads the next nodes; b must end after a whole node. It returns ErrFormat if they are
// invalid; later calls then fail too.
func (l *Loader) Add(b []byte) error {
	for len(b) > 0 {
		if l.nextNode >= l.bound {
			return ErrFormat
		}
		if b[0] > 0 {
			rest, ok := l.readNode(l.nextNode, int(b[0])-1, b[1:])
			if !ok {
				l.bound = 0
				return ErrFormat
			}
			b = rest
		} else {
			b = b[1:]
		}
		l.nextNode++
	}
	return nil
}

// readNode reads one node and returns the remaining bytes.
func (l *Loader) readNode(node uint32, level int, b []byte) (rest []byte, ok bool) {
	if level > maxLevel {
		return nil, false
	}
	p := l.graph.grow(node)
	l.graph.addNode(p, node, level)
	for i := 0; i <= level; i++ {
		list := l.graph.links(p, node, i)
		if len(b) == 0 || int(b[0]) > len(list) || len(b) < 1+4*int(b[0]) {
			return nil, false
		}
		n := int(b[0])
		for j := range n {
			if list[j] = binary.LittleEndian.Uint32(b[1+4*j:]); list[j] >= l.bound {
				return nil, false
			}
		}
		b = b[1+4*n:]
	}
	return b, true
}

// Graph returns the loaded graph. It returns ErrFormat if a link leads to no node.
func (l *Loader) Graph() (*Graph, error) {
	if l.nextNode > l.bound || l.graph.prune() {
		return nil, ErrFormat
	}
	l.graph.entryPoint.Store(l.graph.highestNode(func(uint32) bool { return true }))
	return l.graph, nil
}
