package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/worlds"
)

// sample is the features of a pair with the label of each head.
type sample struct {
	features reader.Features
	labels   [linear.Heads]bool
	vetoed   bool
	family   string
}

// Settings of the descent: AdaGrad (Duchi, Hazan and Singer, 2011) on logistic loss with an L2
// penalty.
const (
	epochs   = 6
	rate     = 0.08
	penalty  = 2e-6
	folds    = 4   // one family in folds is held out for the calibration
	dropAll  = 0.3 // share of the steps that see no words
	dropSome = 0.2 // share of the words that the other steps do not see
)

// Train makes n pairs and fits a model. The certainty is calibrated on families that its own
// training does not see; the weights that are returned have seen all families.
func Train(seed uint64, n int, log func(string)) *linear.Model {
	held := heldOut()
	all := samples(seed, n, func(string) bool { return true })
	part := all[:0:0]
	var rest []sample
	for _, s := range all {
		if held[s.family] {
			rest = append(rest, s)
		} else {
			part = append(part, s)
		}
	}
	trial := &linear.Model{Seed: seed}
	fit(trial, part, seed)
	platt := calibrate(trial, rest)
	trial.Platt = platt
	log(fmt.Sprintf("%d pairs, %d of held-out families, calibration %.3f, loss %.4f", len(all), len(rest), platt, loss(trial, rest)))
	for _, line := range report(trial, rest) {
		log(line)
	}
	m := &linear.Model{Seed: seed, Platt: platt}
	fit(m, all, seed)
	return m
}

// heldOut returns every fourth family.
func heldOut() map[string]bool {
	held := map[string]bool{}
	for i, f := range worlds.Families() {
		held[f] = i%folds == folds-1
	}
	return held
}

// samples makes pairs in two goroutines, each with its own source of randomness.
func samples(seed uint64, n int, keep func(string) bool) []sample {
	var halves [2][]sample
	var wg sync.WaitGroup
	for i := range halves {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for _, p := range worlds.Generate(rng, n/2, keep) {
				f, veto, ok := reader.FeaturesOf(reader.Prepare(reader.Statement{Text: p.Earlier}), reader.Prepare(reader.Statement{Text: p.Later}))
				if ok {
					halves[i] = append(halves[i], sample{f, [linear.Heads]bool{p.Fact, p.Slot, p.Other, p.Revises()}, veto != "", p.Family})
				}
			}
		})
	}
	wg.Wait()
	return append(halves[0], halves[1]...)
}

// fit fits the weights of all heads, two at a time, and quantises them.
func fit(m *linear.Model, data []sample, seed uint64) {
	var wg sync.WaitGroup
	for worker := range 2 {
		wg.Go(func() {
			for h := worker; h < linear.Heads; h += 2 {
				w := descend(data, h, rand.New(rand.NewPCG(seed, uint64(100+h))))
				m.Scale[h], m.Weights[h] = quantise(w)
			}
		})
	}
	wg.Wait()
}

// descend fits the weights of a head. Pairs with a veto count for the first head only: the
// others never decide them.
func descend(data []sample, head int, rng *rand.Rand) []float32 {
	w := make([]float32, linear.Buckets)
	square := make([]float32, linear.Buckets)
	sum := make([]float32, linear.Buckets)
	var kept reader.Features
	steps := 0
	for epoch := range epochs {
		for _, i := range rng.Perm(len(data)) {
			s := &data[i]
			if s.vetoed && head != linear.HeadFact {
				continue
			}
			kept = drop(kept[:0], s.features, rng)
			z := float32(0)
			for _, f := range kept {
				z += w[f]
			}
			y := float32(0)
			if s.labels[head] {
				y = 1
			}
			g := float32(1/(1+math.Exp(-float64(z)))) - y
			for _, f := range kept {
				d := g + penalty*w[f]*float32(len(data))/100
				square[f] += d * d
				w[f] -= rate * d / (1e-3 + float32(math.Sqrt(float64(square[f]))))
			}
		}
		if epoch >= epochs/2 {
			for f := range w {
				sum[f] += w[f]
			}
			steps++
		}
	}
	for f := range sum {
		sum[f] /= float32(steps)
	}
	return sum
}

// drop leaves out features of words: all of some pairs, and some of the others.
func drop(kept, features reader.Features, rng *rand.Rand) reader.Features {
	all := rng.Float64() < dropAll
	for _, f := range features {
		if f < linear.Buckets/2 || !all && rng.Float64() >= dropSome {
			kept = append(kept, f)
		}
	}
	return kept
}

// quantise rounds weights to 8 bits.
func quantise(w []float32) (scale float32, q [linear.Buckets]int8) {
	top := float32(0)
	for _, x := range w {
		top = max(top, float32(math.Abs(float64(x))))
	}
	if top == 0 {
		return 0, q
	}
	scale = top / 127
	for i, x := range w {
		q[i] = int8(math.Round(float64(x / scale)))
	}
	return scale, q
}

// calibrate fits the three parameters of Model.Platt by gradient descent on the pairs without a
// veto.
func calibrate(m *linear.Model, data []sample) [3]float64 {
	type point struct {
		joint, direct, y float64
	}
	var points []point
	for i := range data {
		if data[i].vetoed {
			continue
		}
		z := m.Logits(data[i].features)
		p := point{linear.Joint(z), z[linear.HeadRevise], 0}
		if data[i].labels[linear.HeadRevise] {
			p.y = 1
		}
		points = append(points, p)
	}
	a := [3]float64{0.5, 0.5, 0}
	for range 600 {
		var g [3]float64
		for _, p := range points {
			d := 1/(1+math.Exp(-(a[0]*p.joint+a[1]*p.direct+a[2]))) - p.y
			g[0] += d * p.joint
			g[1] += d * p.direct
			g[2] += d
		}
		for i := range a {
			a[i] -= 0.05 * g[i] / float64(max(1, len(points)))
		}
	}
	return a
}

// report returns the reliability table of a model: for each tenth of the certainty the number
// of pairs, the mean certainty and the share of revisions.
func report(m *linear.Model, data []sample) []string {
	var n, hits [10]int
	var mean [10]float64
	for i := range data {
		if data[i].vetoed {
			continue
		}
		c := m.Certainty(m.Logits(data[i].features))
		b := min(9, int(10*c))
		n[b]++
		mean[b] += c
		if data[i].labels[linear.HeadRevise] {
			hits[b]++
		}
	}
	lines := []string{"certainty  pairs  mean  revisions"}
	for b := range n {
		if n[b] > 0 {
			lines = append(lines, fmt.Sprintf("%.1f–%.1f %9d  %.3f  %.3f", float64(b)/10, float64(b+1)/10, n[b], mean[b]/float64(n[b]), float64(hits[b])/float64(n[b])))
		}
	}
	return lines
}

// loss returns the mean logistic loss of the certainty on the pairs without a veto.
func loss(m *linear.Model, data []sample) float64 {
	sum, n := 0.0, 0
	for i := range data {
		if data[i].vetoed {
			continue
		}
		c := m.Certainty(m.Logits(data[i].features))
		if data[i].labels[linear.HeadRevise] {
			sum -= math.Log(max(c, 1e-3))
		} else {
			sum -= math.Log(max(1-c, 1e-3))
		}
		n++
	}
	return sum / float64(n)
}
