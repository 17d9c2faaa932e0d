package project

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// world makes n vectors of dim around the given number of topics; vector i belongs
// to topic i % topics. Every topic varies in a few directions of its own, as the
// embeddings of texts on one subject do.
func world(n, dim, topics int) [][]float32 {
	const own = 6
	noise := mix(7)
	random := func() []float32 {
		v := make([]float32, dim)
		for d := range v {
			v[d] = noise.signed()
		}
		return unit(v)
	}
	centres, spans := make([][]float32, topics), make([][][]float32, topics)
	for t := range centres {
		centres[t] = random()
		for range own {
			spans[t] = append(spans[t], random())
		}
	}
	out := make([][]float32, n)
	for i := range out {
		t := i % topics
		v := slices.Clone(centres[t])
		for _, s := range spans[t] {
			w := noise.signed() * 0.5
			for d := range v {
				v[d] += w * s[d]
			}
		}
		out[i] = unit(v)
	}
	return out
}

// togetherness is how many of the k nearest places of a point share its topic, on average.
func togetherness(places [][3]float32, topics, k int) float64 {
	var same int
	for i, p := range places {
		var list []neighbour
		for j, o := range places {
			if j != i {
				x, y, z := p[0]-o[0], p[1]-o[1], p[2]-o[2]
				list = keep(list, neighbour{j, -(x*x + y*y + z*z)}, k)
			}
		}
		for _, n := range list {
			if n.index%topics == i%topics {
				same++
			}
		}
	}
	return float64(same) / float64(k*len(places))
}

func placed(p Projection, vectors [][]float32) [][3]float32 {
	out := make([][3]float32, len(vectors))
	each(len(vectors), func(i int) { out[i] = p.Place(vectors[i]) })
	return out
}

func TestAlikeStandTogether(t *testing.T) {
	for _, n := range []int{60, 600, 3000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			vectors := world(n, 96, 12)
			var l Landmarks
			l.Fit(vectors)
			places := placed(&l, vectors)
			if got := togetherness(places, 12, 4); got < 0.9 {
				t.Errorf("%.3f of the nearest places share the topic, want at least .9", got)
			}
			far := 0
			for _, p := range places {
				if norm(p[:]) > Radius {
					far++
				}
				for _, x := range p {
					if math.IsNaN(float64(x)) || abs(x) > 3*Radius {
						t.Fatalf("a place at %v", p)
					}
				}
			}
			if far > n/8 {
				t.Errorf("%d of %d places lie outside the radius", far, n)
			}
			if n == 60 && closest(places) <= 0 {
				t.Error("two places on one spot")
			}
		})
	}
}

func closest(places [][3]float32) float32 {
	best := float32(math.Inf(1))
	for i, p := range places {
		for _, o := range places[:i] {
			best = min(best, norm([]float32{p[0] - o[0], p[1] - o[1], p[2] - o[2]}))
		}
	}
	return best
}

func TestSameInputSamePlaces(t *testing.T) {
	vectors := world(300, 64, 7)
	fit := func(procs int) [][3]float32 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		var l Landmarks
		l.Fit(vectors)
		return placed(&l, vectors)
	}
	one, two := fit(1), fit(4)
	if !slices.Equal(one, two) {
		t.Error("the map depends on the number of processors")
	}
}

func TestNewVectorStandsByItsLike(t *testing.T) {
	vectors := world(420, 64, 7)
	var l Landmarks
	l.Fit(vectors[:400])
	old := placed(&l, vectors[:400])
	late := placed(&l, vectors[400:])
	if !slices.Equal(old, placed(&l, vectors[:400])) {
		t.Error("placing moved something")
	}
	var same int
	for i, p := range late {
		best, at := float32(math.Inf(1)), 0
		for j, o := range old {
			if d := norm([]float32{p[0] - o[0], p[1] - o[1], p[2] - o[2]}); d < best {
				best, at = d, j
			}
		}
		if at%7 == (400+i)%7 {
			same++
		}
	}
	if same < 18 {
		t.Errorf("%d of 20 new memories stand next to one of their topic, want 18", same)
	}
}

func TestSmallAndDegenerateSets(t *testing.T) {
	same := make([][]float32, 30)
	for i := range same {
		same[i] = []float32{1, 0, 0, 0}
	}
	sets := map[string][][]float32{
		"none": nil, "one": {{1, 2, 3}}, "two": {{1, 0}, {0, 1}}, "equal": same, "zero": {{0, 0}, {0, 0}, {1, 0}}, "flat": {{1}, {-1}, {1}},
	}
	for name, vectors := range sets {
		t.Run(name, func(t *testing.T) {
			var l Landmarks
			l.Fit(vectors)
			for _, p := range placed(&l, vectors) {
				for _, x := range p {
					if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
						t.Fatalf("a place at %v", p)
					}
				}
			}
			if p := l.Place([]float32{1, 0, 0, 0}[:max(1, dimension(vectors))]); math.IsNaN(float64(p[0])) {
				t.Errorf("a new place at %v", p)
			}
		})
	}
}

func dimension(vectors [][]float32) int {
	if len(vectors) == 0 {
		return 1
	}
	return len(vectors[0])
}

func TestAxesFindTheDirectionsOfVariance(t *testing.T) {
	noise := mix(3)
	deviation := []float32{5, 3, 1, 0.1}
	vectors := make([][]float32, 500)
	for i := range vectors {
		v := make([]float32, 4)
		for d := range v {
			v[d] = 7 + deviation[d]*noise.signed()
		}
		vectors[i] = v
	}
	a := fitAxes(vectors, 3)
	for j, b := range a.basis {
		if abs(b[j]) < 0.99 {
			t.Errorf("axis %d is %v", j, b)
		}
		for k := range j {
			if d := dot(b, a.basis[k]); abs(d) > 1e-5 {
				t.Errorf("axes %d and %d are not at right angles: %g", j, k, d)
			}
		}
		if b[j] < 0 {
			t.Errorf("axis %d points backwards", j)
		}
	}
}

func ids(n int) []graph.ID {
	out := make([]graph.ID, n)
	for i := range out {
		var b [16]byte
		b[5], b[6], b[15] = byte(i>>8), 0x70, byte(i)
		b[4] = byte(i)
		out[i] = graph.IDFromBytes(b)
	}
	slices.Sort(out)
	return out
}

func points(ids []graph.ID, vectors [][]float32) []Point {
	out := make([]Point, len(ids))
	for i, id := range ids {
		out[i] = Point{ID: id, Vector: vectors[i]}
	}
	return out
}

func TestAtlasIsAFunctionOfTheSet(t *testing.T) {
	all := points(ids(130), world(130, 48, 5))
	var grown Atlas
	for n := 1; n < len(all); n += 9 {
		grown.Places(all[:n])
	}
	want := grown.Places(all)

	shuffled := slices.Clone(all)
	slices.Reverse(shuffled)
	got := new(Atlas).Places(shuffled)
	slices.Reverse(got)
	if !slices.Equal(want, got) {
		t.Error("the map depends on how the set came to be known")
	}
}

func TestAtlasLeavesOldPlacesAlone(t *testing.T) {
	all := points(ids(230), world(230, 48, 5))
	var a Atlas
	before := a.Places(all[:185]) // fitted to 181, and to them again until 271
	after := a.Places(all)
	if !slices.Equal(before, after[:185]) {
		t.Error("new memories moved old ones")
	}
	if seen := map[[3]float32]bool{}; true {
		for _, p := range after {
			if seen[p] {
				t.Errorf("two memories on one spot, %v", p)
			}
			seen[p] = true
		}
	}
}

func TestAtlasPlacesWhatHasNoVectorYet(t *testing.T) {
	all := points(ids(40), world(40, 48, 5))
	pending := slices.Clone(all)
	pending[20].Vector = nil
	var a Atlas
	at := a.Places(pending)[20]
	if r := norm(at[:]); r < Radius || r > 2*Radius {
		t.Errorf("a pending memory stands %g from the centre", r)
	}
	if now := a.Places(all)[20]; now == at {
		t.Error("it did not move when its vector came")
	}
}

func BenchmarkFitAndPlace(b *testing.B) {
	vectors := world(20000, 512, 40)
	for b.Loop() {
		var l Landmarks
		l.Fit(vectors)
		placed(&l, vectors)
	}
}
