package main

import (
	"math"
	"math/rand/v2"
)

// kind is a distribution of made-up vectors: twenty topics, and their variation.
type kind struct {
	Name  string
	rank  int     // directions in which a topic varies; 0: all equally
	noise float64 // length of the random vector that is added
}

var (
	// Neighbours within a topic are almost random: the hard case.
	isotropic = kind{"isotropic", 0, 1}
	// Similar to embeddings of texts, which vary in a few directions.
	lowRank = kind{"low rank", 8, 0.1}
	kinds   = []kind{isotropic, lowRank}
)

// vectors returns n unit vectors from a fixed seed.
func (k kind) vectors(n int) [][]float32 {
	const topics = 20
	random := rand.New(rand.NewPCG(6, 2018))
	direction := func() []float64 {
		v := make([]float64, dim)
		for d := range v {
			v[d] = random.NormFloat64()
		}
		scale(v)
		return v
	}
	centres, spans := make([][]float64, topics), make([][][]float64, topics)
	for t := range centres {
		centres[t] = direction()
		for range k.rank {
			spans[t] = append(spans[t], direction())
		}
	}
	out := make([][]float32, n)
	for i := range out {
		t := random.IntN(topics)
		v := make([]float64, dim)
		for d := range v {
			v[d] = centres[t][d] + k.noise*random.NormFloat64()/math.Sqrt(dim)
		}
		weight := 0.6
		for _, s := range spans[t] {
			w := weight * random.NormFloat64()
			weight *= 0.8
			for d := range v {
				v[d] += w * s[d]
			}
		}
		scale(v)
		out[i] = make([]float32, dim)
		for d := range v {
			out[i][d] = float32(v[d])
		}
	}
	return out
}

// scale makes v a unit vector.
func scale(v []float64) {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	for d := range v {
		v[d] /= math.Sqrt(sum)
	}
}
