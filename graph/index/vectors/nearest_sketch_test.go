package vectors

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// few returns a unit vector with few non-zero dimensions, like the vector of a short text.
func few(r *rand.Rand, dim, most int) []float32 {
	v := make([]float32, dim)
	for range 1 + r.IntN(most) {
		v[r.IntN(dim)] = float32(r.NormFloat64())
	}
	return testvectors.Normalise(v)
}

// like returns a unit vector whose cosine to v is about c.
func like(r *rand.Rand, v []float32, c float64) []float32 {
	noise := testvectors.Around(r, nil, len(v), 1)
	along := float32(0)
	for i, x := range v {
		along += noise[i] * x
	}
	for i, x := range v {
		noise[i] -= along * x
	}
	noise = testvectors.Normalise(noise)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(c)*x + float32(math.Sqrt(1-c*c))*noise[i]
	}
	return testvectors.Normalise(out)
}

// Every vector that is clearly nearer than the k-th is found, in a shared scan and in a scan of
// its own, also for sparse vectors such as those of short texts. Nearly all others are found too.
func TestNearestFindsAllMatches(t *testing.T) {
	const n, dim, k, floor = 6000, 512, 12, .35
	r := rand.New(rand.NewPCG(11, 4))
	s, pass, vectors := newCodeStore(2, inMemory()), full(n), testvectors.Topical(r, n, dim)
	s.sketching = true
	var asked [][]float32
	for i := range vectors {
		switch {
		case i%4 == 1:
			vectors[i] = few(r, dim, 6)
		case i%40 == 2:
			vectors[i] = like(r, vectors[i-2], .95)
		case i%40 == 22:
			vectors[i] = like(r, vectors[i-1], .7)
		}
		s.putVector(uint32(i), vectors[i])
		if i%30 < 3 {
			asked = append(asked, vectors[i])
		}
	}
	view := s.publish()
	answer := func(queries [][]float32) [][]slots.Hit {
		hits := [][][]slots.Hit{make([][]slots.Hit, len(queries))}
		w := NewScan(k, floor, len(queries))
		w.ErrorMargin = NearestErrorMargin
		w.add(view, pass, queries, 0)
		w.Run(2)
		for i := range queries {
			w.Rescore(i, floor, hits, []slots.Order{slots.ByNumber})
		}
		return hits[0]
	}
	wanted, missed := 0, 0
	for from := 0; from < len(asked); from += 30 {
		queries := asked[from : from+30]
		if from%60 == 0 {
			queries = queries[:1]
		}
		for i, hits := range answer(queries) {
			found := map[uint32]float32{}
			for _, h := range hits {
				found[h.Slot] = h.Score
			}
			want := plainScan(vectors, queries[i], pass, k, floor)
			wanted += len(want)
			for _, h := range want {
				score, is := found[h.Slot]
				switch {
				case is && score != h.Score:
					t.Errorf("slot %d scores %v, not %v", h.Slot, score, h.Score)
				case !is && h.Score > want[len(want)-1].Score+.05:
					t.Errorf("slot %d at %v is missed, the k-th nearest is at %v", h.Slot, h.Score, want[len(want)-1].Score)
				case !is:
					missed++
				}
			}
		}
	}
	t.Logf("%d of %d at the end missed", missed, wanted)
	if wanted < 1000 || missed > wanted/1000 {
		t.Errorf("%d of %d missed", missed, wanted)
	}
}
