// Package toponym tells whether a name that no table knows is that of a town, or of a product or a company: by what texts tell of it
// (Told, TellsDwelling), and by its letters (Town). The weights of the sequences of letters were learned from names of both kinds by
// "make train"; no name is looked up.
package toponym

import (
	_ "embed"
	"hash/fnv"
	"math"
	"strings"
)

// Buckets is the number of weights of a model. A sequence of letters belongs to one of them by its hash.
const Buckets = 1 << 13

// scale is the weight of one step of a stored weight.
const scale = 1.0 / 16

// Model has a weight for each bucket; the last one is the bias.
type Model [Buckets + 1]int8

//go:embed letters.bin
var stored []byte

var model = Read(stored)

// Read decodes the weights that Bytes encoded. Weights that are missing are 0.
func Read(data []byte) *Model {
	m := new(Model)
	for i := range min(len(data), len(m)) {
		m[i] = int8(data[i])
	}
	return m
}

// Bytes encodes the weights.
func (m *Model) Bytes() []byte {
	out := make([]byte, len(m))
	for i, w := range m {
		out[i] = byte(w)
	}
	return out
}

// TownFrom is the probability by its letters from which a name is taken for that of a town. Of names that were left out of the training,
// 31 % of those of towns and .8 % of the others reach it.
const TownFrom = 0.74

// Town returns the probability, (0,1), that a name of one word in any case is that of a town, if as many names are of towns as of
// products.
func Town(name string) float64 { return model.Town(name) }

// Town is Town by the weights of m.
func (m *Model) Town(name string) float64 {
	z := float64(m[Buckets])
	for _, b := range Features(name) {
		z += float64(m[b])
	}
	return 1 / (1 + math.Exp(-z*scale))
}

// Quantise sets a weight to the nearest step.
func (m *Model) Quantise(bucket int, w float64) {
	m[bucket] = int8(max(-127, min(127, math.Round(w/scale))))
}

const shortest, longest = 3, 5 // letters of a sequence

// Features returns the buckets of the sequences of letters of a name, with its beginning and its end as letters, without repeats.
func Features(name string) []int {
	letters := []rune("^" + strings.ToLower(name) + "$")
	seen := map[int]bool{}
	var out []int
	for n := shortest; n <= longest; n++ {
		for i := 0; i+n <= len(letters); i++ {
			h := fnv.New32a()
			h.Write([]byte(string(letters[i : i+n])))
			if b := int(h.Sum32() % Buckets); !seen[b] {
				seen[b] = true
				out = append(out, b)
			}
		}
	}
	return out
}
