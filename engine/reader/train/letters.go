package main

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/toponym"
)

var (
	//go:embed names/towns.txt
	townNames string
	//go:embed names/others.txt
	otherNames string
)

// named is a name and whether it is that of a town.
type named struct {
	name string
	town bool
}

// names returns the names of both files, each once, and without those that both have.
func names() []named {
	kinds := map[string][2]bool{}
	for kind, list := range []string{townNames, otherNames} {
		for line := range strings.Lines(list) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			for name := range strings.FieldsSeq(line) {
				k := kinds[name]
				k[kind] = true
				kinds[name] = k
			}
		}
	}
	var out []named
	for name, k := range kinds {
		if k[0] != k[1] {
			out = append(out, named{name, k[0]})
		}
	}
	slices.SortFunc(out, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return out
}

// Parameters of the descent: passes over the names, step, and how much a weight shrinks in a pass.
const (
	letterPasses = 30
	letterStep   = 0.05
	letterShrink = 0.2
)

// TrainLetters fits the weights of the letters of names by logistic regression. Both kinds count the same in total.
func TrainLetters(seed uint64, rows []named) *toponym.Model {
	rows = slices.Clone(rows)
	rng := rand.New(rand.NewPCG(seed, 7))
	towns := 0
	for _, r := range rows {
		if r.town {
			towns++
		}
	}
	weights := make([]float64, toponym.Buckets+1)
	for range letterPasses {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			buckets := append(toponym.Features(r.name), toponym.Buckets)
			z, y, of := 0.0, 0.0, len(rows)-towns
			if r.town {
				y, of = 1, towns
			}
			for _, b := range buckets {
				z += weights[b]
			}
			g := letterStep * (y - 1/(1+math.Exp(-z))) * float64(len(rows)) / float64(2*of)
			for _, b := range buckets {
				weights[b] += g
			}
		}
		for b := range weights {
			weights[b] *= 1 - letterShrink
		}
	}
	m := new(toponym.Model)
	for b, w := range weights {
		m.Quantise(b, w)
	}
	return m
}
