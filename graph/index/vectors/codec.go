package vectors

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// AppendCodes appends the codes of slots, in blocks of slots.ChunkSize with the layout that they
// have in memory after a start. So a start only copies them: it neither quantises nor sketches
// vectors. The layout is in docs/formats/index-snapshot.md.
func (v *codeView) AppendCodes(b []byte, of []uint32) []byte {
	for rows := range slices.Chunk(of, slots.ChunkSize) {
		b = v.appendBlock(b, rows)
	}
	return b
}

func (v *codeView) appendBlock(b []byte, rows []uint32) []byte {
	if !slices.ContainsFunc(rows, v.Has) {
		return append(b, 0)
	}
	b = append(b, 1)
	var drawn kernel.Sketch
	for _, slot := range rows {
		var q kernel.Quantised
		if v.Has(slot) {
			c := slot >> slots.ChunkBits
			q = v.blocks[c].quantised[slot&slots.ChunkMask]
			drawn.Gain, drawn.Deviation = max(drawn.Gain, v.sketchBounds[c].Gain), max(drawn.Deviation, v.sketchBounds[c].Deviation)
		}
		for _, x := range [...]float32{q.Scale, q.Error, q.Norm} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(q.Bias))
	}
	for _, slot := range rows {
		if r := v.Encoded(slot); r != nil {
			b = append(b, r.codes...)
		} else {
			b = append(b, v.zeros...)
		}
	}
	if !v.sketching {
		return append(b, 0)
	}
	b = append(b, 1)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(drawn.Gain))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(drawn.Deviation))
	at := len(b)
	b = append(b, make([]byte, sketchSize(len(rows), v.stride))...)
	for i, slot := range rows {
		if !v.Has(slot) {
			continue
		}
		to, from := b[at+kernel.SketchOffset(i, v.stride):], v.blocks[slot>>slots.ChunkBits].signs[kernel.SketchOffset(int(slot&slots.ChunkMask), v.stride):]
		for j := 0; j < v.stride/8*kernel.SketchGroup; j += kernel.SketchGroup {
			to[j] = from[j]
		}
	}
	return b
}

// ReadCodes reads the blocks of b, at most most rows, into a store that is not published yet. It
// returns the number of rows; whole is false if b is damaged.
func (s *codeStore) ReadCodes(b []byte, most int) (rows int, whole bool) {
	for len(b) > 0 && rows < most {
		n := min(most-rows, slots.ChunkSize)
		if b, whole = s.readBlock(b, n); !whole {
			return rows, false
		}
		rows += n
	}
	s.end += rows
	return rows, len(b) == 0
}

// readBlock reads a block of n rows from the beginning of b and returns the rest of b.
func (s *codeStore) readBlock(b []byte, n int) (rest []byte, whole bool) {
	take := func(size int) []byte {
		if whole = whole && size <= len(b); !whole {
			return nil
		}
		taken := b[:size]
		b = b[size:]
		return taken
	}
	flag := func() bool { x := take(1); return whole && x[0] == 1 }
	whole = true
	c := len(s.blocks)
	s.blocks, s.bounds, s.sketchBounds = append(s.blocks, nil), append(s.bounds, kernel.Quantised{}), append(s.sketchBounds, kernel.Sketch{})
	if !flag() {
		return b, whole
	}
	quants, codes := take(n*16), take(n*s.stride)
	var drawn, signs []byte
	if flag() {
		drawn, signs = take(8), take(sketchSize(n, s.stride))
	}
	if !whole {
		return b, false
	}
	into := s.growBlock(c, n)
	for i := range n {
		q := quants[16*i:]
		into.quantised[i] = kernel.Quantised{Scale: float32At(q), Error: float32At(q[4:]), Norm: float32At(q[8:]), Bias: int32(binary.LittleEndian.Uint32(q[12:]))}
		s.raiseBounds(c, into.quantised[i])
	}
	copy(into.codes, codes)
	switch {
	case !s.sketching:
	case signs != nil:
		copy(into.signs, signs)
		s.sketchBounds[c] = kernel.Sketch{Gain: float32At(drawn), Deviation: float32At(drawn[4:])}
	default: // written on a machine without sketches
		for i := range n {
			if into.quantised[i] != (kernel.Quantised{}) {
				r := &Encoded{codes: into.codes[i*s.stride : (i+1)*s.stride], quantised: into.quantised[i]}
				s.putSketch(c, i, r)
			}
		}
	}
	return b, true
}

func float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
