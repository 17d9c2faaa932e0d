package umap

import (
	"math"
	"slices"
)

// Transform is a rotation followed by a translation.
type Transform struct {
	Rotation [3][3]float64 // by rows
	Shift    [3]float64
}

// Apply transforms a position.
func (t Transform) Apply(p [3]float32) (at [3]float32) {
	for d, row := range t.Rotation {
		x := t.Shift[d]
		for e, w := range row {
			x += float64(w * float64(p[e]))
		}
		at[d] = float32(x)
	}
	return at
}

// Procrustes returns the transform that minimises the sum of squared distances between
// transformed positions and others, pair by pair. Both slices have the same length; for none it is
// the identity.
//
// The rotation is that of Horn ("Closed-form solution of absolute orientation using unit
// quaternions", 1987): the eigenvector of the largest eigenvalue of a matrix of the products of
// coordinates. Unlike the singular value decomposition it never reflects.
func Procrustes(from, to [][3]float32) Transform {
	m, n := mean(from), mean(to)
	var s [3][3]float64
	for i, p := range from {
		for d := range 3 {
			x := float64(p[d]) - m[d]
			for e := range 3 {
				s[d][e] += float64(x * (float64(to[i][e]) - n[e]))
			}
		}
	}
	out := Transform{Rotation: bestRotation(s), Shift: n}
	for d := range out.Rotation {
		for e := range out.Rotation {
			out.Shift[d] -= float64(out.Rotation[d][e] * m[e])
		}
	}
	return out
}

// bestRotation is the rotation R that maximises Σ sᵈᵉ Rᵉᵈ.
func bestRotation(s [3][3]float64) [3][3]float64 {
	n := [4][4]float64{
		{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
		{0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
		{0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
		{0, 0, 0, s[2][2] - s[0][0] - s[1][1]},
	}
	for d := range 4 {
		for e := range d {
			n[d][e] = n[e][d]
		}
	}
	q := leadingEigenvector(n)
	two := func(a, b float64) float64 { return float64(2 * a * b) }
	w, x, y, z := q[0], q[1], q[2], q[3]
	return [3][3]float64{
		{1 - two(y, y) - two(z, z), two(x, y) - two(w, z), two(x, z) + two(w, y)},
		{two(x, y) + two(w, z), 1 - two(x, x) - two(z, z), two(y, z) - two(w, x)},
		{two(x, z) - two(w, y), two(y, z) + two(w, x), 1 - two(x, x) - two(y, y)},
	}
}

// leadingEigenvector is the unit eigenvector of the largest eigenvalue of a symmetric matrix,
// by Jacobi rotations (Golub and Van Loan, section 8.5); the first one on ties.
func leadingEigenvector(a [4][4]float64) (vector [4]float64) {
	v := [4][4]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	for range 32 {
		for p := range 3 {
			for q := p + 1; q < 4; q++ {
				if a[p][q] == 0 {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(float64(t*t)+1)
				s := t * c
				for k := range 4 {
					a[k][p], a[k][q] = float64(c*a[k][p])-float64(s*a[k][q]), float64(s*a[k][p])+float64(c*a[k][q])
				}
				for k := range 4 {
					a[p][k], a[q][k] = float64(c*a[p][k])-float64(s*a[q][k]), float64(s*a[p][k])+float64(c*a[q][k])
				}
				for k := range 4 {
					v[k][p], v[k][q] = float64(c*v[k][p])-float64(s*v[k][q]), float64(s*v[k][p])+float64(c*v[k][q])
				}
			}
		}
	}
	best := 0
	for d := range 4 {
		if a[d][d] > a[best][best] {
			best = d
		}
	}
	for d := range vector {
		vector[d] = v[d][best]
	}
	return vector
}

// Radius is the root mean square distance of positions from their mean.
func Radius(places [][3]float32) float64 {
	middle := mean(places)
	var sum float64
	for _, p := range places {
		for d, x := range p {
			y := float64(x) - middle[d]
			sum += float64(y * y)
		}
	}
	return math.Sqrt(sum / float64(max(len(places), 1)))
}

// Displacement is the median distance between positions before and after, pair by pair, in
// radii of the map before; 0 if there are none or the map before is a single point.
func Displacement(before, after [][3]float32) float64 {
	radius := Radius(before)
	if radius == 0 {
		return 0
	}
	moves := make([]float64, len(before))
	for i, p := range before {
		var sum float64
		for d, x := range p {
			y := float64(x) - float64(after[i][d])
			sum += float64(y * y)
		}
		moves[i] = math.Sqrt(sum)
	}
	slices.Sort(moves)
	return moves[len(moves)/2] / radius
}
