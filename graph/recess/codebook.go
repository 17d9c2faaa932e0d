package recess

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
)

// A codebook quantises the directions of one space by optimised product quantisation
// (Jégou, Douze and Schmid, Product Quantization for Nearest Neighbor Search, 2011; Ge,
// He, Ke and Sun, Optimized Product Quantization, 2013). Directions are rotated onto their
// principal axes, strongest first. The axes are split into subspaces of about the same
// number of bits by reverse water-filling, so a strong axis is alone and weak ones share.
// Each subspace is coded as the number of its nearest centroid, one byte.
type codebook struct {
	id        [16]byte
	model     string
	dim       int
	subspaces []subspace
	mean      []float32
	axes      []float32 // kept axes × dim, row by row; nil: the axes are the dimensions
	// rotatedMean is the mean along the kept axes.
	rotatedMean []float32
}

// subspace is a range of neighbouring axes with its centroids, one after the other.
type subspace struct {
	from, to  int
	centroids []float32
}

const (
	centroidsMax    = 256
	minOccupancy    = 4 // least vectors of a centroid: it must not reveal one of them
	iterations      = 8
	bitsPerSubspace = 8
	// vectorOverhead is the size of a stored vector without its code: norm, form and length.
	vectorOverhead = 8
	// maxRotatedDim is the longest vector whose principal axes are computed.
	maxRotatedDim = 2048
)

// codeBudget is the longest code that keeps a vector at 10:1 against float32.
func codeBudget(dim int) int { return 4*dim/10 - vectorOverhead }

func (c *codebook) vectorSpace() vectorSpace { return vectorSpace{c.model, c.dim} }
func (c *codebook) codeSize() int            { return len(c.subspaces) }

// trainCodebook trains a codebook on directions; the same sample gives the same one. It
// uses principal axes, then per subspace k-means++ (Arthur and Vassilvitskii, 2007) seeded
// by the space, then Lloyd's iterations. It returns nil if the vectors are too short for 10:1.
func trainCodebook(id [16]byte, s vectorSpace, sample [][]float32) *codebook {
	budget := codeBudget(s.dim)
	if budget < 1 || len(sample) < minOccupancy {
		return nil
	}
	c := &codebook{id: id, model: s.model, dim: s.dim}
	var variances []float64
	c.mean, c.axes, variances = principalAxes(sample, s.dim)
	c.subspaces = splitAxes(variances, budget)
	if kept := c.subspaces[len(c.subspaces)-1].to; c.axes != nil {
		c.axes = c.axes[:kept*s.dim]
	}
	c.derive()
	rotated := make([][]float32, len(sample))
	for i, v := range sample {
		rotated[i] = c.rotate(v)
		for j, m := range c.rotatedMean {
			rotated[i][j] -= m
		}
	}
	seed := sha256.Sum256(joinParts("codebook", s.model, be64(uint64(s.dim))))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				r := &c.subspaces[i]
				d := r.to - r.from
				points := make([]float32, 0, len(rotated)*d)
				for _, v := range rotated {
					points = append(points, v[r.from:r.to]...)
				}
				r.centroids = kmeans(points, d, centroidsMax, rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed[:]), uint64(i))))
			}
		})
	}
	for i := range c.subspaces {
		next <- i
	}
	close(next)
	wait.Wait()
	return c
}

// derive computes the fields that are not stored.
func (c *codebook) derive() { c.rotatedMean = c.rotate(c.mean) }

// splitAxes distributes the bits of n subspaces over axes with these variances (descending):
// axis i gets ½·log2(variance/θ), at most a whole subspace; a subspace ends when it has its share.
func splitAxes(variances []float64, n int) []subspace {
	bits := waterFill(variances, float64(n*bitsPerSubspace))
	var runs []subspace
	from, sum := 0, 0.0
	for i, b := range bits {
		if b == 0 && i > from && sum == 0 {
			break
		}
		// A subspace ends before the axis that would take it further above its share than it is
		// below now.
		if i > from && len(runs) < n-1 && sum+b/2 > bitsPerSubspace {
			runs = append(runs, subspace{from: from, to: i})
			from, sum = i, sum-bitsPerSubspace
			sum = min(max(sum, -1), 1)
		}
		sum += b
	}
	to := len(bits)
	for to > from+1 && bits[to-1] == 0 {
		to--
	}
	return append(runs, subspace{from: from, to: to})
}

// waterFill is the reverse water-filling of a Gaussian source (Cover and Thomas, Elements
// of Information Theory, 10.3.3): the bits of each axis, at most those of a subspace.
func waterFill(variances []float64, total float64) []float64 {
	bits := make([]float64, len(variances))
	low, high := -200.0, 200.0 // log2 of the level
	for range 100 {
		level, sum := (low+high)/2, 0.0
		for i, v := range variances {
			bits[i] = 0
			if v > 0 {
				bits[i] = min(max(0, (math.Log2(v)-level)/2), bitsPerSubspace)
			}
			sum += bits[i]
		}
		if sum > total {
			low = level
		} else {
			high = level
		}
	}
	return bits
}

// rotate is the direction along the kept axes.
func (c *codebook) rotate(v []float32) []float32 {
	if c.axes == nil {
		return append([]float32(nil), v...)
	}
	out := make([]float32, len(c.axes)/c.dim)
	for i := range out {
		out[i] = dotProduct(c.axes[i*c.dim:(i+1)*c.dim], v)
	}
	return out
}

func dotProduct(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+3 < len(a); i += 4 {
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

// encode codes a direction with one byte per subspace.
func (c *codebook) encode(unit []float32) []byte {
	v := c.rotate(unit)
	code := make([]byte, len(c.subspaces))
	for i, r := range c.subspaces {
		p := v[r.from:r.to]
		for j := range p {
			p[j] -= c.rotatedMean[r.from+j]
		}
		code[i] = byte(nearestCentroid(p, r.centroids))
	}
	return code
}

// centroid is the centroid of a byte of a code; a byte above the last one gives the last one.
func (r *subspace) centroid(b byte) []float32 {
	d := r.to - r.from
	at := min(int(b)*d, len(r.centroids)-d)
	return r.centroids[at : at+d]
}

// decode writes the direction of a code into out, which has the length of the dimension.
func (c *codebook) decode(code []byte, out []float32) {
	copy(out, c.mean)
	for i := range c.subspaces {
		r := &c.subspaces[i]
		for j, x := range r.centroid(code[i]) {
			if c.axes == nil {
				out[r.from+j] += x
				continue
			}
			for l, a := range c.axes[(r.from+j)*c.dim : (r.from+j+1)*c.dim] {
				out[l] += x * a
			}
		}
	}
}

// inverseNorm is one over the length of the decoded direction. It turns the inner product of
// a query and a code into a cosine.
func (c *codebook) inverseNorm(code []byte) float32 {
	// The axes are orthonormal; the part of the mean outside them is added separately.
	s := float64(euclideanNorm(c.mean))
	s *= s
	for i := range c.subspaces {
		r := &c.subspaces[i]
		for j, x := range r.centroid(code[i]) {
			m := float64(c.rotatedMean[r.from+j])
			s += float64(x)*float64(x) + 2*m*float64(x)
		}
	}
	if s <= 0 {
		return 0
	}
	return float32(1 / math.Sqrt(s))
}

// dotTable holds what each byte of a code adds to the inner product with the query; the last
// entry is the part of the mean.
func (c *codebook) dotTable(unit []float32) []float32 {
	q := c.rotate(unit)
	t := make([]float32, len(c.subspaces)*centroidsMax+1)
	for i := range c.subspaces {
		r := &c.subspaces[i]
		for j := range centroidsMax {
			t[i*centroidsMax+j] = dotProduct(q[r.from:r.to], r.centroid(byte(j)))
		}
	}
	t[len(t)-1] = dotProduct(c.mean, unit)
	return t
}

// tableDot is the inner product of the query of a table and a code.
func tableDot(table []float32, code []byte) float32 {
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+3 < len(code); i += 4 {
		t := table[i*centroidsMax : (i+4)*centroidsMax]
		s0 += t[code[i]]
		s1 += t[centroidsMax+int(code[i+1])]
		s2 += t[2*centroidsMax+int(code[i+2])]
		s3 += t[3*centroidsMax+int(code[i+3])]
	}
	for ; i < len(code); i++ {
		s0 += table[i*centroidsMax+int(code[i])]
	}
	return s0 + s1 + s2 + s3 + table[len(table)-1]
}
