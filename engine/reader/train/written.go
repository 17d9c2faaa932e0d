package main

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/boosted"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/reader/worlds"
)

const (
	rounds        = 2     // of choosing the clauses of updates and fitting the trees
	parts         = 5     // of the cross-validation
	writtenWeight = 2     // weight of a pair of written.txt, varied.txt and minimal.txt, which differ by little from each other; one of a domain has 1
	chanceWeight  = 0.75  // weight of a pair of statements of different pairs; they were chosen for their certainty, so they calibrate nothing
	wrongShare    = 0.009 // share of the pairs that are no updates with a certainty of Revises and more
	missedShare   = 0.05  // share of the updates with a certainty below Rivals
)

// answered is a written pair with the answers of its clauses and the features of its words, or a
// pair that was made of written ones.
type answered struct {
	revises bool
	weight  float64
	part    int // of the cross-validation: pairs with one earlier statement are in one part
	words   reader.Features
	found   []reader.Answered
}

func answer(m *linear.Model, w worlds.Written) answered {
	earlier := reader.Prepare(reader.Statement{Text: w.Earlier, Speaker: "ana"})
	later := reader.Prepare(reader.Statement{Text: w.Later, Speaker: "ana"})
	return answered{revises: w.Revises(), weight: 1, words: reader.WordingOf(earlier, later), found: reader.EvidenceOf(m, earlier, later)}
}

// setWording adds to the answers of a pair what the weights of the words say.
func (a *answered) setWording(m *wording.Model) {
	z := m.Logit(a.words)
	for i := range a.found {
		a.found[i].SetWording(z)
	}
}

// score is the highest logits of the clauses of a pair, none without any clauses: of all, and of
// those whose certainty may reach reader.Revises.
type score struct{ all, revisable float64 }

const none = -10

func (a *answered) score(f *boosted.Forest) score {
	s := score{none, none}
	for i := range a.found {
		z := f.Logit(a.found[i].Bytes())
		s.all = max(s.all, z)
		if a.found[i].Revisable {
			s.revisable = max(s.revisable, z)
		}
	}
	return s
}

// questions returns the pairs of clauses to learn from: all of a pair that is no update, and of an
// update the one that revises most surely, in the first round the one with most in common.
func questions(pairs []*answered, f *boosted.Forest) (out []question) {
	for _, a := range pairs {
		best, top := -1, math.Inf(-1)
		for j := range a.found {
			if !a.revises {
				out = append(out, question{a.found[j].Evidence, false, a.weight})
				continue
			}
			z := a.found[j].Weight
			if f != nil {
				z = f.Logit(a.found[j].Bytes())
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

// grow fits the weights of the words and the trees to pairs. The trees see what weights say that
// were fitted to other pairs, as they will of a pair that is not written here.
func grow(pairs []*answered, seed uint64) (*boosted.Forest, *wording.Model) {
	without := func(part int) (out []*answered) {
		for _, a := range pairs {
			if a.part != part {
				out = append(out, a)
			}
		}
		return out
	}
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			m := fitWording(without(part), seed)
			for _, a := range pairs {
				if a.part == part {
					a.setWording(m)
				}
			}
		})
	}
	wait.Wait()
	var f *boosted.Forest
	for range rounds {
		f = boost(questions(pairs, f), seed)
	}
	return f, fitWording(pairs, seed)
}

// TrainTrees fits the trees and the weights of the words to the written pairs, with the certainty
// set by cross-validation: at Revises the share of wrong revisions is wrongShare, at Rivals the share
// of missed updates is missedShare.
func TrainTrees(seed uint64, m *linear.Model, log func(string)) (*boosted.Forest, *wording.Model) {
	pairs := writtenPairs(seed, m)
	scores := crossValidate(pairs, seed)
	f, words := grow(pointers(pairs), seed)
	f.Seed = seed
	f.Scale, f.Shift = scale(pairs, scores)
	log(fmt.Sprintf("%d pairs, certainty σ(%.3f·logit %+.3f)", len(pairs), f.Scale, f.Shift))
	for _, line := range reliability(pairs, scores, f) {
		log(line)
	}
	return f, words
}

func pointers(pairs []answered) []*answered {
	out := make([]*answered, len(pairs))
	for i := range pairs {
		out[i] = &pairs[i]
	}
	return out
}

// writtenPairs returns the written pairs and those made of them.
func writtenPairs(seed uint64, m *linear.Model) (out []answered) {
	all := worlds.WrittenPairs()
	first := len(all)
	all = append(all, worlds.DomainPairs()...)
	written := len(all)
	all = append(all, worlds.ChancePairs()...)
	groups := map[string]int{}
	var members [][]int // of a group
	part := make([]int, len(all))
	var ofPart [parts][]int
	for i, w := range all {
		g, known := groups[w.Earlier]
		if !known {
			g = len(groups)
			groups[w.Earlier] = g
			members = append(members, nil)
		}
		if part[i] = g % parts; i < written {
			members[g] = append(members[g], i)
			ofPart[part[i]] = append(ofPart[part[i]], i)
		}
	}
	k := newMaker(seed, all[:written])
	add := func(label byte, earlier, later string, weight float64, part int) {
		a := answer(m, worlds.Written{Label: label, Earlier: earlier, Later: later})
		a.weight, a.part = weight, part
		out = append(out, a)
	}
	for i, w := range all {
		if i >= written {
			add(w.Label, w.Earlier, w.Later, chanceWeight, part[i])
			continue
		}
		weight := 1.0
		if i < first {
			weight = writtenWeight
		}
		add(w.Label, w.Earlier, w.Later, weight, part[i])
		no := func(earlier, later string) { add('-', earlier, k.announced(later), madeWeight, part[i]) }
		if !w.Revises() {
			no(w.Later, w.Earlier)
		} else if later, ok := k.otherThing(w); ok {
			no(w.Earlier, later)
		}
		others := ofPart[part[i]]
		j := others[k.rng.IntN(len(others))]
		if all[j].Earlier == w.Earlier {
			continue
		}
		if later, ok := k.aboutSame(w.Earlier, all[j].Later); ok {
			no(w.Earlier, later)
		} else {
			no(w.Earlier, all[j].Later)
		}
		if other, ok := k.otherPerson(w); ok {
			no(w.Earlier, other)
		}
	}
	for g, list := range members {
		for _, i := range list {
			j := list[k.rng.IntN(len(list))]
			switch before, after := all[j], all[i]; {
			case i == j || before.Label == '+' && after.Label != '=' || before.Label == 'x' || after.Label == 'x' || before.Label == '!' && after.Label == '!':
			case before.Label == '=': // the earlier statement in other words
				add(after.Label, before.Later, after.Later, madeWeight, g%parts)
			case after.Label != '=':
				add('-', before.Later, k.announced(after.Later), madeWeight, g%parts)
			}
		}
	}
	return out
}

// crossValidate returns the score of each pair by trees and weights that have seen no pair of its
// part.
func crossValidate(pairs []answered, seed uint64) []score {
	scores := make([]score, len(pairs))
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			seen := make([]answered, 0, len(pairs)) // a copy: the answers of the words differ by part
			for i := range pairs {
				if a := pairs[i]; a.part != part {
					a.found = slices.Clone(a.found)
					seen = append(seen, a)
				}
			}
			f, words := grow(pointers(seen), seed)
			for i := range pairs {
				if a := pairs[i]; a.part == part {
					a.found = slices.Clone(a.found)
					a.setWording(words)
					scores[i] = a.score(f)
				}
			}
		})
	}
	wait.Wait()
	return scores
}

// scale returns the line from logits to the logits of the certainty.
func scale(pairs []answered, scores []score) (slope, shift float64) {
	var updates, others []float64
	for i := range pairs {
		switch {
		case pairs[i].weight < 1:
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

// reliability returns, for each tenth of the certainty, the number of written pairs, the mean
// certainty, the share of updates, and the number of pairs made of them.
func reliability(pairs []answered, scores []score, f *boosted.Forest) []string {
	var n, hits, made [10]int
	var mean [10]float64
	for i := range pairs {
		certainty := func(z float64) float64 { return 1 / (1 + math.Exp(-f.Scale*z-f.Shift)) }
		c := max(certainty(scores[i].revisable), min(reader.Doubtful, certainty(scores[i].all)))
		b := min(9, int(10*c))
		if pairs[i].weight < 1 {
			made[b]++
			continue
		}
		n[b]++
		mean[b] += c
		if pairs[i].revises {
			hits[b]++
		}
	}
	lines := []string{"certainty  pairs  mean  updates  made pairs"}
	for b := range n {
		if n[b] > 0 {
			lines = append(lines, fmt.Sprintf("%.1f–%.1f %9d  %.3f  %.3f %9d", float64(b)/10, float64(b+1)/10, n[b], mean[b]/float64(n[b]), float64(hits[b])/float64(n[b]), made[b]))
		}
	}
	return lines
}
