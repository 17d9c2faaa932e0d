package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// modelWorld holds points on eight matters of six words each, in two forms of sentence with two nouns each. Each has three words of its
// matter. The points of matter k are 24·k and the following ones, those of the first form first.
type modelWorld struct {
	in    SettleInput
	names [8][]string
}

func newModelWorld() *modelWorld {
	w := &modelWorld{}
	r := rand.New(rand.NewPCG(8, 8))
	for k := range w.names {
		for i := range 6 {
			w.names[k] = append(w.names[k], fmt.Sprintf("word%d%c", k, 'a'+i))
		}
	}
	for k := range w.names {
		for i := range 24 {
			w.put(i/12, pick(r, w.names[k], 3)...)
		}
	}
	return w
}

func pick(r *rand.Rand, from []string, n int) (out []string) {
	for _, i := range r.Perm(len(from))[:n] {
		out = append(out, from[i])
	}
	return out
}

// put adds a point in a form.
func (w *modelWorld) put(form int, nouns ...string) int32 {
	p := len(w.in.IDs)
	nouns = append(slices.Clone(nouns), fmt.Sprintf("form%dx", form), fmt.Sprintf("form%dy", form))
	w.in.IDs, w.in.Nouns = append(w.in.IDs, name(p)), append(w.in.Nouns, nouns)
	w.in.Vectors = append(w.in.Vectors, direction(rand.New(rand.NewPCG(1, uint64(p))), 16))
	return int32(p)
}

// strays adds points with one word of each of three matters.
func (w *modelWorld) strays(n int) (out []int32) {
	r := rand.New(rand.NewPCG(9, 9))
	for i := range n {
		var nouns []string
		for _, k := range r.Perm(len(w.names))[:3] {
			nouns = append(nouns, w.names[k][r.IntN(6)])
		}
		out = append(out, w.put(i%2, nouns...))
	}
	return out
}

// matter are the points of a matter, from one place to another.
func matter(k, from, to int) (out []int32) {
	for i := from; i < to; i++ {
		out = append(out, int32(24*k+i))
	}
	return out
}

// reassigned makes the groups anew.
func (w *modelWorld) reassigned(groups ...[]int32) *settling {
	w.in.Near = none{}
	s := newSettling(w.in)
	s.take(groups)
	if m := s.newWordModel(); m != nil {
		m.improve()
	}
	return s
}

// mustBeMatters fails unless each matter is a group.
func mustBeMatters(t *testing.T, s *settling) {
	t.Helper()
	var got [][]int32
	for _, members := range s.members {
		if len(members) > 0 {
			got = append(got, slices.Sorted(slices.Values(members)))
		}
	}
	slices.SortFunc(got, slices.Compare)
	if len(got) != 8 {
		t.Fatalf("%d groups: %v", len(got), got)
	}
	for k, members := range got {
		if !slices.Equal(members, matter(k, 0, 24)) {
			t.Errorf("group %d: %v", k, members)
		}
	}
}

func TestPartsOfAMatterMerge(t *testing.T) {
	w := newModelWorld()
	groups := [][]int32{matter(0, 0, 12), matter(0, 12, 24)}
	for k := 1; k < 8; k++ {
		groups = append(groups, matter(k, 0, 24))
	}
	mustBeMatters(t, w.reassigned(groups...))
}

func TestAGroupOfTwoMattersDivides(t *testing.T) {
	w := newModelWorld()
	groups := [][]int32{append(matter(0, 0, 24), matter(1, 0, 24)...)}
	for k := 2; k < 8; k++ {
		groups = append(groups, matter(k, 0, 24))
	}
	mustBeMatters(t, w.reassigned(groups...))
}

func TestAMatterInNoGroupBegins(t *testing.T) {
	w := newModelWorld()
	var groups [][]int32
	for k := range 7 {
		groups = append(groups, matter(k, 0, 24))
	}
	mustBeMatters(t, w.reassigned(groups...))
}

// Members of a wrong group, and points in none, go to their matter.
func TestPointsMoveToTheirMatter(t *testing.T) {
	w := newModelWorld()
	groups := [][]int32{append(matter(0, 0, 20), 24*1+3, 24*2+4), matter(1, 4, 24), matter(2, 5, 22)}
	for k := 3; k < 8; k++ {
		groups = append(groups, matter(k, 0, 24))
	}
	mustBeMatters(t, w.reassigned(groups...))
}

// Points with one word of each of three matters leave their groups.
func TestStraysAreInNoGroup(t *testing.T) {
	w := newModelWorld()
	strays := w.strays(24)
	var groups [][]int32
	for k := range 8 {
		groups = append(groups, append(matter(k, 0, 24), strays[k]))
	}
	s := w.reassigned(groups...)
	mustBeMatters(t, s)
	for _, r := range strays {
		if s.of[r] >= 0 {
			t.Errorf("stray %d with %v is in a group", r, w.in.Nouns[r])
		}
	}
}

// The precision of a word of a form is higher than that of a word of a matter, so a group with all points of one form is less probable.
func TestPrecisionTellsFormsFromMatters(t *testing.T) {
	w := newModelWorld()
	w.in.Near = none{}
	s := newSettling(w.in)
	var groups [][]int32
	for k := range 8 {
		groups = append(groups, matter(k, 0, 24))
	}
	s.take(groups)
	m := s.newWordModel()
	m.estimate()
	for word, points := range m.having {
		form := len(points) == 96
		if p := precisions[m.class[word]]; form != (p > 16) {
			t.Errorf("a word of %d points has precision %v", len(points), p)
		}
	}
	whole := m.evidence(&m.groups[0])
	a, b := m.groupOf(matter(0, 0, 12)), m.groupOf(matter(0, 12, 24))
	if parts := m.evidence(&a) + m.evidence(&b); !(parts < whole) || math.IsInf(whole, 0) {
		t.Errorf("two forms have evidence %v, their matter %v", parts, whole)
	}
}

// Without nouns, or with names only, groups stay as they are.
func TestNoWordsNoMoves(t *testing.T) {
	for _, known := range []bool{true, false} {
		w := newModelWorld()
		w.in.Proper = map[string]bool{}
		for _, list := range w.in.Nouns {
			for _, n := range list {
				w.in.Proper[n] = true
			}
		}
		if !known {
			w.in.Nouns = nil
		}
		if s := w.reassigned(matter(0, 0, 12), matter(0, 12, 24)); len(s.members) != 2 || len(s.members[0]) != 12 || len(s.members[1]) != 12 {
			t.Errorf("nouns known %v: %v", known, s.members)
		}
	}
}
