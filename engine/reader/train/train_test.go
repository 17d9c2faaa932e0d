package main

import (
	"bytes"
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
)

func TestTrainIsDeterministic(t *testing.T) {
	quiet := func(string) {}
	a, b := Train(5, 3000, quiet).AppendTo(nil), Train(5, 3000, quiet).AppendTo(nil)
	if !bytes.Equal(a, b) {
		t.Error("the same seed gives other weights")
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
	m := &reader.Model{}
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
		if s.labels[reader.HeadRevise] {
			hits[b]++
		}
	}
	for b := range n {
		if d := hits[b]/n[b] - mean[b]/n[b]; n[b] > 100 && (d > 0.12 || d < -0.12) {
			t.Errorf("certainty %.2f: share of revisions %.2f of %.0f", mean[b]/n[b], hits[b]/n[b], n[b])
		}
	}
}
