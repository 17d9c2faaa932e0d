package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/worlds"
)

const (
	rounds      = 2     // of choosing the clauses of updates and fitting the trees
	parts       = 5     // of the cross-validation
	wrongShare  = 0.010 // share of the pairs that are no updates with a certainty of Revises and more
	missedShare = 0.05  // share of the updates with a certainty below Rivals
)

// Pairs made from the written ones: each pair that is no update the other way round, and each
// earlier statement before the later ones of others.
const (
	crossings  = 3   // later statements of others
	madeWeight = 0.5 // weight of such a pair; a written one has 1
)

// answered is a written pair with the answers of its clauses, or a pair that was made of written
// ones.
type answered struct {
	revises bool
	weight  float64
	found   []reader.Answered
}

func answer(m *reader.Model, w worlds.Written) answered {
	earlier := reader.Prepare(reader.Statement{Text: w.Earlier, Speaker: "ana"})
	later := reader.Prepare(reader.Statement{Text: w.Later, Speaker: "ana"})
	return answered{w.Revises(), 1, m.EvidenceOf(earlier, later)}
}

// score is the highest logits of the clauses of a pair, none without any clauses: of all, and of
// those whose certainty may reach reader.Revises.
type score struct{ all, revisable float64 }

const none = -10

func (a *answered) score(f *reader.Forest) score {
	s := score{none, none}
	for i := range a.found {
		z := f.Logit(&a.found[i].Evidence)
		s.all = max(s.all, z)
		if a.found[i].Revisable {
			s.revisable = max(s.revisable, z)
		}
	}
	return s
}

// questions returns the pairs of clauses to learn from: all of a pair that is no update, and of an
// update the one that revises most surely, in the first round the one with most in common.
func questions(pairs []answered, f *reader.Forest) (out []question) {
	for i := range pairs {
		a := &pairs[i]
		best, top := -1, math.Inf(-1)
		for j := range a.found {
			if !a.revises {
				out = append(out, question{a.found[j].Evidence, false, a.weight})
				continue
			}
			z := a.found[j].Weight
			if f != nil {
				z = f.Logit(&a.found[j].Evidence)
			}
			if z > top {
				best, top = j, z
			}
		}
		if best >= 0 {
			out = append(out, question{a.found[best].Evidence, true, a.weight})
		}
	}
	return out
}

// grow fits trees to pairs.
func grow(pairs []answered, seed uint64) (f *reader.Forest) {
	for range rounds {
		f = boost(questions(pairs, f), seed)
	}
	return f
}

// TrainTrees fits the trees to the written pairs, with the certainty set by cross-validation: at
// Revises the share of wrong revisions is wrongShare, at Rivals the share of missed updates is
// missedShare.
func TrainTrees(seed uint64, m *reader.Model, log func(string)) *reader.Forest {
	var pairs []answered
	for _, w := range worlds.WrittenPairs() {
		pairs = append(pairs, answer(m, w))
	}
	made := makePairs(seed, m)
	scores := crossValidate(pairs, made, seed)
	f := grow(slices.Concat(append(made, pairs)...), seed)
	f.Seed = seed
	f.Scale, f.Shift = scale(pairs, scores)
	log(fmt.Sprintf("%d written pairs, certainty σ(%.3f·logit %+.3f)", len(pairs), f.Scale, f.Shift))
	for _, line := range reliability(pairs, scores, f) {
		log(line)
	}
	return f
}

// makePairs makes pairs that are no updates from those of each part of the cross-validation.
func makePairs(seed uint64, m *reader.Model) [][]answered {
	made := make([][]answered, parts)
	all := worlds.WrittenPairs()
	rng := rand.New(rand.NewPCG(seed, 99))
	for i, w := range all {
		part := &made[i%parts]
		add := func(earlier, later string) {
			a := answer(m, worlds.Written{Earlier: earlier, Later: later})
			a.weight = madeWeight
			*part = append(*part, a)
		}
		if !w.Revises() {
			add(w.Later, w.Earlier)
		}
		for range crossings {
			if j := rng.IntN(len(all)/parts)*parts + i%parts; j != i {
				add(w.Earlier, all[j].Later)
			}
		}
	}
	return made
}

// crossValidate returns the score of each pair by trees that have seen neither it nor a pair made
// of it.
func crossValidate(pairs []answered, made [][]answered, seed uint64) []score {
	scores := make([]score, len(pairs))
	for part := range parts {
		var seen []answered
		for i := range pairs {
			if i%parts != part {
				seen = append(seen, pairs[i])
			}
		}
		for i := range made {
			if i != part {
				seen = append(seen, made[i]...)
			}
		}
		f := grow(seen, seed)
		for i := part; i < len(pairs); i += parts {
			scores[i] = pairs[i].score(f)
		}
	}
	return scores
}

// scale returns the line from logits to the logits of the certainty.
func scale(pairs []answered, scores []score) (slope, shift float64) {
	var updates, others []float64
	for i := range pairs {
		switch {
		case !pairs[i].revises:
			others = append(others, scores[i].revisable)
		case len(pairs[i].found) > 0:
			updates = append(updates, scores[i].all)
		}
	}
	slices.Sort(updates)
	slices.Sort(others)
	low := updates[int(missedShare*float64(len(updates)))]
	high := others[len(others)-1-int(wrongShare*float64(len(others)))]
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	slope = (logit(reader.Revises) - logit(reader.Rivals)) / max(0.5, high-low)
	return slope, logit(reader.Revises) - slope*max(high, low+0.5) - 1e-9
}

// reliability returns, for each tenth of the certainty, the number of pairs, the mean certainty and
// the share of updates.
func reliability(pairs []answered, scores []score, f *reader.Forest) []string {
	var n, hits [10]int
	var mean [10]float64
	for i := range pairs {
		certainty := func(z float64) float64 { return 1 / (1 + math.Exp(-f.Scale*z-f.Shift)) }
		c := max(certainty(scores[i].revisable), min(reader.Doubtful, certainty(scores[i].all)))
		b := min(9, int(10*c))
		n[b]++
		mean[b] += c
		if pairs[i].revises {
			hits[b]++
		}
	}
	lines := []string{"certainty  pairs  mean  updates"}
	for b := range n {
		if n[b] > 0 {
			lines = append(lines, fmt.Sprintf("%.1f–%.1f %9d  %.3f  %.3f", float64(b)/10, float64(b+1)/10, n[b], mean[b]/float64(n[b]), float64(hits[b])/float64(n[b])))
		}
	}
	return lines
}
