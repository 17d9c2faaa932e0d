package recess

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// principalAxes returns the mean of the sample, its principal axes one after the other, and
// the variance along each, strongest first. For vectors that are too long, axes is nil: the
// dimensions are the axes.
func principalAxes(sample [][]float32, dim int) (mean, axes []float32, variances []float64) {
	sums := make([]float64, dim)
	for _, v := range sample {
		for j, x := range v {
			sums[j] += float64(x)
		}
	}
	mean = make([]float32, dim)
	for j := range mean {
		mean[j] = float32(sums[j] / float64(len(sample)))
	}
	if dim > maxRotatedDim {
		// Without axes the order is fixed: every dimension counts alike.
		return mean, nil, slices.Repeat([]float64{1}, dim)
	}
	centred := mat.NewDense(len(sample), dim, nil)
	for i, v := range sample {
		for j, x := range v {
			centred.Set(i, j, float64(x-mean[j]))
		}
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1/float64(len(sample)), centred.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return mean, nil, slices.Repeat([]float64{1}, dim)
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	axes, variances = make([]float32, 0, dim*dim), make([]float64, dim)
	for i := range dim {
		at := dim - 1 - i
		variances[i] = max(0, values[at])
		for j := range dim {
			axes = append(axes, float32(vectors.At(j, at)))
		}
	}
	return mean, axes, variances
}

// kmeans returns at most k centroids of points of d numbers, one after the other. It omits
// centroids with too few points.
func kmeans(points []float32, d, k int, rng *rand.Rand) []float32 {
	n := len(points) / d
	centers := seedCentroids(points, d, max(1, min(k, n/minOccupancy)), rng)
	assigned := make([]int32, n)
	for i := range iterations {
		for p := range assigned {
			assigned[p] = int32(nearestCentroid(points[p*d:p*d+d], centers))
		}
		least := 1
		if i == iterations-1 {
			least = minOccupancy
		}
		centers = centroidMeans(points, d, len(centers)/d, assigned, least)
	}
	return centers
}

// seedCentroids draws k points, each with a probability that grows with the squared distance
// to the nearest one drawn before.
func seedCentroids(points []float32, d, k int, rng *rand.Rand) []float32 {
	n := len(points) / d
	centers := make([]float32, 0, k*d)
	first := rng.IntN(n)
	centers = append(centers, points[first*d:first*d+d]...)
	nearest := make([]float32, n)
	for i := range nearest {
		nearest[i] = math.MaxFloat32
	}
	for len(centers) < k*d {
		last, sum := centers[len(centers)-d:], 0.0
		for i := range nearest {
			nearest[i] = min(nearest[i], distance(points[i*d:i*d+d], last))
			sum += float64(nearest[i])
		}
		if sum == 0 {
			break // fewer distinct points than centroids
		}
		at, goal := n-1, rng.Float64()*sum
		for i := range nearest {
			if goal -= float64(nearest[i]); goal < 0 {
				at = i
				break
			}
		}
		centers = append(centers, points[at*d:at*d+d]...)
	}
	return centers
}

func distance(a, b []float32) float32 {
	b = b[:len(a)]
	var s float32
	for i, x := range a {
		y := x - b[i]
		s += y * y
	}
	return s
}

// nearestCentroid is the number of the centroid nearest to p, the first of equals.
func nearestCentroid(p, centers []float32) int {
	best, at, d := float32(math.MaxFloat32), 0, len(p)
	switch d {
	case 1:
		for i, c := range centers {
			if x := p[0] - c; x*x < best {
				best, at = x*x, i
			}
		}
	case 2:
		p0, p1 := p[0], p[1]
		for j := 0; j+1 < len(centers); j += 2 {
			x, y := p0-centers[j], p1-centers[j+1]
			if s := x*x + y*y; s < best {
				best, at = s, j/2
			}
		}
	case 3:
		p0, p1, p2 := p[0], p[1], p[2]
		for j := 0; j+2 < len(centers); j += 3 {
			x, y, z := p0-centers[j], p1-centers[j+1], p2-centers[j+2]
			if s := x*x + y*y + z*z; s < best {
				best, at = s, j/3
			}
		}
	default:
		for i := 0; i*d < len(centers); i++ {
			if s := distance(p, centers[i*d:i*d+d]); s < best {
				best, at = s, i
			}
		}
	}
	return at
}

// centroidMeans are the centres of the points assigned to each centroid. It omits those with fewer
// points than least, unless none would be left.
func centroidMeans(points []float32, d, k int, assigned []int32, least int) []float32 {
	sums, counts := make([]float64, k*d), make([]int, k)
	for i, a := range assigned {
		counts[a]++
		for j := range d {
			sums[int(a)*d+j] += float64(points[i*d+j])
		}
	}
	least = min(least, slices.Max(counts))
	var centers []float32
	for i, n := range counts {
		if n < least {
			continue
		}
		for j := range d {
			centers = append(centers, float32(sums[i*d+j]/float64(n)))
		}
	}
	return centers
}
