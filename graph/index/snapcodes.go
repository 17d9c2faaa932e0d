package index

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// codes writes the rounded vectors of memories, in blocks of chunkSize as they lie in memory
// after a start, so that a start copies them and rounds and draws nothing.
func (e *encoder) codes(v *scanView, all []kept) {
	if v.dim == 0 {
		return
	}
	for rows := range slices.Chunk(all, chunkSize) {
		e.block(v, rows)
	}
	e.section(sectionCodes)
}

func (e *encoder) block(v *scanView, rows []kept) {
	searched := func(k kept) bool { return v.has(k.slot) }
	any := slices.ContainsFunc(rows, searched)
	e.bool(any)
	if !any {
		return
	}
	var drawn kernel.Sketch
	for _, k := range rows {
		var q kernel.Quantised
		if v.has(k.slot) {
			c := k.slot >> chunkBits
			q = v.blocks[c].quant[k.slot&chunkMask]
			drawn.Gain, drawn.Doubt = max(drawn.Gain, v.drawn[c].Gain), max(drawn.Doubt, v.drawn[c].Doubt)
		}
		e.small(q.Scale)
		e.small(q.Wrong)
		e.small(q.Norm)
		e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(q.Bias))
	}
	for _, k := range rows {
		if r := v.rounded(k.slot); r != nil {
			e.buf = append(e.buf, r.codes...)
		} else {
			e.buf = append(e.buf, v.nothing...)
		}
	}
	e.bool(v.sketch)
	if !v.sketch {
		return
	}
	e.small(drawn.Gain)
	e.small(drawn.Doubt)
	at := len(e.buf)
	e.buf = append(e.buf, make([]byte, sketchBytes(len(rows), v.stride))...)
	for i, k := range rows {
		if !v.has(k.slot) {
			continue
		}
		to, from := e.buf[at+kernel.SketchPlace(i, v.stride):], v.blocks[k.slot>>chunkBits].signs[kernel.SketchPlace(int(k.slot&chunkMask), v.stride):]
		for b := 0; b < v.stride/8*kernel.SketchGroup; b += kernel.SketchGroup {
			to[b] = from[b]
		}
	}
}

// readVectors reads the codes of a partition's memories and its mesh. Where the vectors are
// is not known yet.
func (p *piece) readVectors(d *decoder) bool {
	s := p.into.w.vectors.scan
	if p.dim > 0 {
		s.begin(p.dim)
	}
	left := p.memories
	for _, at := range p.codes {
		if !d.open(at) {
			return false
		}
		for len(d.buf) > 0 && left > 0 {
			n := min(left, chunkSize)
			if !s.load(d, n) {
				return false
			}
			left -= n
		}
		if len(d.buf) > 0 {
			return false
		}
	}
	if p.dim > 0 && left > 0 || p.dim == 0 && len(p.codes) > 0 {
		return false
	}
	s.used = len(s.blocks) * chunkSize
	if s.used > p.memories {
		s.used = p.memories
	}
	return p.readMesh(d)
}

// readMesh reads the graph of neighbours, where there is one.
func (p *piece) readMesh(d *decoder) bool {
	if len(p.mesh) == 0 {
		return len(p.nodes) == 0
	}
	if !d.open(p.mesh[0]) {
		return false
	}
	l, err := hnsw.NewLoader(d.buf)
	if err != nil {
		return false
	}
	for _, at := range p.nodes {
		if !d.open(at) || l.Add(d.buf) != nil {
			return false
		}
	}
	p.graph, err = l.Graph()
	return err == nil
}

// load reads the next block of a scan that nobody knows yet, of n rows.
func (s *scan) load(d *decoder, n int) bool {
	c := len(s.blocks)
	s.blocks, s.most, s.drawn = append(s.blocks, nil), append(s.most, kernel.Quantised{}), append(s.drawn, kernel.Sketch{})
	if !d.bool() {
		return !d.bad
	}
	quants, codes := d.bytes(uint64(n)*16), d.bytes(uint64(n)*uint64(s.stride))
	var sketch kernel.Sketch
	var signs []byte
	if d.bool() {
		sketch.Gain, sketch.Doubt = d.small(), d.small()
		signs = d.bytes(uint64(sketchBytes(n, s.stride)))
	}
	if d.bad {
		return false
	}
	b := s.grown(c, n)
	for i := range n {
		q := quants[16*i:]
		b.quant[i] = kernel.Quantised{
			Scale: math.Float32frombits(binary.LittleEndian.Uint32(q)), Wrong: math.Float32frombits(binary.LittleEndian.Uint32(q[4:])),
			Norm: math.Float32frombits(binary.LittleEndian.Uint32(q[8:])), Bias: int32(binary.LittleEndian.Uint32(q[12:])),
		}
		s.reach(c, b.quant[i])
	}
	copy(b.codes, codes)
	switch {
	case !s.sketch:
	case signs != nil:
		copy(b.signs, signs)
		s.drawn[c] = sketch
	default: // it was written where nobody asks sketches
		for i := range n {
			if b.quant[i] != (kernel.Quantised{}) {
				r := &rounded{codes: b.codes[i*s.stride : (i+1)*s.stride], quant: b.quant[i]}
				s.sketchRow(c, i, r)
			}
		}
	}
	return true
}
