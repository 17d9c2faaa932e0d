package main

import (
	"math"
	"math/rand/v2"

	"github.com/somnograph/somnograph/engine/reader/boosted"
)

// question is a pair of clauses for the trees.
type question struct {
	answers boosted.Evidence
	revises bool
	weight  float64
}

// Settings of the boosting (Friedman, "Stochastic gradient boosting", 2002; leaves and gains
// with an L2 penalty as in Chen and Guestrin, "XGBoost", 2016).
const (
	trees      = 1200
	depth      = 5
	shrinkage  = 0.04
	leafWeight = 8.0 // least sum of the second derivatives of a leaf, times 4
	leafPulls  = 4.0 // L2 penalty of a leaf
	rowShare   = 0.6
	askShare   = 0.25 // share of the questions that a tree may ask
)

// boost fits trees to questions by logistic loss.
func boost(data []question, seed uint64) *boosted.Forest {
	rng := rand.New(rand.NewPCG(seed, 77))
	pos, all := 0.0, 0.0
	for i := range data {
		all += data[i].weight
		if data[i].revises {
			pos += data[i].weight
		}
	}
	f := &boosted.Forest{Base: float32(math.Log((pos + 1) / (all - pos + 1))), Depth: depth}
	logits := make([]float64, len(data))
	for i := range logits {
		logits[i] = float64(f.Base)
	}
	g, h := make([]float64, len(data)), make([]float64, len(data))
	c := columnsOf(data)
	for range trees {
		var rows []int
		for i := range data {
			p := 1 / (1 + math.Exp(-logits[i]))
			y := 0.0
			if data[i].revises {
				y = 1
			}
			g[i], h[i] = data[i].weight*(p-y), data[i].weight*max(p*(1-p), 1e-6)
			if rng.Float64() < rowShare {
				rows = append(rows, i)
			}
		}
		var ask []int
		for q := range boosted.Size {
			if rng.Float64() < askShare && c.top[q] > 0 {
				ask = append(ask, q)
			}
		}
		t := &grower{columns: c, g: g, h: h, ask: ask, features: make([]uint16, 1<<depth-1), bounds: make([]uint8, 1<<depth-1), leaves: make([]float32, 1<<depth)}
		t.grow(0, rows)
		f.Features, f.Bounds, f.Leaves = append(f.Features, t.features...), append(f.Bounds, t.bounds...), append(f.Leaves, t.leaves...)
		for i := range data {
			logits[i] += float64(t.leafOf(&data[i].answers))
		}
	}
	return f
}

// columns is the answers question by question, and the highest answer to each.
type columns struct {
	of  [boosted.Size][]uint8
	top [boosted.Size]uint8
}

func columnsOf(data []question) *columns {
	c := &columns{}
	for q := range c.of {
		c.of[q] = make([]uint8, len(data))
		for i := range data {
			v := data[i].answers[q]
			c.of[q][i], c.top[q] = v, max(c.top[q], v)
		}
	}
	return c
}

// grower grows one tree.
type grower struct {
	*columns
	g, h     []float64
	ask      []int
	features []uint16
	bounds   []uint8
	leaves   []float32
}

func (t *grower) leafOf(x *boosted.Evidence) float32 {
	at := 0
	for at < len(t.features) {
		at = 2*at + 1
		if x[t.features[(at-1)/2]] > t.bounds[(at-1)/2] {
			at++
		}
	}
	return t.leaves[at-len(t.features)]
}

// grow splits a node. A node that no question divides well sends all rows to its first child.
func (t *grower) grow(node int, rows []int) {
	sumG, sumH := 0.0, 0.0
	for _, i := range rows {
		sumG, sumH = sumG+t.g[i], sumH+t.h[i]
	}
	if node >= len(t.features) {
		if len(rows) > 0 {
			t.leaves[node-len(t.features)] = float32(-shrinkage * sumG / (sumH + leafPulls))
		}
		return
	}
	t.bounds[node] = 255
	best := 1e-3
	var histG, histH [256]float64
	for _, q := range t.ask {
		top, column := t.top[q], t.of[q]
		clear(histG[:int(top)+1])
		clear(histH[:int(top)+1])
		for _, i := range rows {
			v := column[i]
			histG[v] += t.g[i]
			histH[v] += t.h[i]
		}
		left, leftH := 0.0, 0.0
		for v := range int(top) {
			left, leftH = left+histG[v], leftH+histH[v]
			if leftH < leafWeight/4 || sumH-leftH < leafWeight/4 {
				continue
			}
			right, rightH := sumG-left, sumH-leftH
			if gain := left*left/(leftH+leafPulls) + right*right/(rightH+leafPulls) - sumG*sumG/(sumH+leafPulls); gain > best {
				best, t.features[node], t.bounds[node] = gain, uint16(q), uint8(v)
			}
		}
	}
	var below, above []int
	for _, i := range rows {
		if t.of[t.features[node]][i] > t.bounds[node] {
			above = append(above, i)
		} else {
			below = append(below, i)
		}
	}
	t.grow(2*node+1, below)
	t.grow(2*node+2, above)
}
