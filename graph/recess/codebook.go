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
// He, Ke and Sun, Optimized Product Quantization, 2013). Directions are turned onto
// their principal axes, strongest first. The axes are cut into runs that carry about
// the same number of bits by reverse water-filling, so a strong axis stands alone and
// weak ones share; each run is written as the number of its nearest centroid, a byte.
type codebook struct {
	id    [16]byte
	model string
	dim   int
	runs  []run
	mean  []float32
	axes  []float32 // kept axes × dim, one after the other; nil: the axes are the dimensions
	// turnedMean is the mean along the kept axes.
	turnedMean []float32
}

// run is a stretch of neighbouring axes with its centroids one after the other.
type run struct {
	from, to  int
	centroids []float32
}

const (
	centroidsMax = 256
	minOccupancy = 4 // vectors behind a centroid, at least: it must not spell out one of them
	iterations   = 8
	bitsPerRun   = 8
	// vectorOverhead is what a vector costs beside its code: norm, form and length.
	vectorOverhead = 8
	// maxTurned is the longest vector whose principal axes are looked for.
	maxTurned = 2048
)

// codeBudget is the longest code that keeps a vector at 10:1 against float32.
func codeBudget(dim int) int { return 4*dim/10 - vectorOverhead }

func (c *codebook) space() space  { return space{c.model, c.dim} }
func (c *codebook) codeSize() int { return len(c.runs) }

// trainCodebook learns a codebook from directions, the same one from the same sample:
// principal axes, then per run k-means++ (Arthur and Vassilvitskii, 2007) seeded by
// the space, then Lloyd's iterations. Nil where the vectors are too short for 10:1.
func trainCodebook(id [16]byte, s space, sample [][]float32) *codebook {
	budget := codeBudget(s.dim)
	if budget < 1 || len(sample) < minOccupancy {
		return nil
	}
	c := &codebook{id: id, model: s.model, dim: s.dim}
	var variances []float64
	c.mean, c.axes, variances = principalAxes(sample, s.dim)
	c.runs = cut(variances, budget)
	if kept := c.runs[len(c.runs)-1].to; c.axes != nil {
		c.axes = c.axes[:kept*s.dim]
	}
	c.finish()
	turned := make([][]float32, len(sample))
	for i, v := range sample {
		turned[i] = c.turn(v)
		for j, m := range c.turnedMean {
			turned[i][j] -= m
		}
	}
	seed := sha256.Sum256(bound("codebook", s.model, be64(uint64(s.dim))))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				r := &c.runs[i]
				d := r.to - r.from
				points := make([]float32, 0, len(turned)*d)
				for _, v := range turned {
					points = append(points, v[r.from:r.to]...)
				}
				r.centroids = kmeans(points, d, centroidsMax, rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed[:]), uint64(i))))
			}
		})
	}
	for i := range c.runs {
		next <- i
	}
	close(next)
	wait.Wait()
	return c
}

// finish derives what is not stored.
func (c *codebook) finish() { c.turnedMean = c.turn(c.mean) }

// cut spreads the bits of n runs over axes with these variances (descending): axis i
// gets ½·log2(variance/θ), at most a whole run, and a run ends where it has its share.
func cut(variances []float64, n int) []run {
	bits := waterFill(variances, float64(n*bitsPerRun))
	var runs []run
	from, sum := 0, 0.0
	for i, b := range bits {
		if b == 0 && i > from && sum == 0 {
			break
		}
		// A run ends before the axis that would take it further past its share than
		// it lacks now.
		if i > from && len(runs) < n-1 && sum+b/2 > bitsPerRun {
			runs = append(runs, run{from: from, to: i})
			from, sum = i, sum-bitsPerRun
			sum = min(max(sum, -1), 1)
		}
		sum += b
	}
	to := len(bits)
	for to > from+1 && bits[to-1] == 0 {
		to--
	}
	return append(runs, run{from: from, to: to})
}

// waterFill is the reverse water-filling of a Gaussian source (Cover and Thomas,
// Elements of Information Theory, 10.3.3): bits an axis gets, capped at a run's.
func waterFill(variances []float64, total float64) []float64 {
	bits := make([]float64, len(variances))
	low, high := -200.0, 200.0 // log2 of the level
	for range 100 {
		level, sum := (low+high)/2, 0.0
		for i, v := range variances {
			bits[i] = 0
			if v > 0 {
				bits[i] = min(max(0, (math.Log2(v)-level)/2), bitsPerRun)
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

// turn is the direction along the kept axes.
func (c *codebook) turn(v []float32) []float32 {
	if c.axes == nil {
		return append([]float32(nil), v...)
	}
	out := make([]float32, len(c.axes)/c.dim)
	for i := range out {
		out[i] = dot(c.axes[i*c.dim:(i+1)*c.dim], v)
	}
	return out
}

func dot(a, b []float32) float32 {
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

// encode writes a direction as one byte a run.
func (c *codebook) encode(unit []float32) []byte {
	v := c.turn(unit)
	code := make([]byte, len(c.runs))
	for i, r := range c.runs {
		p := v[r.from:r.to]
		for j := range p {
			p[j] -= c.turnedMean[r.from+j]
		}
		code[i] = byte(closest(p, r.centroids))
	}
	return code
}

// centroid is the one that a byte of a code names; a byte beyond the last one names
// the last one.
func (r *run) centroid(b byte) []float32 {
	d := r.to - r.from
	at := min(int(b)*d, len(r.centroids)-d)
	return r.centroids[at : at+d]
}

// decode writes the direction of a code into out, which has the dimension's length.
func (c *codebook) decode(code []byte, out []float32) {
	copy(out, c.mean)
	for i := range c.runs {
		r := &c.runs[i]
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

// bias is what turns the inner product of a query and a code into a cosine: one over
// the length of the decoded direction.
func (c *codebook) bias(code []byte) float32 {
	// The axes are orthonormal; what of the mean lies beside them is counted apart.
	s := float64(length(c.mean))
	s *= s
	for i := range c.runs {
		r := &c.runs[i]
		for j, x := range r.centroid(code[i]) {
			m := float64(c.turnedMean[r.from+j])
			s += float64(x)*float64(x) + 2*m*float64(x)
		}
	}
	if s <= 0 {
		return 0
	}
	return float32(1 / math.Sqrt(s))
}

// table holds what each byte of a code adds to the inner product with the query; the
// mean's share stands in the last place.
func (c *codebook) table(unit []float32) []float32 {
	q := c.turn(unit)
	t := make([]float32, len(c.runs)*centroidsMax+1)
	for i := range c.runs {
		r := &c.runs[i]
		for j := range centroidsMax {
			t[i*centroidsMax+j] = dot(q[r.from:r.to], r.centroid(byte(j)))
		}
	}
	t[len(t)-1] = dot(c.mean, unit)
	return t
}

// adc is the inner product of the query of a table and a code.
func adc(table []float32, code []byte) float32 {
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
