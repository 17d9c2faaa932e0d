package testvectors

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Topical makes unit vectors that vary in a few directions around topics, as embeddings of texts
// do.
func Topical(r *rand.Rand, n, dims int) [][]float32 {
	const topics, rank = 500, 12
	centres, spans := make([][]float32, topics), make([][]float32, topics*rank)
	for i := range centres {
		centres[i] = Around(r, nil, dims, 1)
	}
	for i := range spans {
		spans[i] = Around(r, nil, dims, 1)
	}
	out := make([][]float32, n)
	for i := range out {
		t := r.IntN(topics)
		v := Around(r, centres[t], dims, .35)
		for j := range rank {
			w := float32(r.NormFloat64() / math.Sqrt(rank))
			for d, x := range spans[t*rank+j] {
				v[d] += w * x
			}
		}
		out[i] = Normalise(v)
	}
	return out
}

// Normalise scales v in place to unit length and returns it.
func Normalise(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// Around returns a random unit vector around a centre (nil: around zero).
func Around(r *rand.Rand, centre []float32, dims int, spread float64) []float32 {
	v := make([]float32, dims)
	var sum float64
	for i := range v {
		x := r.NormFloat64() * spread / math.Sqrt(float64(dims))
		if centre != nil {
			x += float64(centre[i])
		}
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// Unit returns a unit vector of n dimensions, determined by the seed.
func Unit(seed uint64, n int) []float32 {
	v := make([]float32, n)
	var sum float64
	for i := range v {
		seed = seed*6364136223846793005 + 1442695040888963407
		x := float64(int64(seed)>>11) / (1 << 52)
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// VectorBytes returns the bytes of a vector as in a vector file.
func VectorBytes(v []float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
