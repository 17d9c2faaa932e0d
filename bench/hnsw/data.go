package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// kind is a distribution of made-up vectors.
type kind struct {
	Name   string
	topics int     // number of cluster centres; 0: none
	rank   int     // directions in which a topic varies
	noise  float64 // length of the random vector that is added
}

var (
	// Similar to embeddings of texts, which vary in a few directions around their topics.
	easy = kind{"clustered", 1000, 16, 0.3}
	// Random directions: all vectors have about the same distance.
	hard = kind{"isotropic", 0, 0, 1}
)

// vectors returns n vectors and q queries of unit length, from a fixed seed.
func (k kind) vectors(n, q, dim int) (data, queries []float32) {
	random := rand.New(rand.NewPCG(16, 100))
	direction := func() []float64 {
		v := make([]float64, dim)
		for d := range v {
			v[d] = random.NormFloat64() / math.Sqrt(float64(dim))
		}
		return v
	}
	centres, spans := make([][]float64, k.topics), make([][][]float64, k.topics)
	for t := range centres {
		centres[t] = direction()
		for range k.rank {
			spans[t] = append(spans[t], direction())
		}
	}
	v := make([]float64, dim)
	out := make([]float32, 0, (n+q)*dim)
	for range n + q {
		for d := range v {
			v[d] = k.noise * random.NormFloat64() / math.Sqrt(float64(dim))
		}
		if k.topics > 0 {
			t := random.IntN(k.topics)
			for d, x := range centres[t] {
				v[d] += x
			}
			for _, s := range spans[t] {
				w := random.NormFloat64() / math.Sqrt(float64(k.rank))
				for d, x := range s {
					v[d] += w * x
				}
			}
		}
		var square float64
		for _, x := range v {
			square += x * x
		}
		for _, x := range v {
			out = append(out, float32(x/math.Sqrt(square)))
		}
	}
	return out[: n*dim : n*dim], out[n*dim:]
}

// truth returns the k nearest vectors of each query, by comparing all.
func truth(data, queries []float32, dim, k int) [][]uint32 {
	out := make([][]uint32, len(queries)/dim)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := w; i < len(out); i += 2 {
				out[i] = nearest(data, queries[i*dim:(i+1)*dim], k)
			}
		})
	}
	wg.Wait()
	return out
}

func nearest(data, query []float32, k int) []uint32 {
	dim := len(query)
	type hit struct {
		node  uint32
		score float32
	}
	var best []hit
	for i := 0; i < len(data); i += dim {
		h := hit{uint32(i / dim), kernel.Dot(query, data[i:i+dim])}
		if len(best) == k && h.score <= best[k-1].score {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, h, func(a, b hit) int {
			if a.score >= b.score {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, h)
		best = best[:min(k, len(best))]
	}
	out := make([]uint32, len(best))
	for i, h := range best {
		out[i] = h.node
	}
	return out
}
