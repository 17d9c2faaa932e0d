package retrieval

import (
	"math"
	"testing"
	"time"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestRecallByHand(t *testing.T) {
	found := []string{"a", "x", "b", "y", "z", "c", "q", "r", "s", "t", "d"}
	for _, x := range []struct {
		evidence []string
		k        int
		want     float64
	}{
		{[]string{"a"}, 5, 1},
		{[]string{"a", "b"}, 5, 1},
		{[]string{"a", "c"}, 5, 0.5},              // c stands on place 6
		{[]string{"a", "c"}, 10, 1},               //
		{[]string{"a", "b", "c", "d"}, 10, 0.75},  // d stands on place 11
		{[]string{"d"}, 10, 0},                    //
		{[]string{"a", "a", "missing"}, 10, 0.5},  // evidence named twice is one
		{[]string{"m1", "m2", "a"}, 5, 1.0 / 3.0}, //
		{nil, 5, 0},
	} {
		if got := Recall(found, x.evidence, x.k); !near(got, x.want) {
			t.Errorf("Recall(%v, k=%d) = %v, want %v", x.evidence, x.k, got, x.want)
		}
	}
	if got := Recall([]string{"a", "a", "b"}, []string{"a", "b"}, 2); !near(got, 0.5) {
		t.Errorf("a key found twice: %v, want 0.5", got)
	}
	if got := Recall([]string{"a"}, []string{"a", "b"}, 10); !near(got, 0.5) {
		t.Errorf("fewer hits than k: %v, want 0.5", got)
	}
}

func TestReciprocalRankByHand(t *testing.T) {
	found := []string{"x", "y", "a", "z", "b", "1", "2", "3", "4", "5", "late"}
	for want, evidence := range map[float64][]string{
		1:         {"x"},
		1.0 / 3.0: {"b", "a"}, // the first one counts
		0.2:       {"b"},
		0:         {"late"}, // place 11 is out of sight
	} {
		if got := ReciprocalRank(found, evidence); !near(got, want) {
			t.Errorf("ReciprocalRank(%v) = %v, want %v", evidence, got, want)
		}
	}
	if got := ReciprocalRank(nil, []string{"a"}); got != 0 {
		t.Errorf("nothing found: %v, want 0", got)
	}
}

func TestPercentileIsNearestRank(t *testing.T) {
	var values []time.Duration
	for i := 20; i >= 1; i-- {
		values = append(values, time.Duration(i))
	}
	for p, want := range map[float64]time.Duration{0.5: 10, 0.95: 19, 1: 20, 0.01: 1} {
		if got := Percentile(values, p); got != want {
			t.Errorf("Percentile(1..20, %v) = %d, want %d", p, got, want)
		}
	}
	if got := Percentile([]time.Duration{7}, 0.95); got != 7 {
		t.Errorf("of one value: %d, want 7", got)
	}
	if got := Percentile(nil, 0.5); got != 0 {
		t.Errorf("of none: %d, want 0", got)
	}
	if values[0] != 20 {
		t.Error("Percentile reordered its argument")
	}
}

func TestTableByHand(t *testing.T) {
	ms := time.Millisecond
	rows := Table([]Answer{
		{"when", []string{"a"}, []string{"a", "b"}, 2 * ms},                          // 1, 1, 1
		{"when", []string{"a"}, []string{"b", "a"}, 4 * ms},                          // 1, 1, 1/2
		{"how", []string{"a", "b"}, []string{"x", "x", "x", "a", "x", "b"}, 10 * ms}, // 1/2, 1, 1/4
		{"how", []string{"a"}, nil, 6 * ms},                                          // 0, 0, 0
	})
	want := []Row{
		{"how", 2, 0.25, 0.5, 0.125, 1.0 / 6, 3, 6, 10},
		{"when", 2, 1, 1, 0.75, 0.5, 2, 2, 4},
		{All, 4, 0.625, 0.75, 0.4375, 1.0 / 3, 2.5, 4, 10},
	}
	if len(rows) != len(want) {
		t.Fatalf("rows = %+v", rows)
	}
	for i, w := range want {
		if g := rows[i]; g.Category != w.Category || g.Questions != w.Questions || !near(g.R5, w.R5) || !near(g.R10, w.R10) ||
			!near(g.MRR, w.MRR) || !near(g.Precision, w.Precision) || !near(g.Hits, w.Hits) || !near(g.P50, w.P50) || !near(g.P95, w.P95) {
			t.Errorf("row %d = %+v, want %+v", i, g, w)
		}
	}
	if rows := Table(nil); len(rows) != 1 || rows[0].Questions != 0 || rows[0].R5 != 0 {
		t.Errorf("of no answers: %+v", rows)
	}
}
