package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Points go to the group that their nouns are nearest to: those in no group, and those in a group of one form of sentence, which ends. A
// point that has one noun of a matter, and others of other matters, stays where it is.
func TestPointsMoveByTheirNouns(t *testing.T) {
	matters := [][]string{{"mare", "saddle", "hay", "stable"}, {"kiln", "glaze", "pot", "clay"}}
	var in SettleInput
	var groups [3][]int32
	put := func(group int, nouns ...string) int32 {
		r := len(in.IDs)
		in.IDs, in.Nouns = append(in.IDs, name(r)), append(in.Nouns, nouns)
		in.Vectors = append(in.Vectors, direction(rand.New(rand.NewPCG(1, uint64(r))), 16))
		if group >= 0 {
			groups[group] = append(groups[group], int32(r))
		}
		return int32(r)
	}
	for i := range 12 {
		for k, m := range matters {
			put(k, m[i%4], m[(i+1)%4], m[(i+2)%4])
		}
	}
	var form []int32
	for i := range 6 {
		m := matters[i%2]
		form = append(form, put(2, "letter", m[i%4], m[(i+1)%4]))
	}
	free, stray := put(-1, "mare", "hay"), put(-1, "mare", "kiln", "tide", "moon", "letter")
	for i := range 40 { // others of the same form, which is more frequent than a matter
		put(-1, "letter", fmt.Sprint("thing", i/2))
	}
	in.Near = exactNeighbours(in.Vectors, 8)
	s := newSettling(in)
	w := s.within(newSpace(in.IDs, in.Vectors, s.places).withNouns(s.newBag()))
	w.take([][]int32{groups[0], groups[1], groups[2]})
	for range passes {
		if w.moveByNouns() == 0 {
			break
		}
	}
	for i, r := range form {
		if w.of[r] != int32(i%2) {
			t.Errorf("member %d of the form is in group %d", i, w.of[r])
		}
	}
	if w.of[free] != 0 || w.of[stray] != -1 || len(w.members[2]) != 0 {
		t.Errorf("the free point is in %d, the stray in %d, the form has %d", w.of[free], w.of[stray], len(w.members[2]))
	}
	for k := range matters {
		for _, r := range groups[k] {
			if w.of[r] != int32(k) {
				t.Errorf("a member of %d is in %d", k, w.of[r])
			}
		}
	}
}

// A member that is nearest to a group which ends in the same pass stays in its own.
func TestNoPointMovesToAGroupThatEnds(t *testing.T) {
	matters := [][]string{{"mare", "saddle", "hay", "stable"}, {"kiln", "glaze", "pot", "clay"}}
	var in SettleInput
	var groups [3][]int32
	put := func(group int, nouns ...string) int32 {
		r := len(in.IDs)
		in.IDs, in.Nouns = append(in.IDs, name(r)), append(in.Nouns, nouns)
		in.Vectors = append(in.Vectors, direction(rand.New(rand.NewPCG(1, uint64(r))), 16))
		if group >= 0 {
			groups[group] = append(groups[group], int32(r))
		}
		return int32(r)
	}
	for i := range 12 {
		for k, m := range matters {
			put(k, m[i%4], m[(i+1)%4], m[(i+2)%4])
		}
	}
	for i := range 6 {
		m := matters[i%2]
		put(2, "letter", m[i%4], m[(i+1)%4])
	}
	for i := range 2 {
		put(2, "seal", matters[i][0], matters[i][1], matters[i][2])
	}
	member := put(0, "seal", "wax")
	for i := range 40 { // others of the same form
		put(-1, "letter", fmt.Sprint("thing", i/2))
	}
	in.Near = exactNeighbours(in.Vectors, 8)
	s := newSettling(in)
	w := s.within(newSpace(in.IDs, in.Vectors, s.places).withNouns(s.newBag()))
	w.take(groups[:])
	w.moveByNouns()
	if len(w.members[2]) != 0 || w.of[member] != 0 {
		t.Errorf("the form has %d, the member is in %d", len(w.members[2]), w.of[member])
	}
}
