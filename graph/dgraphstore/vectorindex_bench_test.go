package dgraphstore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// BenchmarkNear measures Dgraph's index alone, over seeded vectors of 384 dimensions in sixty
// clusters: recall@10 against an exact search, by effort; and exact comparison and reading.
func BenchmarkNear(b *testing.B) {
	for _, n := range []int{5000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchNear(b, n) })
	}
}

func benchNear(b *testing.B, n int) {
	r := rand.New(rand.NewPCG(5, 6))
	var heaps [60][384]float64
	for i := range heaps {
		for j := range heaps[i] {
			heaps[i][j] = r.NormFloat64()
		}
	}
	vector := func() (v []float32) {
		h, square := heaps[r.IntN(len(heaps))], 0.0
		for j := range h {
			h[j] += 1.2 * r.NormFloat64()
			square += h[j] * h[j]
		}
		for _, x := range h {
			v = append(v, float32(x/math.Sqrt(square)))
		}
		return v
	}
	vectors, questions := make([][]float32, n), make([][]float32, 50)
	for i := range vectors {
		vectors[i] = vector()
	}
	for i := range questions {
		questions[i] = vector()
	}
	s, sc := open(b, Options{IndexVectors: true}), scope(b)
	began := time.Now()
	ids := embed(b, s, sc, vectors)
	b.Logf("%d vectors, 50 a commit: %.0f/s", n, float64(n)/time.Since(began).Seconds())
	exact := make([][]graph.Alike, len(questions))
	for i, q := range questions {
		exact[i] = exactNear(ids, vectors, q, 10)
	}
	for _, x := range []struct{ k, effort int }{{12, 100}, {250, 250}, {1000, 1000}, {4000, 4000}} {
		b.Run(fmt.Sprintf("near k=%d effort=%d", x.k, x.effort), func(b *testing.B) {
			sum := 0.0
			for i := range b.N {
				found, err := s.Near(b.Context(), sc, questions[i%len(questions)], x.k, x.effort)
				if err != nil {
					b.Fatal(err)
				}
				sum += agreement(b, found[:min(10, len(found))], exact[i%len(questions)])
			}
			b.ReportMetric(sum/float64(b.N), "recall@10")
		})
	}
	for _, k := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("compare %d", k), func(b *testing.B) {
			for i := range b.N {
				if _, err := s.Cosines(b.Context(), sc, questions[i%len(questions)], ids[:k]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("read 50", func(b *testing.B) {
		for i := range b.N {
			if _, err := s.Embeddings(b.Context(), sc, ids[i%100*50:][:50]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
