package gate

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name             string
		belief           Candidate
		quorum, required float64
		want             Decision
	}{
		{"nothing near", Candidate{0, 0}, 5, 0.8, Stored},
		{"on both thresholds", Candidate{0.3, 0.7}, 5, 0.8, Stored},
		{"says the same", Candidate{0.3, 0.71}, 0, 0.8, Merged},
		{"contradicts with enough", Candidate{0.31, 0}, 0.8, 0.8, Replaced},
		{"contradicts, alike, with enough", Candidate{0.9, 0.99}, 1, 0.8, Replaced},
		{"contradicts without enough", Candidate{0.31, 0.99}, 0.79, 0.8, Rejected},
		{"a sum of fractions that is the quorum", Candidate{1, 1}, 0.1 + 0.7, 0.8, Replaced},
		{"without any evidence", Candidate{1, 1}, 0, 0.8, Rejected},
	} {
		if got := Decide(c.belief, c.quorum, c.required); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	if got := Choose(nil); got != -1 {
		t.Errorf("of none: %d", got)
	}
	if got := Choose([]Candidate{{0.2, 0.5}, {0.9, 0.1}, {0, 0.9}, {0.1, 0.3}}); got != 1 {
		t.Errorf("chose %d, want the first of the highest", got)
	}
	if got := Choose([]Candidate{{0, SimilarityAbove}, {0.6, 0.2}}); got != 1 {
		t.Errorf("chose %d, want the belief that the fact contradicts", got)
	}
	if got := Choose([]Candidate{{0, 0}}); got != 0 {
		t.Errorf("of one: %d", got)
	}
}

func TestQuorum(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []Evidence
		want  float64
	}{
		{"none", nil, 0},
		{"one", []Evidence{{"a", 0.9, 1, 0.9}}, 0.81},
		{"a principal counts once, with its best", []Evidence{{"a", 0.5, 1, 0.5}, {"a", 0.9, 1, 0.9}, {"a", 0.2, 1, 1}}, 0.81},
		{"two principals add up", []Evidence{{"a", 0.5, 1, 1}, {"b", 0.3, 1, 1}}, 0.8},
		{"nobody is believed above the grant", []Evidence{{"a", 1, 0.3, 1}, {"b", 1, 0.2, 0.5}}, 0.4},
	} {
		if got := Quorum(c.items); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The items of one principal together never count for more than its grant.
func TestManyItemsOfOnePrincipalAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Float64Range(0, 1)
		grant := unit.Draw(t, "grant")
		n := rapid.IntRange(1, 50).Draw(t, "items")
		items := make([]Evidence, n)
		for i := range items {
			items[i] = Evidence{"flooder", unit.Draw(t, "weight"), grant, unit.Draw(t, "confidence")}
		}
		if got := Quorum(items); got > grant {
			t.Fatalf("quorum %v above the grant %v", got, grant)
		}
	})
}
