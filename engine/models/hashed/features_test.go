package hashed

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The tally counts like a map and keeps the order of first occurrence.
func TestTallyEqualsMap(t *testing.T) {
	var shared tally
	rapid.Check(t, func(t *rapid.T) {
		// Few values in the low bits, to force collisions.
		hashes := rapid.SliceOf(rapid.Custom(func(t *rapid.T) uint64 {
			return rapid.Uint64Range(0, 20).Draw(t, "high")<<32 | rapid.Uint64Range(0, 3).Draw(t, "low")
		})).Draw(t, "hashes")
		shared.reset(len(hashes))
		count, order := map[uint64]int{}, []uint64{}
		for i, h := range hashes {
			if count[h] == 0 {
				order = append(order, h)
			}
			count[h]++
			at := shared.add(h, i, float64(i%3))
			if shared.items[at].hash != h {
				t.Fatalf("the place of %x holds %x", h, shared.items[at].hash)
			}
		}
		if len(shared.items) != len(order) {
			t.Fatalf("%d entries, want %d", len(shared.items), len(order))
		}
		for i, e := range shared.items {
			if e.hash != order[i] || e.count != count[e.hash] || hashes[e.first] != e.hash {
				t.Fatalf("entry %d: %+v, want %x ×%d", i, e, order[i], count[order[i]])
			}
		}
	})
}

func TestRepeatingAWordCountsLessEachTime(t *testing.T) {
	last, gain := 0.0, math.Inf(1)
	for n := 1; n < 50; n++ {
		total := entry{count: n, weight: 0.5}.total()
		if total-last <= 0 || total-last >= gain {
			t.Fatalf("count %d adds %v, the one before %v", n, total-last, gain)
		}
		last, gain = total, total-last
	}
	if got := (entry{count: 1, weight: 0.5}).total(); got != 0.5 {
		t.Errorf("once: %v", got)
	}
}

func TestPriors(t *testing.T) {
	prior := func(text, folded string) float64 {
		s := new(scratch)
		s.split(text)
		for _, w := range s.words {
			if string(s.bytes[w.from:w.to]) == folded {
				return w.prior([]byte(folded))
			}
		}
		t.Fatalf("%q has no word %q", text, folded)
		return 0
	}
	ascending := []struct{ text, word string }{
		{"because the door", "the"},
		{"then Ada came", "ada"},
		{"a good day", "good"},
		{"an odd ox", "ox"},
		{"the kettle sings", "kettle"},
		{"a thermostat", "thermostat"},
	}
	for i := 1; i < len(ascending); i++ {
		a, b := ascending[i-1], ascending[i]
		if x, y := prior(a.text, a.word), prior(b.text, b.word); x >= y {
			t.Errorf("%s weighs %v, %s weighs %v", a.word, x, b.word, y)
		}
	}
	if got := prior("room 204", "204"); got != digitWeight {
		t.Errorf("a number weighs %v", got)
	}
}

// Signs and dimensions of hashes are uniform; otherwise features would cluster.
func TestFeaturesAreSpreadEvenly(t *testing.T) {
	const n = 200_000
	counts, sum := make([]int, Dimension), 0
	for i := range n {
		v := make([]float32, Dimension)
		h := hash(seedStem, []byte{byte(i), byte(i >> 8), byte(i >> 16)})
		add(v, h, 1)
		at := int(hiMul(h, Dimension))
		counts[at]++
		sum += int(v[at])
	}
	mean, chi := float64(n)/Dimension, 0.0
	for _, c := range counts {
		chi += (float64(c) - mean) * (float64(c) - mean) / mean
	}
	if chi > Dimension+6*math.Sqrt(2*Dimension) {
		t.Errorf("chi² %v over %d dimensions", chi, Dimension)
	}
	if math.Abs(float64(sum)) > 6*math.Sqrt(n) {
		t.Errorf("signs sum to %d", sum)
	}
}

// hiMul is the dimension that a hash selects, computed differently than in add.
func hiMul(h uint64, n uint64) uint64 { return (h>>32*n + (h&0xffffffff*n)>>32) >> 32 }
