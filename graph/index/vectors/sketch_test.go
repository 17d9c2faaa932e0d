package vectors

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// sketchedScan makes a scan of n vectors with sketches, even if the processor would not use
// them.
func sketchedScan(r *rand.Rand, n, dim int) (*codeStore, [][]float32, slots.Set) {
	s, pass, vectors := newCodeStore(2, inMemory()), slots.NewSet(n), testvectors.Topical(r, n, dim)
	s.sketching = true
	for i := range vectors {
		if i%19 == 4 {
			vectors[i] = nil
			continue
		}
		s.putVector(uint32(i), vectors[i])
		if i%5 > 0 {
			pass.Add(uint32(i))
		}
	}
	return s, vectors, pass
}

// doubted returns the result of a scan with sketches.
func doubted(v *codeView, q []float32, pass slots.Set, k int, floor float32) []slots.Hit {
	return sweptFor(v, q, pass, k, floor, ErrorMargin, false)
}

func sweptFor(v *codeView, q []float32, pass slots.Set, k int, floor, doubt float32, brief bool) []slots.Hit {
	hits := [][][]slots.Hit{make([][]slots.Hit, 1)}
	s := NewScan(k, floor, 1)
	s.ErrorMargin, s.Approximate = doubt, brief
	s.add(v, pass, [][]float32{q}, 0)
	s.Run(2)
	s.Rescore(0, floor, hits, []slots.Order{slots.ByNumber})
	return sorted(hits[0][0])
}

// Sketches lose almost nothing, for few rows and for many. Every hit has its exact score and
// occurs once.
func TestSketchSearchHasHighRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	r := rand.New(rand.NewPCG(9, 2))
	for n, questions := range map[int]int{3_000: 20, 2*parallelRows + 500: 4} {
		s, vectors, pass := sketchedScan(r, n, 300)
		view := s.publish()
		wanted, found := 0, 0
		for range questions {
			q := testvectors.Topical(r, 1, 300)[0]
			for _, k := range []int{1, 20, 200} {
				for _, floor := range []float32{float32(math.Inf(-1)), .3} {
					want := map[uint32]float32{}
					for _, h := range plainScan(vectors, q, pass, k, floor) {
						want[h.Slot] = h.Score
					}
					wanted += len(want)
					seen := map[uint32]bool{}
					for _, h := range doubted(view, q, pass, k, floor) {
						if seen[h.Slot] || h.Score != kernel.Dot(q, vectors[h.Slot]) || !pass.Has(h.Slot) {
							t.Fatalf("%d vectors, %d wanted: %v came twice, or does not pass, or its score is %v", n, k, h, kernel.Dot(q, vectors[h.Slot]))
						}
						seen[h.Slot] = true
						if _, is := want[h.Slot]; is {
							found++
						}
					}
				}
			}
		}
		t.Logf("%d vectors: %d of %d found", n, found, wanted)
		if found < wanted*998/1000 {
			t.Errorf("%d vectors: %d of %d found", n, found, wanted)
		}
	}
}

// A view keeps the sketches of its publication, and a dropped vector leaves no trace.
func TestSketchesOfPublishedScanDoNotChange(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 3))
	s, vectors, pass := sketchedScan(r, 700, 256)
	old := s.publish()
	q := vectors[1]
	before := doubted(old, q, pass, 10, -1)
	for slot := range uint32(700) {
		s.drop(slot)
	}
	for i, v := range testvectors.Topical(r, 1500, 256) {
		if i >= 600 {
			s.putVector(uint32(i), v)
		}
	}
	s.publish()
	mustEqualList(t, "the old view", doubted(old, q, pass, 10, -1), before)
	for row := range 256 {
		at := kernel.SketchOffset(row, 256)
		for b := range 256 / 8 {
			if s.blocks[0].signs[at+b*kernel.SketchGroup] != 0 {
				t.Fatalf("row %d keeps its sketch", row)
			}
		}
	}
}

// In an approximate query the ten nearest are among the candidates, each once, scored by its
// codes.
func TestApproximateCandidatesContainNearest(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	r := rand.New(rand.NewPCG(9, 3))
	for n, questions := range map[int]int{3_000: 20, 2*parallelRows + 500: 4} {
		s, vectors, pass := sketchedScan(r, n, 300)
		view := s.publish()
		found := 0
		for range questions {
			q := testvectors.Topical(r, 1, 300)[0]
			scores := map[uint32]float32{}
			for _, h := range sweptFor(view, q, pass, 48, float32(math.Inf(-1)), ApproximateErrorMargin, true) {
				if _, twice := scores[h.Slot]; twice || !pass.Has(h.Slot) || math.Abs(float64(h.Score-kernel.Dot(q, vectors[h.Slot]))) > .01 {
					t.Fatalf("%d vectors: %v came twice, or does not pass, or its score is %v", n, h, kernel.Dot(q, vectors[h.Slot]))
				}
				scores[h.Slot] = h.Score
			}
			for _, h := range plainScan(vectors, q, pass, 10, float32(math.Inf(-1))) {
				if _, is := scores[h.Slot]; is {
					found++
				}
			}
		}
		t.Logf("%d vectors: %d of %d found", n, found, 10*questions)
		if found < 10*questions*99/100 {
			t.Errorf("%d vectors: %d of %d found", n, found, 10*questions)
		}
	}
}
