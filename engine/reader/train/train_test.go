package main

import (
	"bytes"
	"math"
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/linear"
)

func TestTrainIsDeterministic(t *testing.T) {
	quiet := func(string) {}
	a, b := Train(5, 3000, quiet).AppendTo(nil), Train(5, 3000, quiet).AppendTo(nil)
	if !bytes.Equal(a, b) {
		t.Error("the same seed gives other weights")
	}
}

// The weights of the words tell words of updates from others, the same ones for the same seed.
func TestWordingIsDeterministic(t *testing.T) {
	var data []*answered
	for i := range 300 {
		data = append(data, &answered{revises: i%3 == 0, weight: 1, words: reader.Features{uint16(i % 3), 100, uint16(200 + i%50)}})
	}
	m := fitWording(data, 5)
	if !bytes.Equal(m.AppendTo(nil), fitWording(data, 5).AppendTo(nil)) {
		t.Error("the same seed gives other weights")
	}
	for i, a := range data {
		if z := m.Logit(a.words); z > 0 != a.revises {
			t.Fatalf("row %d: logit %.2f", i, z)
		}
	}
}

func TestTreesAreDeterministic(t *testing.T) {
	var data []question
	for i := range 200 {
		q := question{revises: i%3 == 0, weight: 1}
		q.answers[5], q.answers[9] = uint8(i%7), uint8(i%3*10)
		data = append(data, q)
	}
	f := boost(data, 5)
	if !bytes.Equal(f.AppendTo(nil), boost(data, 5).AppendTo(nil)) {
		t.Error("the same seed gives other trees")
	}
	for i := range data {
		if z := f.Logit(data[i].answers.Bytes()); z > 0 != data[i].revises {
			t.Fatalf("row %d: logit %.2f", i, z)
		}
	}
}

// Pairs that were made do not count. At Revises the share of wrong revisions is wrongShare, at Rivals the share of missed updates
// missedShare.
func TestScale(t *testing.T) {
	var pairs []answered
	var scores []score
	for i := range 1000 {
		z := float64(i) / 100
		pairs = append(pairs, answered{revises: true, weight: 1, found: make([]reader.Answered, 1)}, answered{weight: 1}, answered{weight: madeWeight})
		scores = append(scores, score{z, z}, score{z - 5, z - 5}, score{z + 9, z + 9})
	}
	slope, shift := scale(pairs, scores)
	others := 1000 - int(1000*wrongShare) - 1
	for z, want := range map[float64]float64{0.5: reader.Rivals, float64(others)/100 - 5: reader.Revises} {
		if c := 1 / (1 + math.Exp(-slope*z-shift)); math.Abs(c-want) > 0.01 {
			t.Errorf("certainty at %.2f: %.3f, want %.2f", z, c, want)
		}
	}
}

// On families that the training has not seen, the certainty of each tenth with enough pairs is
// near the share of revisions.
func TestCertaintyIsCalibrated(t *testing.T) {
	held := heldOut()
	data := samples(9, 30000, func(string) bool { return true })
	var seen, unseen []sample
	for _, s := range data {
		if held[s.family] {
			unseen = append(unseen, s)
		} else {
			seen = append(seen, s)
		}
	}
	m := &linear.Model{}
	fit(m, seen, 9)
	m.Platt = calibrate(m, unseen)
	var n, hits [10]float64
	var mean [10]float64
	for _, s := range unseen {
		if s.vetoed {
			continue
		}
		c := m.Certainty(m.Logits(s.features))
		b := min(9, int(10*c))
		n[b]++
		mean[b] += c
		if s.labels[linear.HeadRevise] {
			hits[b]++
		}
	}
	for b := range n {
		if d := hits[b]/n[b] - mean[b]/n[b]; n[b] > 100 && (d > 0.12 || d < -0.12) {
			t.Errorf("certainty %.2f: share of revisions %.2f of %.0f", mean[b]/n[b], hits[b]/n[b], n[b])
		}
	}
}
