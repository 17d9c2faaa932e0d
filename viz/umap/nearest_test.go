package umap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// mixture makes n vectors of dimension dim on the given number of topics; vector i has topic i
// % topics. Every topic varies in a few directions, as embeddings of texts on one subject do.
func mixture(n, dim, topics int) [][]float32 {
	const own = 6
	noise := splitmix(7)
	random := func() []float32 {
		v := make([]float32, dim)
		var sum float64
		for d := range v {
			v[d] = noise.signed()
			sum += float64(float64(v[d]) * float64(v[d]))
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
	out := make([][]float32, n)
	for i := range out {
		v := slices.Clone(centres[i%topics])
		for _, s := range spans[i%topics] {
			w := noise.signed() / 2
			for d := range v {
				v[d] += float32(w * s[d]) // never fused, because the digests depend on these numbers
			}
		}
		out[i] = v
	}
	return out
}

func quantised(t testing.TB, in [][]float32) *vectors {
	t.Helper()
	v, err := quantise(newWorkerPool(t.Context(), 0), in)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDotIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 16 * rapid.IntRange(1, 40).Draw(t, "blocks")
		entry := rapid.Int16Range(-32767/8, 32767/8)
		a, b := rapid.SliceOfN(entry, n, n).Draw(t, "a"), rapid.SliceOfN(entry, n, n).Draw(t, "b")
		var want int32
		for i := range a {
			want += int32(a[i]) * int32(b[i])
		}
		if got := dot16(&a[0], &b[0], n); got != want {
			t.Errorf("dot16 = %d, want %d", got, want)
		}
		if got := dotGo(a, b); got != want {
			t.Errorf("dotGo = %d, want %d", got, want)
		}
	})
}

func TestQuantisedVectorsAreDirections(t *testing.T) {
	v := quantised(t, [][]float32{{3, 4}, {30, 40}, {-4, 3}, {0, 0}, {0, -0}, {1e-38, 0}, {3e38, 3e38}, {1, 1}})
	d := func(i, j int) float64 { return float64(distance(v.dot(i, j), v.square[i], v.square[j])) }
	for _, x := range []struct {
		i, j int
		want float64
	}{{0, 1, 0}, {0, 2, 1}, {3, 4, 0}, {0, 3, 1}, {6, 7, 0}, {5, 7, 1 - math.Sqrt2/2}, {0, 7, 1 - 7/(5*math.Sqrt2)}} {
		if got := d(x.i, x.j); math.Abs(got-x.want) > 2e-5 || (x.want == 0 && got != 0) {
			t.Errorf("distance of %d and %d = %g, want %g", x.i, x.j, got, x.want)
		}
	}
	// The largest possible sum: equal entries in many dimensions.
	long := make([]float32, 4096)
	for i := range long {
		long[i] = 1
	}
	if w := quantised(t, [][]float32{long}); w.square[0] < 1<<29 {
		t.Errorf("the square of the length is %d", w.square[0])
	}
	for name, bad := range map[string][][]float32{
		"differing dimensions": {{1, 2}, {1}}, "none": {{}}, "not a number": {{1}, {float32(math.NaN())}}, "infinite": {{float32(math.Inf(-1))}},
	} {
		if _, err := quantise(newWorkerPool(t.Context(), 0), bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestInsertBestIsASortedPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 6).Draw(t, "limit")
		keys := rapid.SliceOf(rapid.Float32Range(0, 3)).Draw(t, "keys")
		list := make([]candidate, 0, limit)
		var all []candidate
		for i, k := range keys {
			c := candidate{key: float32(int(k)), index: int32(i)}
			all = append(all, c)
			list, _ = insertBest(list, c)
		}
		slices.SortStableFunc(all, func(a, b candidate) int { return int(b.key - a.key) })
		if !slices.Equal(list, all[:min(limit, len(all))]) {
			t.Errorf("kept %v of %v", list, all)
		}
	})
}

func TestExactNeighbours(t *testing.T) {
	in := mixture(200, 24, 4)
	v := quantised(t, in)
	lists, err := v.exactNeighbours(newWorkerPool(t.Context(), 0), 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, near := range v.neighbours(lists, 7) {
		var want []float64
		for j := range in {
			if j != i {
				want = append(want, cosineDistance(in[i], in[j]))
			}
		}
		slices.Sort(want)
		for r, o := range near {
			if math.Abs(float64(o.Distance)-want[r]) > 5e-5 || math.Abs(cosineDistance(in[i], in[o.Index])-want[r]) > 5e-5 {
				t.Fatalf("neighbour %d of %d is %v, want distance %g", r, i, o, want[r])
			}
		}
	}
}

func cosineDistance(a, b []float32) float64 {
	var ab, aa, bb float64
	for d := range a {
		ab, aa, bb = ab+float64(a[d])*float64(b[d]), aa+float64(a[d])*float64(a[d]), bb+float64(b[d])*float64(b[d])
	}
	return 1 - ab/math.Sqrt(aa*bb)
}

func TestApproximateNeighbours(t *testing.T) {
	const k = 14
	for name, in := range map[string][][]float32{"topics": mixture(4500, 32, 12), "one crowd": mixture(4200, 24, 1)} {
		v, c := quantised(t, in), newWorkerPool(t.Context(), 0)
		exact, err := v.exactNeighbours(c, k)
		if err != nil {
			t.Fatal(err)
		}
		forest, err := v.growForest(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range forest {
			rows := slices.Clone(tree.rows)
			slices.Sort(rows)
			for i, r := range rows {
				if int(r) != i {
					t.Fatalf("a tree lost row %d", i)
				}
			}
		}
		lists, err := v.approximateNeighbours(c, k, forest)
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for i, list := range lists {
			for j, c := range list[:k] {
				if int(c.index) == i || contains(list[:j], c.index) {
					t.Fatalf("row %d lists itself or another twice: %v", i, list)
				}
				if contains(exact[i], c.index) {
					hits++
				}
			}
		}
		if recall := float64(hits) / float64(k*len(in)); recall < 0.98 {
			t.Errorf("%s: recall %.4f, want .98", name, recall)
		}
	}
}

// Thousands of identical rows must stall neither the trees nor the search.
func TestApproximateNeighboursOfDuplicates(t *testing.T) {
	in := make([][]float32, 4200)
	for i := range in {
		in[i] = []float32{1, float32(i % 2), 0}
	}
	m, err := Fit(t.Context(), in, Options{epochs: 3})
	if err != nil {
		t.Fatal(err)
	}
	finite(t, m.Places)
	near := m.nearest(quantised(t, in[1:2]), 5)
	for _, o := range near {
		if o.Distance != 0 || o.Index%2 != 1 {
			t.Errorf("nearest to one of the two spots: %v", near)
		}
	}
}
