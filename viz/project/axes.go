package project

import "math"

// axes are the directions in which a set of vectors varies most (principal
// components), found by orthogonal iteration (Golub and Van Loan, Matrix
// Computations, section 8.2.4) on the covariance, which is never formed.
type axes struct {
	mean  []float32
	basis [][]float32 // orthonormal, by falling variance
}

// rounds of the iteration: the leading axes settle in a handful, and the map needs
// directions that hold most of the variance, not exact eigenvectors.
const rounds = 12

// fitAxes finds at most k axes. Fewer come back where the vectors span fewer.
func fitAxes(vectors [][]float32, k int) axes {
	if len(vectors) == 0 {
		return axes{}
	}
	dim := len(vectors[0])
	a := axes{mean: mean(vectors, dim)}
	k = min(k, dim, len(vectors))
	var noise mix = 1
	for range k {
		b := make([]float32, dim)
		for d := range b {
			b[d] = noise.signed()
		}
		a.basis = append(a.basis, b)
	}
	a.basis = orthonormal(a.basis)
	for range rounds {
		next := make([][]float32, len(a.basis))
		each(len(a.basis), func(j int) {
			next[j] = a.applied(vectors, a.basis[j])
		})
		a.basis = orthonormal(next)
	}
	for _, b := range a.basis {
		orient(b)
	}
	return a
}

// applied is the covariance times b, up to a factor.
func (a axes) applied(vectors [][]float32, b []float32) []float32 {
	out, shift := make([]float32, len(b)), dot(a.mean, b)
	var total float32
	for _, v := range vectors {
		w := dot(v, b) - shift
		total += w
		for d, x := range v {
			out[d] += w * x
		}
	}
	for d, m := range a.mean {
		out[d] -= total * m
	}
	return out
}

// coordinates are the places of v along the axes.
func (a axes) coordinates(v []float32) []float32 {
	out := make([]float32, len(a.basis))
	for j, b := range a.basis {
		out[j] = dot(v, b) - dot(a.mean, b)
	}
	return out
}

func mean(vectors [][]float32, dim int) []float32 {
	sum := make([]float64, dim)
	for _, v := range vectors {
		for d, x := range v {
			sum[d] += float64(x)
		}
	}
	out := make([]float32, dim)
	for d, s := range sum {
		out[d] = float32(s / float64(len(vectors)))
	}
	return out
}

// orthonormal is the modified Gram–Schmidt process; directions that vanish are dropped.
func orthonormal(basis [][]float32) [][]float32 {
	out := basis[:0]
	for _, b := range basis {
		before := norm(b)
		for range 2 { // once more, against what rounding left over
			for _, o := range out {
				p := dot(b, o)
				for d := range b {
					b[d] -= p * o[d]
				}
			}
		}
		n := norm(b)
		if n <= 1e-5*before || n == 0 {
			continue
		}
		for d := range b {
			b[d] /= n
		}
		out = append(out, b)
	}
	return out
}

// orient turns an axis so that its largest entry is positive: a sign is arbitrary
// and must not depend on the start.
func orient(b []float32) {
	var top float32
	for _, x := range b {
		if abs(x) > abs(top) {
			top = x
		}
	}
	if top < 0 {
		for d := range b {
			b[d] = -b[d]
		}
	}
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

func norm(a []float32) float32 { return float32(math.Sqrt(float64(dot(a, a)))) }

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }
