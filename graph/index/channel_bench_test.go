package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// topical makes vectors that vary in a few directions around their topics, as those of
// texts do.
func topical(r *rand.Rand, n, dims int) [][]float32 {
	const topics, rank = 500, 12
	centres, spans := make([][]float32, topics), make([][]float32, topics*rank)
	for i := range centres {
		centres[i] = gauss(r, nil, dims, 1)
	}
	for i := range spans {
		spans[i] = gauss(r, nil, dims, 1)
	}
	out := make([][]float32, n)
	for i := range out {
		t := r.IntN(topics)
		v := gauss(r, centres[t], dims, .35)
		for j := range rank {
			w := float32(r.NormFloat64() / math.Sqrt(rank))
			for d, x := range spans[t*rank+j] {
				v[d] += w * x
			}
		}
		out[i] = normal(v)
	}
	return out
}

func normal(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// BenchmarkChannel asks the vector channel of a partition, by walking and by looking at
// all, and says how many of the nearest the walk finds. SIZE is the number of vectors.
func BenchmarkChannel(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("SIZE"))
	if err != nil {
		n = 20_000
	}
	const dims = 384
	r := rand.New(rand.NewPCG(4, 4))
	vectors := topical(r, n+200, dims)
	c := newChannel(1)
	for i, v := range vectors[:n] {
		c.put(uint32(i), v)
	}
	v := c.publish()
	whole := &view{live: n, vectors: v}
	for whole.tend(1, 2) {
	}
	for _, share := range []int{1, 4, 20} {
		pass := newBitmap(n)
		for i := 0; i < n; i += share {
			pass.add(uint32(i))
		}
		for _, k := range []int{12, 24, 200} {
			found, all := 0, 0
			for _, q := range vectors[n:] {
				want := v.scanView.nearest([][]float32{q}, pass, k, -1, bySlot)[0]
				got := v.nearest([][]float32{q}, pass, wanted{k, -1, bySlot, false})[0]
				for _, h := range got {
					if h.score >= sorted(want)[len(want)-1].score {
						found++
					}
				}
				all += len(want)
			}
			for _, exact := range []bool{false, true} {
				b.Run(fmt.Sprintf("1of%d/k%d/exact=%v", share, k, exact), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						v.nearest([][]float32{vectors[n+i%200]}, pass, wanted{k, -1, bySlot, exact})
					}
					if !exact {
						b.ReportMetric(float64(found)/float64(all), "recall")
					}
				})
			}
		}
	}
}
