package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// plainScan is the expected result of a scan.
func plainScan(vectors [][]float32, q []float32, pass slots.Set, k int, floor float32) []slots.Hit {
	var all []slots.Hit
	for i, v := range vectors {
		if v != nil && pass.Has(uint32(i)) {
			if s := kernel.Dot(q, v); s >= floor {
				all = append(all, slots.Hit{Slot: uint32(i), Score: s})
			}
		}
	}
	slices.SortFunc(all, func(a, b slots.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Slot, b.Slot)) })
	return all[:min(k, len(all))]
}

func sorted(hits []slots.Hit) []slots.Hit {
	slices.SortFunc(hits, func(a, b slots.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Slot, b.Slot)) })
	return hits
}

// The codes are an estimate; the answer must not be. The data are made to mislead:
// near duplicates, one dimension that dwarfs the rest, zeros, and wild lengths.
func TestScanIsExactForAnyVectors(t *testing.T) {
	kinds := map[string]func(r *rand.Rand, dim int) []float32{
		"spread": func(r *rand.Rand, dim int) []float32 { return testvectors.Around(r, nil, dim, 1) },
		"duplicates": func(r *rand.Rand, dim int) []float32 {
			v := make([]float32, dim)
			v[r.IntN(3)%dim] = 1
			return v
		},
		"crowded": func(r *rand.Rand, dim int) []float32 {
			v := testvectors.Around(r, nil, dim, 1)
			for i := range v {
				v[i] = 1/float32(math.Sqrt(float64(dim))) + v[i]*1e-3
			}
			return v
		},
		"one large": func(r *rand.Rand, dim int) []float32 {
			v := testvectors.Around(r, nil, dim, 1)
			v[0] = 50
			return v
		},
		"lengths": func(r *rand.Rand, dim int) []float32 {
			v := testvectors.Around(r, nil, dim, 1)
			size := float32(math.Exp(r.NormFloat64() * 3))
			for i := range v {
				v[i] *= size
			}
			return v
		},
		"zeros": func(r *rand.Rand, dim int) []float32 { return make([]float32, dim) },
	}
	for name, draw := range kinds {
		for _, dim := range []int{1, 7, 64, 100} {
			t.Run(fmt.Sprint(name, dim), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(dim), 5))
				n := 1000
				s := newCodeStore(2, inMemory())
				vectors := make([][]float32, n)
				pass := slots.NewSet(n)
				for i := range n {
					if i%17 == 3 {
						continue
					}
					vectors[i] = draw(r, dim)
					s.putVector(uint32(i), vectors[i])
					if i < 300 || i%40 == 1 { // whole blocks, and a few of others
						pass.Add(uint32(i))
					}
				}
				view := s.publish()
				var queries [][]float32
				for range 8 {
					queries = append(queries, draw(r, dim))
				}
				for _, k := range []int{1, 10, 2000} {
					for _, floor := range []float32{float32(math.Inf(-1)), 0.3} {
						got := view.nearest(queries, pass, k, floor, slots.ByNumber)
						for i, q := range queries {
							want := plainScan(vectors, q, pass, k, floor)
							if !slices.Equal(sorted(got[i]), want) {
								t.Fatalf("k %d, floor %v: got %d hits %v, want %d %v", k, floor, len(got[i]), got[i][:min(3, len(got[i]))], len(want), want[:min(3, len(want))])
							}
						}
					}
				}
			})
		}
	}
}

func TestLargeScanRunsInParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	n := 2*parallelRows + 77
	s := newCodeStore(3, inMemory())
	vectors := make([][]float32, n)
	pass := slots.NewSet(n)
	for i := range n {
		vectors[i] = testvectors.Around(r, nil, 16, 1)
		s.putVector(uint32(i), vectors[i])
		pass.Add(uint32(i))
	}
	q := testvectors.Around(r, nil, 16, 1)
	got := s.publish().nearest([][]float32{q}, pass, 50, -1, slots.ByNumber)[0]
	if want := plainScan(vectors, q, pass, 50, -1); !slices.Equal(sorted(got), want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestPublishedScanDoesNotChange(t *testing.T) {
	s := newCodeStore(1, inMemory())
	for i := range 10 {
		s.putVector(uint32(i), []float32{float32(i + 1), 0})
	}
	old := s.publish()
	pass := slots.NewSet(20)
	for i := range 10 {
		pass.Add(uint32(i))
	}
	ask := func(v *codeView) []slots.Hit {
		return sorted(v.nearest([][]float32{{1, 0}}, pass, 3, -10, slots.ByNumber)[0])
	}
	before := slices.Clone(ask(old))
	s.drop(9)
	s.drop(8)
	s.putVector(8, []float32{-5, 0})
	s.putVector(10, []float32{100, 0})
	fresh := s.publish()
	mustEqualList(t, "the old view", ask(old), before)
	pass[0] &^= 1 << 9
	mustEqualList(t, "the new view", ask(fresh), []slots.Hit{{Slot: 7, Score: 8}, {Slot: 6, Score: 7}, {Slot: 5, Score: 6}})
	// A dropped vector leaves no trace.
	b := s.blocks[0]
	if b.refs[9].Serial != 0 || b.quantised[9] != (kernel.Quantised{}) || slices.Max(b.codes[9*s.stride:10*s.stride]) != 0 {
		t.Error("a dropped vector left something")
	}
}

func TestVectorsOfAnotherDimensionAreRefused(t *testing.T) {
	s := newCodeStore(1, inMemory())
	mustEqual(t, "first", s.putVector(0, []float32{1, 0}), true)
	mustEqual(t, "another", s.putVector(1, []float32{1, 0, 0}), false)
	s.drop(1)
	s.drop(999)
	mustEqual(t, "dimension", s.publish().Dimension(), 2)
}

// A scan over several views finds the best of all, although what a goroutine finds in one view
// excludes rows in the others.
func TestScanOverSeveralViewsIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	const dim, k = 24, 30
	sizes := []int{5000, 0, 77, 9000, 300}
	type row struct {
		area int
		slots.Hit
	}
	var views []*codeView
	var passes []slots.Set
	var vectors [][][]float32
	for _, n := range sizes {
		s, pass, all := newCodeStore(2, inMemory()), slots.NewSet(n), make([][]float32, n)
		for i := range n {
			if i%11 == 4 {
				continue
			}
			all[i] = testvectors.Around(r, nil, dim, 1)
			s.putVector(uint32(i), all[i])
			if i%3 > 0 {
				pass.Add(uint32(i))
			}
		}
		views, passes, vectors = append(views, s.publish()), append(passes, pass), append(vectors, all)
	}
	for _, floor := range []float32{-2, .4} {
		queries := [][]float32{testvectors.Around(r, nil, dim, 1), vectors[3][8], testvectors.Around(r, nil, dim, 1)}
		s := NewScan(k, floor, len(queries))
		hits, first := make([][][]slots.Hit, len(views)), make([]slots.Order, len(views))
		for i, v := range views {
			hits[i], first[i] = make([][]slots.Hit, len(queries)), slots.ByNumber
			s.add(v, passes[i], queries, i)
		}
		s.Run(3)
		for i, q := range queries {
			s.Rescore(i, floor, hits, first)
			var got, want []row
			for area := range views {
				for _, h := range hits[area][i] {
					got = append(got, row{area, h})
				}
				for _, h := range plainScan(vectors[area], q, passes[area], k, floor) {
					want = append(want, row{area, h})
				}
			}
			for _, all := range []*[]row{&got, &want} {
				slices.SortFunc(*all, func(a, b row) int { return cmp.Compare(b.Score, a.Score) })
				*all = (*all)[:min(k, len(*all))]
			}
			if !slices.Equal(got, want) {
				t.Fatalf("query %d, floor %v: got %v, want %v", i, floor, got, want)
			}
		}
	}
}
