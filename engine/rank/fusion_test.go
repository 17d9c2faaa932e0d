package rank

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRRF(t *testing.T) {
	near(t, "first everywhere", RRF(1, 1, 1), 3.0/61)
	near(t, "one channel", RRF(0, 4, 0), 1.0/64)
	near(t, "none", RRF(), 0)
	near(t, "nowhere", RRF(0, 0), 0)
	near(t, "mixed", RRF(1, 10, 200), 1.0/61+1.0/70+1.0/260)
}

func TestRRFPrefersHitsOfSeveralChannels(t *testing.T) {
	if RRF(10, 10) <= RRF(1, 0) {
		t.Error("rank 10 in two channels is not above rank 1 in one")
	}
}

func TestReranked(t *testing.T) {
	near(t, "both", Reranked(1, 1), 1)
	near(t, "rrf", Reranked(0.5, 0), 0.3)
	near(t, "importance", Reranked(0, 0.5), 0.2)
}

func TestRecency(t *testing.T) {
	day := 24 * time.Hour
	near(t, "now", Recency(0), 1)
	near(t, "in the future", Recency(-day), 1)
	near(t, "a month", Recency(30*day), math.Exp(-1))
	near(t, "an hour", Recency(time.Hour), math.Exp(-1.0/720))
	near(t, "a century", Recency(36500*day), 0)
}

func TestJaccard(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want float64
	}{
		{nil, nil, 0}, {[]string{"x"}, nil, 0}, {[]string{"x"}, []string{"x"}, 1}, {[]string{"x"}, []string{"y"}, 0},
		{[]string{"x", "y"}, []string{"y", "z"}, 1.0 / 3}, {[]string{"a", "b", "c", "d"}, []string{"d"}, 0.25},
	} {
		near(t, "jaccard", Jaccard(c.a, c.b), c.want)
		near(t, "the other way", Jaccard(c.b, c.a), c.want)
	}
}

// Small sets are compared pair by pair, large ones with a map. Both give the same result.
func TestJaccardOfLargeSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := rapid.SliceOfNDistinct(rapid.IntRange(0, 99), 0, 60, rapid.ID[int])
		a, b := sets.Draw(t, "a"), sets.Draw(t, "b")
		both := 0
		for _, x := range a {
			if slices.Contains(b, x) {
				both++
			}
		}
		want := 0.0
		if union := len(a) + len(b) - both; union > 0 {
			want = float64(both) / float64(union)
		}
		if got := Jaccard(a, b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
