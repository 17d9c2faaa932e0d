// Package boosted evaluates boosted decision trees whose questions have answers of one byte, and keeps them in files.
package boosted

import (
	"encoding/binary"
	"errors"
	"math"
)

// Forest is trees of questions; the sum of the leaves that a pair reaches is a logit.
type Forest struct {
	Seed         uint64
	Scale, Shift float64 // certainty = σ(Scale·logit + Shift)
	Base         float32
	Depth        int // all trees are complete
	// Features and Bounds hold the inner nodes of the trees, breadth first: a pair goes to the
	// second child if its answer is above the bound.
	Features []uint16
	Bounds   []uint8
	Leaves   []float32 // 1 << Depth for each tree
}

// Size is the number of answers.
const Size = 512

// magic begins a file of trees; the digit is the version of the layout.
const (
	magic = "SRT1"
	head  = len(magic) + 3*8 + 4 + 1 + 4
)

// Read reads what AppendTo wrote. An empty file is a forest without trees.
func Read(data []byte) (*Forest, error) {
	if len(data) == 0 {
		return &Forest{Scale: 1}, nil
	}
	bad := errors.New("boosted: the file is cut or of another version")
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, bad
	}
	f := &Forest{Seed: binary.LittleEndian.Uint64(data[4:]), Depth: int(data[32])}
	f.Scale = math.Float64frombits(binary.LittleEndian.Uint64(data[12:]))
	f.Shift = math.Float64frombits(binary.LittleEndian.Uint64(data[20:]))
	f.Base = math.Float32frombits(binary.LittleEndian.Uint32(data[28:]))
	n := int(binary.LittleEndian.Uint32(data[33:]))
	data = data[head:]
	inner, leaves := 1<<f.Depth-1, 1<<f.Depth
	if f.Depth > 8 || n > 1<<16 || len(data) != n*(3*inner+4*leaves) {
		return nil, bad
	}
	for range n * inner {
		feature := binary.LittleEndian.Uint16(data)
		if feature >= Size {
			return nil, bad
		}
		f.Features, f.Bounds, data = append(f.Features, feature), append(f.Bounds, data[2]), data[3:]
	}
	for range n * leaves {
		f.Leaves, data = append(f.Leaves, math.Float32frombits(binary.LittleEndian.Uint32(data))), data[4:]
	}
	return f, nil
}

// AppendTo appends the bytes of a forest: "SRT1", seed, scale, shift, base, depth, number of
// trees, inner nodes, leaves, little endian.
func (f *Forest) AppendTo(b []byte) []byte {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint64(b, f.Seed)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Scale))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Shift))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.Base))
	b = append(b, byte(f.Depth))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Leaves)>>f.Depth))
	for i := range f.Features {
		b = binary.LittleEndian.AppendUint16(b, f.Features[i])
		b = append(b, f.Bounds[i])
	}
	for _, l := range f.Leaves {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(l))
	}
	return b
}

// Logit returns the sum of the leaves that the answers reach.
func (f *Forest) Logit(x *[Size]uint8) float64 {
	sum := f.Base
	inner, leaves := 1<<f.Depth-1, 1<<f.Depth
	for tree := range len(f.Leaves) >> f.Depth {
		features, bounds := f.Features[tree*inner:(tree+1)*inner], f.Bounds[tree*inner:(tree+1)*inner]
		at := 0
		for at < inner {
			at = 2*at + 1
			if x[features[(at-1)/2]] > bounds[(at-1)/2] {
				at++
			}
		}
		sum += f.Leaves[tree*leaves+at-inner]
	}
	return float64(sum)
}

// Certainty returns the certainty, in (0, 1), that the later statement revises the earlier one.
func (f *Forest) Certainty(x *[Size]uint8) float64 {
	return 1 / (1 + math.Exp(-(f.Scale*f.Logit(x) + f.Shift)))
}
