package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var twoMatters = [][]string{{"mare", "saddle", "hay", "stable"}, {"kiln", "glaze", "pot", "clay"}}

// matterWorld holds points in three groups: 0 and 1 are of a matter each, and 2 is of a form of sentence.
type matterWorld struct {
	in     SettleInput
	groups [3][]int32
}

// newMatterWorld returns a world with the points of the two matters.
func newMatterWorld() *matterWorld {
	w := &matterWorld{}
	for i := range 12 {
		for k, m := range twoMatters {
			w.put(k, m[i%4], m[(i+1)%4], m[(i+2)%4])
		}
	}
	return w
}

// put adds a point with nouns to a group, -1: to none.
func (w *matterWorld) put(group int, nouns ...string) int32 {
	r := len(w.in.IDs)
	w.in.IDs, w.in.Nouns = append(w.in.IDs, name(r)), append(w.in.Nouns, nouns)
	w.in.Vectors = append(w.in.Vectors, direction(rand.New(rand.NewPCG(1, uint64(r))), 16))
	if group >= 0 {
		w.groups[group] = append(w.groups[group], int32(r))
	}
	return int32(r)
}

// settle begins a settling with the groups.
func (w *matterWorld) settle() *settling {
	w.in.Near = exactNeighbours(w.in.Vectors, 8)
	s := newSettling(w.in)
	inside := s.within(newSpace(w.in.IDs, w.in.Vectors, s.places).withNouns(s.newBag()))
	inside.take(w.groups[:])
	return inside
}

// Points go to the group that their nouns are nearest to: those in no group, and those in a group of one form of sentence, which ends. A
// point that has one noun of a matter, and others of other matters, stays where it is.
func TestPointsMoveByTheirNouns(t *testing.T) {
	w := newMatterWorld()
	var form []int32
	for i := range 6 {
		m := twoMatters[i%2]
		form = append(form, w.put(2, "letter", m[i%4], m[(i+1)%4]))
	}
	free, stray := w.put(-1, "mare", "hay"), w.put(-1, "mare", "kiln", "tide", "moon", "letter")
	for i := range 40 { // others of the same form, which is more frequent than a matter
		w.put(-1, "letter", fmt.Sprint("thing", i/2))
	}
	in := w.settle()
	for range passes {
		if in.moveByNouns() == 0 {
			break
		}
	}
	for i, r := range form {
		if in.of[r] != int32(i%2) {
			t.Errorf("member %d of the form is in group %d", i, in.of[r])
		}
	}
	if in.of[free] != 0 || in.of[stray] != -1 || len(in.members[2]) != 0 {
		t.Errorf("the free point is in %d, the stray in %d, the form has %d", in.of[free], in.of[stray], len(in.members[2]))
	}
	for k := range twoMatters {
		for _, r := range w.groups[k] {
			if in.of[r] != int32(k) {
				t.Errorf("a member of %d is in %d", k, in.of[r])
			}
		}
	}
}

// A member that is nearest to a group which ends in the same pass stays in its own.
func TestNoPointMovesToAGroupThatEnds(t *testing.T) {
	w := newMatterWorld()
	for i := range 6 {
		m := twoMatters[i%2]
		w.put(2, "letter", m[i%4], m[(i+1)%4])
	}
	for i := range 2 {
		w.put(2, "seal", twoMatters[i][0], twoMatters[i][1], twoMatters[i][2])
	}
	member := w.put(0, "seal", "wax")
	for i := range 40 { // others of the same form
		w.put(-1, "letter", fmt.Sprint("thing", i/2))
	}
	in := w.settle()
	in.moveByNouns()
	if len(in.members[2]) != 0 || in.of[member] != 0 {
		t.Errorf("the form has %d, the member is in %d", len(in.members[2]), in.of[member])
	}
}
