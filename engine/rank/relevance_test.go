package rank

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestRelevanceHalvesWithTheLossOfEvidence(t *testing.T) {
	if got := Relevance(Evidence{1, 1, 1}); got != 1 {
		t.Errorf("full evidence: %v", got)
	}
	for _, e := range []Evidence{{0, 1, 1}, {1, 0, 1}} {
		if got := Relevance(e); math.Abs(got-0.5) > 1e-12 {
			t.Errorf("%+v: %v, want a half", e, got)
		}
	}
}

func evidences(t *rapid.T, label string) Evidence {
	unit := rapid.Float64Range(0, 1)
	return Evidence{unit.Draw(t, label+" semantic"), unit.Draw(t, label+" keyword"), unit.Draw(t, label+" coverage")}
}

func TestRelevanceIsAShareAndGrowsWithEachPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := evidences(t, "a"), evidences(t, "b")
		if r := Relevance(a); r <= 0 || r > 1 {
			t.Fatalf("relevance %v", r)
		}
		more := Evidence{max(a.Semantic, b.Semantic), max(a.Keyword, b.Keyword), max(a.Coverage, b.Coverage)}
		if Relevance(more) < Relevance(a) {
			t.Fatalf("%+v has more evidence than %+v and less relevance", more, a)
		}
		floor := rapid.Float64Range(0, 1).Draw(t, "floor")
		if a.AboveFloor(floor) && !more.AboveFloor(floor) {
			t.Fatalf("%+v is below the floor, %+v is not", more, a)
		}
	})
}
