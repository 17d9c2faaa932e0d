package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// nounWorld are points with random vectors, of which some have nouns.
func nounWorld(n int) SettleInput {
	in := SettleInput{NewID: func(n int) graph.ID { return graph.ID(fmt.Sprint("c", n)) }}
	for i := range n {
		r := rand.New(rand.NewPCG(9, uint64(i)))
		in.IDs, in.Vectors = append(in.IDs, name(i)), append(in.Vectors, direction(r, 64))
		var nouns []string
		if i%5 > 0 {
			nouns = []string{"committee", fmt.Sprint("noun ", i%7), fmt.Sprint("thing ", i%11)}
		}
		in.Nouns = append(in.Nouns, nouns)
	}
	in.Near = exactNeighbours(in.Vectors, 8)
	return in
}

// The cosine of two points with nouns is the mean of that of their vectors and that of their nouns, also with damped directions, and
// bodies say the same as pairs.
func TestNounsCountBesideVectors(t *testing.T) {
	s := newSettling(nounWorld(120))
	b := s.newBag()
	if b == nil || b.size != 19 {
		t.Fatalf("%+v", b)
	}
	for _, damped := range []int{0, 4} {
		plain := s.space
		if damped > 0 {
			plain = plain.flattened(damped)
		}
		both := newSpace(s.in.IDs, s.in.Vectors, s.places).withNouns(b)
		if damped > 0 {
			both = both.flattened(damped)
		}
		var one, other body
		sum, within := 0.0, 0.0
		for r := range int32(20) {
			one.add(both.at(r))
			other.add(both.at(r + 40))
			close(t, "a point with itself", both.cosine(r, r), 1, 1e-5)
			for o := range int32(20) {
				sum += both.cosine(r, o+40) / 400
				if o != r {
					within += both.cosine(r, o) / 380
				}
				x, y := r, o+40
				want := plain.cosine(x, y)
				switch with := len(b.of[x])*len(b.of[y]) > 0; {
				case with:
					want = (want + 2*nounPart(b.of[x], b.of[y])) / 2
				case len(b.of[x])+len(b.of[y]) > 0:
					want /= math.Sqrt2
				}
				close(t, fmt.Sprintf("%d damped: points %d and %d", damped, x, y), both.cosine(x, y), want, 1e-5)
			}
		}
		close(t, "across", across(&one, &other), sum, 1e-5)
		close(t, "within", one.within(), within, 1e-5)
	}
}

// A noun of all points says nothing, and one of a single point is left out.
func TestWhatNounsWeigh(t *testing.T) {
	in := nounWorld(3)
	in.Nouns = [][]string{{"all", "two", "single"}, {"all", "two"}, {"all"}}
	b := newSettling(in).newBag()
	if b == nil || b.size != 1 || len(b.of[0]) != 1 || len(b.of[1]) != 1 || len(b.of[2]) != 0 {
		t.Errorf("%+v", b)
	}
	in.Nouns = [][]string{{"all"}, {"all"}, {"all"}}
	if b := newSettling(in).newBag(); b != nil {
		t.Errorf("%+v", b)
	}
}

// A list of vectors that has none of the points with the same rare noun gets them.
func TestNearByNouns(t *testing.T) {
	in := nounWorld(60)
	in.Nouns[3], in.Nouns[31], in.Nouns[58] = []string{"kestrel"}, []string{"committee", "kestrel"}, []string{"kestrel"}
	lists := make(listed, 60)
	for i := range lists {
		lists[i] = []int{(i + 1) % 60, (i + 2) % 60}
	}
	in.Near = lists
	s := newSettling(in)
	space := s.space.withNouns(s.newBag())
	l := space.nearByNouns(s.links.under(space), 2)
	for r := range 60 {
		to, cosines := l.of(r)
		if len(to) != 2 || slices.Contains(to, int32(r)) || cosines[0] < cosines[1] {
			t.Fatalf("%d: %v %v", r, to, cosines)
		}
	}
	if to, _ := l.of(3); !slices.Contains(to, 58) || !slices.Contains(to, 31) {
		t.Errorf("the points with a kestrel are near to %v", to)
	}
}
