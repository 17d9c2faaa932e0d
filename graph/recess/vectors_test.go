package recess

import (
	"math/rand/v2"
)

// clusteredVectors are directions around random centres; noise is the length of the noise
// that is added to a centre of length 1, over all dimensions.
func clusteredVectors(n, dim, clusters int, noise float64, seed uint64) [][]float32 {
	rng := rand.New(rand.NewPCG(seed, 9))
	gauss := func() []float32 {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32(rng.NormFloat64())
		}
		return unit(v)
	}
	centres := make([][]float32, clusters)
	for i := range centres {
		centres[i] = gauss()
	}
	out := make([][]float32, n)
	for i := range out {
		v := gauss()
		for j, x := range centres[rng.IntN(clusters)] {
			v[j] = x + float32(noise)*v[j]
		}
		out[i] = unit(v)
	}
	return out
}

func unit(v []float32) []float32 {
	l := euclideanNorm(v)
	for j := range v {
		v[j] /= l
	}
	return v
}
