package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/somnograph/somnograph/graph/index/kernel"
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

func full(n int) bitmap {
	b := newBitmap(n)
	for i := range n {
		b.add(uint32(i))
	}
	return b
}

// blend is a unit vector with a cosine to v, towards w for the rest.
func blend(v, w []float32, cosine float32) []float32 {
	along := kernel.Dot(v, w)
	side := make([]float32, len(v))
	for i := range side {
		side[i] = w[i] - along*v[i]
	}
	normal(side)
	sine := float32(math.Sqrt(1 - float64(cosine*cosine)))
	for i := range side {
		side[i] = cosine*v[i] + sine*side[i]
	}
	return normal(side)
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
	c := newChannel(1, inMemory())
	for i, v := range vectors[:n] {
		c.put(uint32(i), v)
	}
	v := c.publish(nil)
	for v.tend(n, 1, 2) {
	}
	b.Run("batch of 64", func(b *testing.B) {
		for _, exact := range []bool{false, true} {
			b.Run(fmt.Sprintf("exact=%v", exact), func(b *testing.B) {
				pass := full(n)
				for i := 0; b.Loop(); i++ {
					v.nearest(vectors[i*64%(n-64):][:64], pass, wanted{24, .35, bySlot, exact})
				}
			})
		}
	})
	b.Run("duplicates", func(b *testing.B) {
		const near, k = .95, 12
		pass, asked, missed, neighbours, lost := full(n), 0, 0, 0, 0
		for b.Loop() {
			i := r.IntN(n)
			q := blend(vectors[i], gauss(r, nil, dims, 1), near+.05*r.Float32())
			got := v.nearest([][]float32{q}, pass, wanted{k, .35, bySlot, false})[0]
			want := sorted(v.scanView.nearest([][]float32{q}, pass, k, .35, bySlot)[0])
			for j, h := range want {
				there := slices.ContainsFunc(got, func(g hit) bool { return g.slot == h.slot })
				neighbours++
				if !there {
					lost++
				}
				if j == 0 || h.score >= near {
					asked++
					if !there {
						missed++
					}
				}
			}
		}
		b.ReportMetric(float64(asked), "duplicates")
		b.ReportMetric(float64(missed), "missed")
		b.ReportMetric(float64(neighbours), "neighbours")
		b.ReportMetric(float64(lost), "lost")
	})
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
