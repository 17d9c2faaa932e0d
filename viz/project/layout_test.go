package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/umap"
)

// world makes n memories on the given number of topics; memory i has topic i % topics. Every
// topic varies in a few directions, as embeddings of texts on one subject do.
func world(n, dim, topics int) []Point {
	const own = 6
	noise := splitmix(7)
	random := func() []float32 {
		v := make([]float32, dim)
		var sum float64
		for d := range v {
			v[d] = noise.signed()
			sum += float64(v[d] * v[d])
		}
		for d := range v {
			v[d] /= float32(math.Sqrt(sum))
		}
		return v
	}
	centres, spans := make([][]float32, topics), make([][][]float32, topics)
	for t := range centres {
		centres[t] = random()
		for range own {
			spans[t] = append(spans[t], random())
		}
	}
	out := make([]Point, n)
	for i := range out {
		v := slices.Clone(centres[i%topics])
		for _, s := range spans[i%topics] {
			w := noise.signed() / 2
			for d := range v {
				v[d] += w * s[d]
			}
		}
		out[i] = Point{id(i), v}
	}
	return out
}

// few is a small sample size for fast tests.
const few = 200

// id is the i-th id in order of age.
func id(i int) graph.ID {
	var b [16]byte
	b[4], b[5], b[6], b[15] = byte(i>>8), byte(i), 0x70, byte(i)
	return graph.IDFromBytes(b)
}

// places returns the positions of a layout or fails the test.
func places(t testing.TB, a *Layout, points []Point) [][3]float32 {
	t.Helper()
	at, err := a.Places(t.Context(), points)
	if err != nil {
		t.Fatal(err)
	}
	if len(at) != len(points) {
		t.Fatalf("%d places of %d points", len(at), len(points))
	}
	for i, p := range at {
		for _, x := range p {
			if !(math.Abs(float64(x)) <= 4*Radius) {
				t.Fatalf("point %d is at %v", i, p)
			}
		}
	}
	return at
}

func redraw(t testing.TB, a *Layout, points []Point) float64 {
	t.Helper()
	drift, err := a.Redraw(t.Context(), points, 0)
	if err != nil {
		t.Fatal(err)
	}
	return drift
}

// preservation is how many of the 10 nearest vectors are among the 10 nearest positions.
func preservation(t testing.TB, points []Point, at [][3]float32) float64 {
	t.Helper()
	in := make([][]float32, len(points))
	for i, p := range points {
		in[i] = p.Vector
	}
	q, err := umap.Evaluate(t.Context(), in, at, 10)
	if err != nil {
		t.Fatal(err)
	}
	return q.Preservation
}

// astray counts the points whose nearest neighbour has another topic.
func astray(at [][3]float32, topics int) (n int) {
	for i, p := range at {
		best, nearest := float32(math.Inf(1)), 0
		for j, o := range at {
			var d2 float32
			for d := range p {
				d2 += (p[d] - o[d]) * (p[d] - o[d])
			}
			if j != i && d2 < best {
				best, nearest = d2, j
			}
		}
		if nearest%topics != i%topics {
			n++
		}
	}
	return n
}

func TestSimilarMemoriesAreNearEachOther(t *testing.T) {
	for _, n := range []int{60, 200, 700} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			points := world(n, 48, 12)
			a := Layout{sampleLimit: few}
			sampled := places(t, &a, points)
			if got := astray(sampled, 12); got > n/30 {
				t.Errorf("%d of %d are next to another topic", got, n)
			}
			if a.NeedsRedraw(points) != (n > few) {
				t.Errorf("a map of all is due: %v", a.NeedsRedraw(points))
			}
			redraw(t, &a, points)
			drawn := places(t, &a, points)
			if got := astray(drawn, 12); got > n/100 {
				t.Errorf("drawn: %d of %d are next to another topic", got, n)
			}
			if before, after := preservation(t, points, sampled), preservation(t, points, drawn); n > few && after < before+0.05 {
				t.Errorf("the map of all preserves %.3f, that of a sample %.3f", after, before)
			}
			if n <= few && !slices.Equal(sampled, drawn) {
				t.Error("a map of all moved though nothing had changed")
			}
			far := 0
			for _, p := range drawn {
				if p[0]*p[0]+p[1]*p[1]+p[2]*p[2] > Radius*Radius {
					far++
				}
			}
			if far > n/15 {
				t.Errorf("%d of %d places lie outside the radius", far, n)
			}
			if d := umap.Displacement(sampled, drawn); d > 0.5 {
				t.Errorf("from the quick map to the map of all the median point moved %.2f of the radius", d)
			}
		})
	}
}

func TestPlacesDoNotDependOnTheOrder(t *testing.T) {
	points := world(500, 24, 5)
	turned := slices.Clone(points)
	slices.Reverse(turned)
	a, b := Layout{sampleLimit: few}, Layout{sampleLimit: few}
	for range 2 {
		want, got := places(t, &a, points), places(t, &b, turned)
		slices.Reverse(got)
		if !slices.Equal(want, got) {
			t.Fatal("the map depends on the order in which points are named")
		}
		redraw(t, &a, points)
		redraw(t, &b, turned)
	}
}

func TestNothingMovesBetweenDrawings(t *testing.T) {
	all := world(230, 48, 5)
	var a Layout
	before := places(t, &a, all[:180])
	after := places(t, &a, all)
	if !slices.Equal(before, after[:180]) {
		t.Error("new memories moved old ones")
	}
	if got := astray(after, 5); got > 4 {
		t.Errorf("%d are next to another topic", got)
	}
	seen := map[[3]float32]bool{}
	for _, p := range after {
		if seen[p] {
			t.Errorf("two memories have the same position, %v", p)
		}
		seen[p] = true
	}
}

func TestDrawingChangesPositionsLittle(t *testing.T) {
	all := world(750, 48, 9)
	a := Layout{sampleLimit: few}
	places(t, &a, all[:700])
	redraw(t, &a, all[:700])
	before := places(t, &a, all[:700])
	if a.NeedsRedraw(all[:700]) || a.NeedsRedraw(all[:725]) || !a.NeedsRedraw(all) || !a.NeedsRedraw(all[:650]) {
		t.Error("due at the wrong time")
	}
	placed := places(t, &a, all)
	drift := redraw(t, &a, all)
	after := places(t, &a, all)
	if d := umap.Displacement(before, after[:700]); d == 0 || d > 0.01 || math.Abs(d-drift) > 1e-4 {
		t.Errorf("the median memory moved by %.4f of the radius, said to be %.4f", d, drift)
	}
	if b, c := preservation(t, all, placed), preservation(t, all, after); c < b-0.01 {
		t.Errorf("preservation fell from %.4f to %.4f", b, c)
	}
	if redraw(t, &a, all) != 0 || !slices.Equal(after, places(t, &a, all)) {
		t.Error("redrawing an unchanged set moved memories")
	}
}

// One memory at a time from an empty set, as on a new server.
func TestGrowingFromAnEmptySet(t *testing.T) {
	all := world(60, 24, 4)
	a := Layout{sampleLimit: few}
	for n := range all {
		places(t, &a, all[:n])
	}
	if got := astray(places(t, &a, all), 4); got > 3 {
		t.Errorf("%d of 60 are next to another topic", got)
	}
	// Then many at once, for which the map of sixty is not enough.
	many := world(600, 24, 4)
	if got := astray(places(t, &a, many), 4); got > 20 {
		t.Errorf("%d of 600 are next to another topic", got)
	}
	if !a.NeedsRedraw(many) {
		t.Error("a map of all is not due")
	}
}

func TestInvalidVectorsAreOnTheShell(t *testing.T) {
	all := world(40, 24, 5)
	odd := slices.Clone(all)
	odd[20].Vector, odd[21].Vector = nil, []float32{1, 2}
	odd[22].Vector = slices.Clone(odd[22].Vector)
	odd[22].Vector[3] = float32(math.NaN())
	var a Layout
	at := places(t, &a, odd)
	redraw(t, &a, odd)
	for i := 20; i < 23; i++ {
		p := at[i]
		if r := math.Sqrt(float64(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])); r < Radius || r > 2*Radius {
			t.Errorf("memory %d is %g from the centre", i, r)
		}
		if now := places(t, &a, all)[i]; now == p {
			t.Errorf("memory %d did not move when its vector came", i)
		}
	}
	// A memory with new content moves to the matching position.
	changed := slices.Clone(all)
	changed[0].Vector = all[1].Vector
	before, after := places(t, &a, all), places(t, &a, changed)
	if before[0] == after[0] || !slices.Equal(before[1:], after[1:]) {
		t.Error("a new vector left its memory where it was, or moved others")
	}
}

func TestSmallAndDegenerateSets(t *testing.T) {
	of := func(vectors ...[]float32) (points []Point) {
		for i, v := range vectors {
			points = append(points, Point{id(i), v})
		}
		return points
	}
	same := make([][]float32, 300)
	for i := range same {
		same[i] = []float32{1, 0, 0, 0}
	}
	for name, points := range map[string][]Point{
		"none": nil, "one": of([]float32{1, 2, 3}), "two": of([]float32{1, 0}, []float32{0, 1}), "equal": of(same...),
		"zero": of(make([]float32, 2), make([]float32, 2), []float32{1, 0}), "one dimension": of([]float32{1}, []float32{-1}, []float32{1}),
		"pending only": of(nil, nil),
	} {
		t.Run(name, func(t *testing.T) {
			a := Layout{sampleLimit: few}
			places(t, &a, points)
			redraw(t, &a, points)
			if at := places(t, &a, points); len(at) > 1 && at[0] == at[1] {
				t.Errorf("two memories have the same position, %v", at[0])
			}
			var b bytes.Buffer
			if err := a.Save(&b, nil); err != nil {
				t.Fatal(err)
			}
			if err := new(Layout).Load(b.Bytes()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestPlacesDuringADrawing(t *testing.T) {
	all := world(500, 16, 5)
	a := Layout{sampleLimit: few}
	sampled := places(t, &a, all[:400])
	drawn := make(chan error)
	go func() {
		_, err := a.Redraw(context.Background(), all[:400], 1)
		drawn <- err
	}()
	late := places(t, &a, all) // comes before or after the end of the drawing; both must work
	if err := <-drawn; err != nil {
		t.Fatal(err)
	}
	if got := astray(late, 5); got > 25 {
		t.Errorf("%d of 500 are next to another topic", got)
	}
	if after := places(t, &a, all); slices.Equal(after[:400], sampled) {
		t.Error("the drawing changed nothing")
	}
}

func TestCancelled(t *testing.T) {
	all := world(400, 16, 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := Layout{sampleLimit: few}
	if _, err := a.Places(ctx, all); !errors.Is(err, context.Canceled) {
		t.Errorf("Places: %v", err)
	}
	before := places(t, &a, all)
	if _, err := a.Redraw(ctx, all, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Redraw: %v", err)
	}
	if !slices.Equal(before, places(t, &a, all)) || !a.NeedsRedraw(all) {
		t.Error("a cancelled drawing changed the layout")
	}
}

func BenchmarkQuick(b *testing.B) {
	points := world(20000, 384, 40)
	for b.Loop() {
		var a Layout
		places(b, &a, points)
	}
}
