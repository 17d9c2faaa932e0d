package main

import (
	"math"
	"math/rand/v2"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// Settings of the descent of the weights of the wording.
const (
	wordEpochs  = 12
	wordRate    = 0.06
	wordPenalty = 2e-4
	wordDrop    = 0.3 // share of the features that a step does not see
)

// fitWording fits the weights of the wording by AdaGrad on logistic loss.
func fitWording(data []*answered, seed uint64) *wording.Model {
	rng := rand.New(rand.NewPCG(seed, 55))
	w, square, sum := make([]float32, wording.Buckets), make([]float32, wording.Buckets), make([]float32, wording.Buckets)
	var kept reader.Features
	for epoch := range wordEpochs {
		for _, i := range rng.Perm(len(data)) {
			d := data[i]
			kept = kept[:0]
			z := float32(0)
			for _, f := range d.words {
				if rng.Float64() >= wordDrop {
					kept = append(kept, f)
					z += w[f]
				}
			}
			z /= 1 - wordDrop
			y := float32(0)
			if d.revises {
				y = 1
			}
			g := (float32(1/(1+math.Exp(-float64(z)))) - y) * float32(d.weight)
			for _, f := range kept {
				x := g + wordPenalty*w[f]*10
				square[f] += x * x
				w[f] -= wordRate * x / (1e-2 + float32(math.Sqrt(float64(square[f]))))
			}
		}
		if epoch >= wordEpochs/2 {
			for f := range w {
				sum[f] += w[f]
			}
		}
	}
	for f := range sum {
		sum[f] /= wordEpochs - wordEpochs/2
	}
	m := &wording.Model{}
	m.Scale, m.Weights = quantise(sum)
	return m
}
