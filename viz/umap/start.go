package umap

import "math"

const (
	axisSample = 1024 // evenly spaced rows to which the axes are fitted
	axisRounds = 20   // iterations; exact eigenvectors are not needed
	startReach = 10   // largest coordinate of the initial layout
)

// principalAxes are the directions of highest variance (principal components), found by
// orthogonal iteration (Golub and Van Loan, Matrix Computations, section 8.2.4) on the
// covariance matrix, which is never formed. The largest entry of an axis is positive. There are
// fewer axes if the rows vary in fewer directions.
func (v *vectors) principalAxes(count int) [][]int16 {
	n := min(v.len(), axisSample)
	at := func(s int) []int16 { return v.row(s * v.len() / n) }
	mean := make([]float64, v.stride)
	for s := range n {
		for d, x := range at(s) {
			mean[d] += float64(x) // integers: exact in any order
		}
	}
	for d := range mean {
		mean[d] /= float64(n)
	}
	basis := make([][]float64, min(count+2, n, v.stride)) // two more for faster convergence
	noise := seeded(mapSeed, streamAxes, 0)
	for j := range basis {
		basis[j] = make([]float64, v.stride)
		for d := range basis[j] {
			basis[j][d] = float64(noise.signed())
		}
	}
	basis = orthonormal(basis)
	for range axisRounds {
		for j, b := range basis {
			axis, next := quantiseAxis(b), make([]float64, v.stride)
			var shift, total float64
			for d, m := range mean {
				shift += float64(m * float64(axis[d]))
			}
			for s := range n {
				row := at(s)
				w := float64(dot16(&row[0], &axis[0], v.stride)) - shift
				total += w
				for d, x := range row {
					next[d] += float64(w * float64(x))
				}
			}
			for d, m := range mean {
				next[d] -= float64(total * m)
			}
			basis[j] = next
		}
		basis = orthonormal(basis)
	}
	out := make([][]int16, min(count, len(basis)))
	for j := range out {
		out[j] = quantiseAxis(basis[j])
	}
	return out
}

// quantiseAxis is a unit vector as a row; its largest entry is positive.
func quantiseAxis(b []float64) []int16 {
	out := make([]int16, len(b))
	var top int16
	for d, x := range b {
		out[d] = int16(math.RoundToEven(x * unitScale))
		if max(out[d], -out[d]) > max(top, -top) {
			top = out[d]
		}
	}
	if top < 0 {
		for d := range out {
			out[d] = -out[d]
		}
	}
	return out
}

// orthonormal is the modified Gram–Schmidt process; vanishing directions are dropped.
func orthonormal(basis [][]float64) [][]float64 {
	out := basis[:0]
	for _, b := range basis {
		before := length(b)
		for range 2 { // repeated against rounding errors
			for _, o := range out {
				var p float64
				for d := range b {
					p += float64(b[d] * o[d])
				}
				for d := range b {
					b[d] -= float64(p * o[d])
				}
			}
		}
		n := length(b)
		if n <= 1e-6*before || n == 0 {
			continue
		}
		for d := range b {
			b[d] /= n
		}
		out = append(out, b)
	}
	return out
}

func length(b []float64) float64 {
	var sum float64
	for _, x := range b {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

// initialLayout starts a map with the principal components, scaled so that the largest
// coordinate is startReach, plus a little noise that separates equal rows.
func (v *vectors) initialLayout(c workerPool) ([][3]float32, error) {
	places := make([][3]float32, v.len())
	axes := v.principalAxes(dims)
	middle := make([]float64, len(axes))
	sums := make([]int64, len(axes))
	raw := make([][3]int32, v.len())
	if err := c.forEach(v.len(), 64, func(i, _ int) {
		for j, axis := range axes {
			raw[i][j] = dot16(&v.row(i)[0], &axis[0], v.stride)
		}
	}); err != nil {
		return nil, err
	}
	for _, r := range raw {
		for j := range sums {
			sums[j] += int64(r[j])
		}
	}
	for j, s := range sums {
		middle[j] = float64(s) / float64(v.len())
	}
	var reach float64
	for _, r := range raw {
		for j := range axes {
			reach = max(reach, math.Abs(float64(r[j])-middle[j]))
		}
	}
	for i, r := range raw {
		noise := seeded(mapSeed, streamStart, i)
		for j := range dims {
			if j < len(axes) && reach > 0 {
				places[i][j] = float32((float64(r[j]) - middle[j]) / reach * startReach)
			}
			places[i][j] += float32(noise.signed() * 1e-3)
		}
	}
	return places, nil
}
