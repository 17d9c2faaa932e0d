package hnsw

import (
	"encoding/binary"
	"errors"
	"sync/atomic"
)

// ErrFormat is why bytes are not those of a graph.
var ErrFormat = errors.New("hnsw: not a graph of this version, or damaged")

const (
	formatVersion = 1
	headSize      = 16
)

// AppendHead appends what a graph's bytes begin with: version, M (a byte each), effort
// (u16), the number that all nodes are below (u32) and the seed (u64), little-endian.
// docs/formats/index-snapshot.md describes the bytes.
func (g *Graph) AppendHead(b []byte) []byte {
	b = append(b, formatVersion, byte(g.opts.M))
	b = binary.LittleEndian.AppendUint16(b, uint16(min(g.opts.Effort, 1<<16-1)))
	b = binary.LittleEndian.AppendUint32(b, g.Bound())
	return binary.LittleEndian.AppendUint64(b, g.opts.Seed)
}

// Bound is a number that all nodes are below.
func (g *Graph) Bound() uint32 { return uint32(len(*g.pages.Load()) * pageSize) }

// AppendNodes appends nodes from up to before to, in order: a byte that is 0 where the
// node is not in the graph, else its level + 1; then for each level from 0 a byte that
// counts the links, and these (u32). The graph must not change meanwhile: see Renumber.
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

// Loader makes a graph of its bytes, piece by piece.
type Loader struct {
	graph    *Graph
	nextNode uint32
	bound    uint32
}

// NewLoader reads the head. It fails with ErrFormat.
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

// Add reads the nodes that come next, each whole. It fails with ErrFormat, for good.
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

// node reads one and answers what is behind it.
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

// Graph is what was read. It fails with ErrFormat where a link leads to no node.
func (l *Loader) Graph() (*Graph, error) {
	if l.nextNode > l.bound || l.graph.prune() {
		return nil, ErrFormat
	}
	l.graph.entryPoint.Store(l.graph.highestNode(func(uint32) bool { return true }))
	return l.graph, nil
}
