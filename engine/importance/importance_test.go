package importance

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

const day = 24 * time.Hour

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestNow(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Input
		want float64
	}{
		{"fresh, never used, no question", Input{Relevance: NoQuery}, 0.5},
		{"a month old", Input{SinceAccess: 30 * day}, 0.3 * math.Exp(-1)},
		{"just under a day is boosted", Input{SinceAccess: day - time.Nanosecond}, 0.3},
		{"a day is not", Input{SinceAccess: day}, 0.3 * math.Exp(-1.0/30)},
		{"used a thousand times", Input{SinceAccess: 3000 * day, Usage: 1000}, 0.3},
		{"used a million times", Input{SinceAccess: 3000 * day, Usage: 1_000_000}, 0.3},
		{"used 30 times", Input{SinceAccess: 3000 * day, Usage: 30}, 0.3 * math.Log(31) / math.Log(1001)},
		{"relevant", Input{SinceAccess: 3000 * day, Relevance: 1}, 0.4},
		{"semantic", Input{SinceAccess: 3000 * day, Relevance: 1, Type: graph.Semantic}, 0.44},
		{"procedural", Input{SinceAccess: 3000 * day, Relevance: 1, Type: graph.Procedural}, 0.46},
		{"episodic", Input{SinceAccess: 3000 * day, Relevance: 1, Type: graph.Episodic}, 0.4},
		{"marked", Input{SinceAccess: 3000 * day, Relevance: 1, Important: true}, 0.6},
		{"all of it is at most 1", Input{Usage: 5000, Relevance: 1, Type: graph.Procedural, Important: true}, 1},
		{"a cosine below 0", Input{SinceAccess: 3000 * day, Relevance: -0.4}, 0},
		{"used in the future", Input{SinceAccess: -day}, 0.3},
	} {
		near(t, c.name, Now(c.in), c.want)
	}
}

func TestNowIsInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{
			SinceAccess: time.Duration(rapid.Int64().Draw(t, "since")), Usage: rapid.Int().Draw(t, "usage"),
			Relevance: rapid.Float64Range(-2, 2).Draw(t, "relevance"), Type: rapid.SampledFrom(graph.Types).Draw(t, "type"),
			Important: rapid.Bool().Draw(t, "important"),
		}
		got := Now(in)
		if !(got >= 0 && got <= 1) {
			t.Fatalf("%+v: %v", in, got)
		}
		later := in
		if in.SinceAccess < math.MaxInt64-day {
			later.SinceAccess += day
			if Now(later) > got {
				t.Fatalf("a day later it matters more: %v, before %v", Now(later), got)
			}
		}
	})
}

func TestRaised(t *testing.T) {
	for _, c := range []struct {
		name      string
		stored    float64
		days      int
		retention float64
		want      float64
	}{
		{"never used", 0.5, 0, 1, 0.5},
		{"one day", 0.5, 1, 1, 0.6},
		{"three days", 0.5, 3, 1, 0.864},
		{"at most 1", 0.5, 4, 1, 1},
		{"half of the raise is left", 0.5, 1, 0.5, 0.55},
		{"all of the raise is gone", 0.5, 9, 0, 0.5},
		{"nothing stays nothing", 0, 100, 1, 0},
		{"all stays all", 1, 3, 0.2, 1},
		{"tiny, often", 0.01, 1_000_000_000, 1, 1},
	} {
		near(t, c.name, Raised(c.stored, c.days, c.retention), c.want)
	}
}

func TestRaisedImportanceDecaysToStoredValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Float64Range(0, 1)
		stored, n := unit.Draw(t, "stored"), rapid.IntRange(0, 60).Draw(t, "days")
		a, b := unit.Draw(t, "retention"), unit.Draw(t, "other")
		low, high := Raised(stored, n, min(a, b)), Raised(stored, n, max(a, b))
		if !(stored <= low && low <= high && high <= 1) {
			t.Fatalf("stored %v, faded %v, fresh %v", stored, low, high)
		}
	})
}

func TestKeepWorth(t *testing.T) {
	old := 3000 * day
	for _, c := range []struct {
		name string
		s    KeepSignals
		want float64
	}{
		{"just born", KeepSignals{}, 0.2},
		{"a month old", KeepSignals{SinceCreation: 30 * day}, 0.2 * math.Exp(-1)},
		{"used today", KeepSignals{SinceCreation: old, Usage: 1}, 0.3},
		{"used twice, a week ago", KeepSignals{SinceCreation: old, SinceAccess: 7 * day, Usage: 2}, 0.3 * 2 / 8},
		{"central", KeepSignals{SinceCreation: old, Centrality: 1}, 0.2},
		{"critical by default", KeepSignals{SinceCreation: old, Criticality: 0.5}, 0.1},
		{"five relations", KeepSignals{SinceCreation: old, Relations: 5}, 0.05},
		{"more relations than count", KeepSignals{SinceCreation: old, Relations: 500}, 0.1},
		{"all", KeepSignals{Usage: 9, Centrality: 1, Criticality: 1, Relations: 10}, 1},
	} {
		near(t, c.name, KeepWorth(c.s), c.want)
	}
}

func TestShouldArchive(t *testing.T) {
	for _, c := range []struct {
		since           time.Duration
		salience, worth float64
		want            bool
	}{
		{31 * day, 0.1, 0.9, true}, {31 * day, 0.9, 0.1, true}, {31 * day, 0.2, 0.15, false},
		{30 * day, 0, 0, false}, {30*day + time.Millisecond, 0, 0, true}, {0, 0, 0, false},
	} {
		if got := ShouldArchive(c.since, c.salience, c.worth); got != c.want {
			t.Errorf("%v, S %v, worth %v: %v", c.since, c.salience, c.worth, got)
		}
	}
}

func TestHealth(t *testing.T) {
	near(t, "whole", Health(1, 1), 1)
	near(t, "sure but faded", Health(1, 0), 0.6)
	near(t, "fresh but unsure", Health(0, 1), 0.4)
	near(t, "as written", Health(0.7, 1), 0.82)
}

func ExampleRaised() {
	for _, retention := range []float64{1, 0.5, 0.1} {
		fmt.Printf("%.2f ", Raised(0.5, 2, retention))
	}
	// Output: 0.72 0.61 0.52
}
