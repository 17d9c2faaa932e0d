package vectors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

func full(n int) slots.Set {
	b := slots.NewSet(n)
	for i := range n {
		b.Add(uint32(i))
	}
	return b
}

// blend returns a unit vector with a given cosine to v, in the plane of v and w.
func blend(v, w []float32, cosine float32) []float32 {
	along := kernel.Dot(v, w)
	side := make([]float32, len(v))
	for i := range side {
		side[i] = w[i] - along*v[i]
	}
	testvectors.Normalise(side)
	sine := float32(math.Sqrt(1 - float64(cosine*cosine)))
	for i := range side {
		side[i] = cosine*v[i] + sine*side[i]
	}
	return testvectors.Normalise(side)
}

// BenchmarkChannel queries the vector channel of a partition with the graph and with a full
// scan, and reports the share of the nearest that the graph finds. SIZE is the number of
// vectors.
func BenchmarkChannel(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("SIZE"))
	if err != nil {
		n = 20_000
	}
	const dims = 384
	r := rand.New(rand.NewPCG(4, 4))
	vectors := testvectors.Topical(r, n+200, dims)
	c := NewBuilder(1, inMemory())
	for i, v := range vectors[:n] {
		c.putVector(uint32(i), v)
	}
	v := c.Publish(nil)
	for v.Maintain(n, 1, 2) {
	}
	b.Run("batch of 64", func(b *testing.B) {
		for _, exact := range []bool{false, true} {
			b.Run(fmt.Sprintf("exact=%v", exact), func(b *testing.B) {
				pass := full(n)
				for i := 0; b.Loop(); i++ {
					v.nearest(vectors[i*64%(n-64):][:64], pass, Want{24, .35, slots.ByNumber, exact})
				}
			})
		}
	})
	b.Run("duplicates", func(b *testing.B) {
		const near, k = .95, 12
		pass, asked, missed, neighbours, lost := full(n), 0, 0, 0, 0
		for b.Loop() {
			i := r.IntN(n)
			q := blend(vectors[i], testvectors.Around(r, nil, dims, 1), near+.05*r.Float32())
			got := v.nearest([][]float32{q}, pass, Want{k, .35, slots.ByNumber, false})[0]
			want := sorted(v.codeView.nearest([][]float32{q}, pass, k, .35, slots.ByNumber)[0])
			for j, h := range want {
				there := slices.ContainsFunc(got, func(g slots.Hit) bool { return g.Slot == h.Slot })
				neighbours++
				if !there {
					lost++
				}
				if j == 0 || h.Score >= near {
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
		pass := slots.NewSet(n)
		for i := 0; i < n; i += share {
			pass.Add(uint32(i))
		}
		for _, k := range []int{12, 24, 200} {
			found, all := 0, 0
			for _, q := range vectors[n:] {
				want := v.codeView.nearest([][]float32{q}, pass, k, -1, slots.ByNumber)[0]
				got := v.nearest([][]float32{q}, pass, Want{k, -1, slots.ByNumber, false})[0]
				for _, h := range got {
					if h.Score >= sorted(want)[len(want)-1].Score {
						found++
					}
				}
				all += len(want)
			}
			for _, exact := range []bool{false, true} {
				b.Run(fmt.Sprintf("1of%d/k%d/exact=%v", share, k, exact), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						v.nearest([][]float32{vectors[n+i%200]}, pass, Want{k, -1, slots.ByNumber, exact})
					}
					if !exact {
						b.ReportMetric(float64(found)/float64(all), "recall")
					}
				})
			}
		}
	}
}
