package main

import (
	"math"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/toponym"
)

// The stored weights of letters are those that the names give. On other processors sums may be rounded otherwise.
func TestLettersAreThoseOfTheNames(t *testing.T) {
	rows := names()
	m := TrainLetters(1, rows)
	for _, r := range rows {
		if got, want := toponym.Town(r.name), m.Town(r.name); math.Abs(got-want) > 0.02 {
			t.Errorf("%s: %.3f, trained %.3f: run make train", r.name, got, want)
		}
	}
}

// Names that were left out of the training are told apart: few of those of products reach the bound from which a name is one of a town.
func TestLettersOfOtherNames(t *testing.T) {
	const parts = 5
	rows := names()
	var reached, all [2]int
	for part := range parts {
		var known, others []named
		for i, r := range rows {
			if i%parts == part {
				others = append(others, r)
			} else {
				known = append(known, r)
			}
		}
		m := TrainLetters(1, known)
		for _, r := range others {
			kind := 0
			if r.town {
				kind = 1
			}
			if all[kind]++; m.Town(r.name) >= toponym.TownFrom {
				reached[kind]++
			}
		}
	}
	t.Logf("products %d of %d, towns %d of %d", reached[0], all[0], reached[1], all[1])
	if 100*reached[0] > 2*all[0] || 100*reached[1] < 25*all[1] {
		t.Errorf("products %d of %d, towns %d of %d", reached[0], all[0], reached[1], all[1])
	}
}
