package recess

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// archived is a recess with a sealed engram for each vector.
func archived(t testing.TB, model string, vectors [][]float32, texts []string, trainAt int) (*Recess, map[graph.ID][]float32) {
	t.Helper()
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1), TrainAt: trainAt})
	m := newMaker(1)
	exact := map[graph.ID][]float32{}
	for from := 0; from < len(vectors); from += 500 {
		var list []Engram
		for i := from; i < min(from+500, len(vectors)); i++ {
			e := m.engram(fmt.Sprintf("subject %d", i%200))
			if texts != nil {
				e.Memory.Content, e.Memory.Checksum = texts[i], ""
			}
			e.EngravedAt, e.Memory.EmbeddingModel, e.Vector = start, model, vectors[i]
			exact[e.Memory.ID] = vectors[i]
			list = append(list, e)
		}
		must(t, r.Append(ctx, kiwi, list...))
	}
	_, err := r.Seal(ctx, kiwi)
	must(t, err)
	return r, exact
}

// cosineOf is the exact similarity of each id to the query.
func cosineOf(exact map[graph.ID][]float32, q []float32) map[graph.ID]float64 {
	score := make(map[graph.ID]float64, len(exact))
	for id, v := range exact {
		s := 0.0
		for i, x := range v {
			s += float64(x) * float64(q[i])
		}
		score[id] = s / float64(euclideanNorm(v)) / float64(euclideanNorm(q))
	}
	return score
}

// recalls are the share of the exact ten nearest that a search finds, and the share of
// queries whose nearest is among the ten found.
func recalls(t testing.TB, r *Recess, model string, exact map[graph.ID][]float32, queries [][]float32, again bool) (overlap, nearest float64) {
	t.Helper()
	for _, v := range queries {
		q := Query{Model: model, Vector: v, K: 10}
		if again {
			q.Exact = func(_ context.Context, list []Engram) ([][]float32, error) {
				out := make([][]float32, len(list))
				for i, e := range list {
					out[i] = exact[e.Memory.ID]
				}
				return out, nil
			}
		}
		found, err := r.Search(ctx, kiwi, q)
		must(t, err)
		score := cosineOf(exact, v)
		ranked := slices.Sorted(maps.Values(score))
		slices.Reverse(ranked)
		best := false
		for _, h := range found.Hits {
			// Ties with the tenth count: an exact search could return any of them.
			if score[h.ID] >= ranked[9]-1e-6 {
				overlap++
			}
			best = best || score[h.ID] >= ranked[0]-1e-6
		}
		if best {
			nearest++
		}
	}
	n := float64(len(queries))
	return overlap / (10 * n), nearest / n
}

// notes are sentences of many words, like memories.
func notes(n int) []string {
	m := newMaker(77)
	verbs := []string{"prefers", "moved to", "works on", "asked about", "finished", "broke", "repairs", "painted", "forgot", "met someone near"}
	names := []string{"Mara", "Jonas", "Ilse", "Tomas", "Priya", "Chen", "Olu", "Greta", "Sam", "Noor"}
	out := make([]string, n)
	for i := range out {
		out[i] = names[m.rng.IntN(len(names))] + " " + verbs[m.rng.IntN(len(verbs))] + " the " + nouns[m.rng.IntN(len(nouns))]
		for range 2 + m.rng.IntN(8) {
			out[i] += fmt.Sprintf(" and the %s %d", nouns[m.rng.IntN(len(nouns))], m.rng.IntN(50))
		}
	}
	return out
}

func hashedVectors(t testing.TB, texts []string) [][]float32 {
	t.Helper()
	v, err := hashed.New().Embed(ctx, texts, models.Passage)
	must(t, err)
	return v
}

// Vectors of the built-in model keep their ten nearest at 10:1 and better.
func TestHashedVectorsAreSparse(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	texts := notes(1100)
	all := hashedVectors(t, texts)
	r, exact := archived(t, "hashed", all[:1000], texts[:1000], 0)
	overlap, nearest := recalls(t, r, "hashed", exact, all[1000:], false)
	s, err := r.Stats(ctx, kiwi)
	must(t, err)
	ratio := float64(s.VectorsFloat32) / float64(s.Vectors)
	t.Logf("recall@10 %.4f, nearest in ten %.4f, ratio %.1f, %d quantised", overlap, nearest, ratio, s.Quantised)
	if overlap < 0.98 || ratio < 10 {
		t.Errorf("recall@10 %.4f at %.1f:1", overlap, ratio)
	}
}

// Dense vectors are quantised when there are enough of them, at 10:1; with the exact vectors
// of the candidates the ten nearest are found.
func TestDenseVectorsAreQuantised(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	const dim, n = 64, 500
	all := clusteredVectors(n+50, dim, 40, 0.5, 3)
	r, exact := archived(t, "dense", all[:n], nil, n)
	s, err := r.Stats(ctx, kiwi)
	must(t, err)
	ratio := float64(s.VectorsFloat32) / float64(s.Vectors)
	overlap, nearest := recalls(t, r, "dense", exact, all[n:], false)
	refined, _ := recalls(t, r, "dense", exact, all[n:], true)
	t.Logf("%d quantised at %.1f:1: recall@10 %.4f, nearest in ten %.4f, refined %.4f", s.Quantised, ratio, overlap, nearest, refined)
	if s.Quantised != n || ratio < 10 || nearest < 0.98 || refined < 0.98 || overlap < 0.6 {
		t.Errorf("%d quantised at %.1f:1: recall@10 %.4f, nearest in ten %.4f, refined %.4f", s.Quantised, ratio, overlap, nearest, refined)
	}
	// The decoded vectors have about the given directions, each and on average.
	least, sum := 1.0, 0.0
	for id, v := range exact {
		e, err := r.Read(ctx, kiwi, id)
		must(t, err)
		c := float64(dotProduct(e.Vector, v)) / float64(euclideanNorm(e.Vector)*euclideanNorm(v))
		least, sum = min(least, c), sum+c
	}
	if mean := sum / float64(len(exact)); mean < 0.95 || least < 0.85 {
		t.Errorf("cosine %.3f in the mean, %.3f at least", mean, least)
	}
	// The same sample makes the same codebook.
	c := r.tenants["kiwi"].currentCodebooks[vectorSpace{"dense", dim}]
	a, b := trainCodebook(c.id, c.vectorSpace(), all[:300]), trainCodebook(c.id, c.vectorSpace(), all[:300])
	ra, err := a.encodeRow()
	must(t, err)
	rb, err := b.encodeRow()
	must(t, err)
	if !slices.Equal(ra, rb) {
		t.Error("training is not deterministic")
	}
	again, err := readCodebook(ra)
	must(t, err)
	code := a.encode(all[7])
	if !slices.Equal(code, again.encode(all[7])) || a.inverseNorm(code) != again.inverseNorm(code) {
		t.Error("a codebook comes back changed")
	}
	// inverseNorm and dotTable agree with decoding.
	v := make([]float32, dim)
	a.decode(code, v)
	if got, want := tableDot(a.dotTable(all[8]), code), dotProduct(v, all[8]); math.Abs(float64(got-want)) > 1e-4 {
		t.Errorf("adc %v, decoded %v", got, want)
	}
	if got, want := a.inverseNorm(code), 1/euclideanNorm(v); math.Abs(float64(got/want-1)) > 1e-3 {
		t.Errorf("bias %v, decoded %v", got, want)
	}
}

func TestInvalidSearchesAreRefused(t *testing.T) {
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1)})
	for _, q := range []Query{{Vector: []float32{1}}, {Vector: []float32{1}, K: 1001}, {K: 1}, {Vector: []float32{0}, K: 1}, {Vector: []float32{float32(math.NaN())}, K: 1}} {
		if _, err := r.Search(ctx, kiwi, q); graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("%+v: %v", q, err)
		}
	}
	e := newMaker(1).engram("tea")
	e.Memory.EmbeddingModel, e.Vector = "a", []float32{3, 4}
	must(t, r.Append(ctx, kiwi, e))
	for model, want := range map[string]int{"a": 1, "b": 0} {
		f, err := r.Search(ctx, kiwi, Query{Model: model, Vector: []float32{4, 3}, K: 5})
		must(t, err)
		if len(f.Hits) != want || want == 1 && math.Abs(f.Hits[0].Similarity-0.96) > 1e-3 {
			t.Errorf("model %s: %+v", model, f)
		}
	}
	broken := errors.New("the model is away")
	_, err := r.Search(ctx, kiwi, Query{Model: "a", Vector: []float32{4, 3}, K: 5, Exact: func(context.Context, []Engram) ([][]float32, error) { return nil, broken }})
	if !errors.Is(err, broken) {
		t.Errorf("refining: %v", err)
	}
	got, err := r.Read(ctx, kiwi, e.Memory.ID)
	must(t, err)
	if len(got.Vector) != 2 || math.Abs(float64(got.Vector[0]-3)) > 0.01 || math.Abs(float64(got.Vector[1]-4)) > 0.01 {
		t.Errorf("vector %v", got.Vector)
	}
}

// The forms of vectors have the promised precision.
func TestSparseCodes(t *testing.T) {
	for _, v := range hashedVectors(t, notes(50)) {
		unit := unit(v)
		code := encodeSparse(unit)
		if code == nil || len(code) > codeBudget(len(unit)) {
			t.Fatalf("a code of %d bytes", len(code))
		}
		out := make([]float32, len(unit))
		if !sparseValues(code, len(unit), func(i int, x float32) { out[i] = x }) {
			t.Fatal("the code can't be read")
		}
		for i, x := range unit {
			if math.Abs(float64(x-out[i])) > 0.02 || x == 0 && out[i] != 0 {
				t.Fatalf("%v came back as %v", x, out[i])
			}
		}
		if sparseValues(code[:len(code)-1], len(unit), func(int, float32) {}) || sparseValues(code[:3], len(unit), func(int, float32) {}) {
			t.Fatal("a truncated code is accepted")
		}
	}
	if encodeSparse(unit(slices.Repeat([]float32{1}, 512))) != nil {
		t.Error("a dense vector is written as a sparse one")
	}
}
