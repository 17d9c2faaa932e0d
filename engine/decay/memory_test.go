package decay

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func at(d int, hours float64) time.Time {
	return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC).Add(time.Duration(hours * float64(time.Hour)))
}

func TestAnchor(t *testing.T) {
	m := Memory{
		Class: graph.DecayMedium, CreatedAt: at(1, 9), AnchorAt: at(6, 12),
		Days: []int32{graph.Day(at(1, 0)), graph.Day(at(4, 0)), graph.Day(at(9, 0))}, LastUse: at(9, 15), Usage: 3,
	}
	for _, c := range []struct{ t, want time.Time }{
		{at(1, 0), at(1, 9)},            // before its birth
		{at(1, 20), at(1, 9)},           // the use day began before the birth
		{at(3, 0), at(1, 9)},            // between
		{at(4, 0), at(4, 0)},            // the use day counts from its start
		{at(4, 0).Add(-1), at(1, 9)},    // before the use day
		{at(6, 12), at(6, 12)},          // the reinforcement, at its instant
		{at(6, 12).Add(-1), at(4, 0)},   // before the reinforcement
		{at(9, 1), at(9, 0)},            // the day of the last use, before it
		{at(9, 15), at(9, 15)},          // the last use to the millisecond
		{at(30, 0), at(9, 15)},          // long after
		{at(30, 0).Local(), at(9, 15)},  // in another time zone
		{at(9, 0).Add(-1), at(6, 12)},   // the reinforcement is later than the use before it
		{time.Time{}, at(1, 9)},         // the zero time is long before
		{at(400, 0), at(9, 15)},         // a year later
		{m.CreatedAt, m.CreatedAt},      // its birth
		{m.LastUse.Add(-1), at(9, 0)},   // just before the last use
		{m.LastUse.Add(1), m.LastUse},   // just after
		{m.AnchorAt.Add(1), m.AnchorAt}, // just after the reinforcement
	} {
		if got := Anchor(m, c.t); !got.Equal(c.want) {
			t.Errorf("at %v: anchor %v, want %v", c.t, got, c.want)
		}
	}
}

func TestReinforcementAfterTheLastUse(t *testing.T) {
	m := Memory{Class: graph.DecayMedium, CreatedAt: at(1, 0), AnchorAt: at(8, 0), LastUse: at(5, 0), Days: []int32{graph.Day(at(5, 0))}}
	if got := Anchor(m, at(9, 0)); !got.Equal(at(8, 0)) {
		t.Errorf("anchor %v, want the reinforcement", got)
	}
	if got := Anchor(m, at(7, 0)); !got.Equal(at(5, 0)) {
		t.Errorf("anchor %v, want the use", got)
	}
}

func TestPermanent(t *testing.T) {
	m := Memory{Class: graph.DecayFast, K: 3, CreatedAt: at(1, 0), Permanent: true}
	if got := RetentionAt(m, at(1000, 0)); got != 1 {
		t.Errorf("a permanent memory kept %v", got)
	}
}

func draw(t *rapid.T) Memory {
	born := at(1, rapid.Float64Range(0, 2400).Draw(t, "born")).Truncate(time.Millisecond)
	m := Memory{
		Class:     rapid.SampledFrom(graph.DecayClasses).Draw(t, "class"),
		CreatedAt: born, Important: rapid.Bool().Draw(t, "important"),
		Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
	}
	if rapid.Bool().Draw(t, "reinforced") {
		m.AnchorAt = born.Add(time.Duration(rapid.Float64Range(0, 1500).Draw(t, "anchor") * float64(time.Hour)))
	}
	uses := rapid.SliceOfN(rapid.Float64Range(0, 1500), 0, 8).Draw(t, "uses")
	slices.Sort(uses)
	for _, hours := range uses {
		m.LastUse = born.Add(time.Duration(hours * float64(time.Hour)))
		m.Usage++
		if d := graph.Day(m.LastUse); !slices.Contains(m.Days, d) {
			m.Days = append(m.Days, d)
		}
	}
	return m
}

// The anchor is never after t and never before the creation. Between two events retention only
// falls, and it is always in [0,1].
func TestRetentionAtIsACurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := draw(t)
		a := m.CreatedAt.Add(time.Duration(rapid.Float64Range(-100, 3000).Draw(t, "t") * float64(time.Hour)))
		b := a.Add(time.Duration(rapid.Float64Range(0, 500).Draw(t, "dt") * float64(time.Hour)))
		ra, rb := RetentionAt(m, a), RetentionAt(m, b)
		for _, r := range []float64{ra, rb} {
			if !(r >= 0 && r <= 1) {
				t.Fatalf("retention %v", r)
			}
		}
		anchor := Anchor(m, a)
		if anchor.Before(m.CreatedAt) || (anchor.After(a) && !anchor.Equal(m.CreatedAt)) {
			t.Fatalf("anchor %v at %v, born %v", anchor, a, m.CreatedAt)
		}
		if Anchor(m, b).Equal(anchor) && rb > ra {
			t.Fatalf("without an event retention rose from %v to %v", ra, rb)
		}
	})
}

// If only the days of use are known, the anchor agrees with a linear scan over them.
func TestAnchorAgreesWithAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := draw(t)
		x := m.CreatedAt.Add(time.Duration(rapid.Float64Range(-48, 2000).Draw(t, "t") * float64(time.Hour)))
		want := m.CreatedAt
		candidates := []time.Time{m.AnchorAt, m.LastUse}
		for _, d := range m.Days {
			candidates = append(candidates, time.Unix(int64(d)*86400, 0))
		}
		for _, c := range candidates {
			if !c.IsZero() && !c.After(x) && c.After(want) {
				want = c
			}
		}
		if got := Anchor(m, x); !got.Equal(want) {
			t.Fatalf("anchor %v, want %v", got, want)
		}
	})
}

func ExampleRetentionAt() {
	born := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m := Memory{Class: graph.DecayMedium, CreatedAt: born, Confidence: 0.5}
	for _, days := range []int{0, 14, 28} {
		fmt.Printf("day %d: %.2f\n", days, RetentionAt(m, born.AddDate(0, 0, days)))
	}
	// Output:
	// day 0: 1.00
	// day 14: 0.50
	// day 28: 0.25
}

// At the instant that ReachesLevel returns, the retention equals the level.
func TestReachesLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		born := time.Date(2026, 2, 19, 0, 0, 0, 0, time.UTC)
		m := Memory{
			Class: rapid.SampledFrom(graph.DecayClasses).Draw(t, "class"), K: rapid.SampledFrom([]float64{0, 0, 0.01, 5}).Draw(t, "k"), CreatedAt: born,
			Usage: rapid.IntRange(0, 50).Draw(t, "usage"), Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"), Permanent: rapid.Bool().Draw(t, "permanent"),
		}
		level := rapid.Float64Range(0.01, 0.99).Draw(t, "level")
		at, falls := ReachesLevel(m, level, born)
		if never := m.Permanent || m.Class == graph.DecayNone && m.K == 0; falls == never {
			t.Fatalf("falls %v", falls)
		}
		if falls && math.Abs(RetentionAt(m, at)-level) > 1e-6 {
			t.Fatalf("%v is left, want %v", RetentionAt(m, at), level)
		}
	})
	if _, falls := ReachesLevel(Memory{Class: graph.DecayFast}, 1, time.Time{}); falls {
		t.Error("level 1 was accepted")
	}
}
