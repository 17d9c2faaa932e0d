package umap

import (
	"errors"
	"fmt"
	"math"
)

// unitScale is the length of a quantised vector. The dot product of two of them, and every
// partial sum of it, is at most about unitScale² = 2³⁰, so it fits an int32 in any order of
// summation.
const unitScale = 1<<15 - 1

// vectors are directions with integer entries, so that results are exact and equal on every
// processor. Rounding adds about 1e-5 to a cosine and 1e-8 to the distance of near duplicates.
//
// One additional dimension distinguishes zero vectors from all others: they are similar to each
// other only.
type vectors struct {
	dim    int // dimension of the input
	stride int // of a row, a multiple of 16
	rows   []int16
	square []int32   // squared length of each row
	inv    []float32 // 1 / length of each row
}

func newVectors(dim, n int) *vectors {
	stride := (dim + 1 + 15) / 16 * 16
	return &vectors{dim: dim, stride: stride, rows: make([]int16, n*stride), square: make([]int32, n), inv: make([]float32, n)}
}

// quantise converts vectors of one dimension and any length to directions. It fails if a
// dimension differs or an entry is not finite.
func quantise(c workerPool, in [][]float32) (*vectors, error) {
	if len(in) == 0 {
		return newVectors(0, 0), nil
	}
	v := newVectors(len(in[0]), len(in))
	if v.dim == 0 {
		return nil, fmt.Errorf("umap: the vectors have no dimensions")
	}
	bad := make([]error, len(in))
	if err := c.forEach(len(in), 64, func(i, _ int) { bad[i] = v.set(i, in[i]) }); err != nil {
		return nil, err
	}
	for i, err := range bad {
		if err != nil {
			return nil, fmt.Errorf("umap: vector %d %w", i, err)
		}
	}
	return v, nil
}

func (v *vectors) len() int { return len(v.square) }

func (v *vectors) row(i int) []int16 { return v.rows[i*v.stride : (i+1)*v.stride] }

// set stores a direction in row i.
func (v *vectors) set(i int, x []float32) error {
	if len(x) != v.dim {
		return fmt.Errorf("has %d dimensions, want %d", len(x), v.dim)
	}
	var top float64 // scaled by it, squares neither overflow nor vanish
	for _, f := range x {
		if f != f || math.IsInf(float64(f), 0) {
			return errors.New("is not finite")
		}
		top = max(top, math.Abs(float64(f)))
	}
	row := v.row(i)
	clear(row)
	if top == 0 {
		row[v.dim] = unitScale
	} else {
		var sum float64
		for _, f := range x {
			s := float64(f) / top
			sum += float64(s * s)
		}
		length := math.Sqrt(sum)
		for d, f := range x {
			row[d] = int16(math.RoundToEven(float64(float64(f)/top/length) * unitScale))
		}
	}
	v.square[i] = dot16(&row[0], &row[0], v.stride)
	v.inv[i] = float32(1 / math.Sqrt(float64(v.square[i])))
	return nil
}

func (v *vectors) dot(i, j int) int32 {
	return dot16(&v.rows[i*v.stride], &v.rows[j*v.stride], v.stride)
}

// distance is 1 − cosine, in [0,2]; 0 exactly for equal rows.
func distance(dot, squareA, squareB int32) float32 {
	if dot == squareA && dot == squareB {
		return 0
	}
	return float32(max(0, 1-float64(dot)/math.Sqrt(float64(float64(squareA)*float64(squareB)))))
}

// dotGo is dot16 without assembly.
func dotGo(a, b []int16) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	for len(a) >= 4 {
		s0 += int32(a[0]) * int32(b[0])
		s1 += int32(a[1]) * int32(b[1])
		s2 += int32(a[2]) * int32(b[2])
		s3 += int32(a[3]) * int32(b[3])
		a, b = a[4:], b[4:]
	}
	return s0 + s1 + s2 + s3
}
