package conflict

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// pair is two texts and whether they contradict each other ("conflict" or "none").
type pair struct {
	A, B, Kind, Expected string
}

// outcome reports whether a pair is right: a contradiction needs 0.7, no contradiction must stay
// below 0.2.
func outcome(p pair, score float64) bool {
	if p.Expected == "conflict" {
		return score >= 0.7
	}
	return score < 0.2
}

func readPairs(t testing.TB, file string) []pair {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var ps []pair
	if err := json.Unmarshal(raw, &ps); err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Expected != "conflict" && p.Expected != "none" {
			t.Fatalf("%s: expected %q", file, p.Expected)
		}
	}
	return ps
}

// bars are the required shares of right answers of each class.
type bars struct{ conflict, none float64 }

// confusion scores the pairs of a file, logs a table by kind, and fails if the share of right
// answers of a class is below its bar.
func confusion(t *testing.T, file string, least int, bar bars) {
	t.Helper()
	ps := readPairs(t, file)
	if len(ps) < least {
		t.Fatalf("%d pairs, want at least %d", len(ps), least)
	}
	right, all := map[string]int{}, map[string]int{}
	var wrong []string
	for _, p := range ps {
		r := Score(Statement{Text: p.A}, Statement{Text: p.B})
		row := p.Expected + " " + p.Kind
		for _, k := range []string{row, p.Expected} {
			all[k]++
			if outcome(p, r.Score) {
				right[k]++
			}
		}
		if !outcome(p, r.Score) {
			wrong = append(wrong, fmt.Sprintf("%-22s %.2f %s | %s", row, r.Score, p.A, p.B))
		}
	}
	var rows []string
	for k := range all {
		rows = append(rows, k)
	}
	slices.Sort(rows)
	var table strings.Builder
	for _, k := range rows {
		fmt.Fprintf(&table, "%-24s %3d of %3d\n", k, right[k], all[k])
	}
	t.Logf("\n%s\n%s", table.String(), strings.Join(wrong, "\n"))
	for class, bar := range map[string]float64{"conflict": bar.conflict, "none": bar.none} {
		if share := float64(right[class]) / float64(all[class]); share < bar {
			t.Errorf("%s: %.3f right, want %.2f", class, share, bar)
		}
	}
}

func TestPairs(t *testing.T) { confusion(t, "testdata/pairs.json", 600, bars{0.95, 0.99}) }

// TestHeldOut runs pairs that were written after the rules. No rule was made for them.
func TestHeldOut(t *testing.T) { confusion(t, "testdata/heldout.json", 80, bars{0.85, 0.98}) }

// TestWordings runs pairs that say the same, or exclude each other, in different words. They were
// written on two occasions before any rule for them. Rules were then made for this half.
func TestWordings(t *testing.T) { confusion(t, "testdata/wordings.json", 220, bars{0.75, 0.97}) }

// TestKept runs the other half, for which no rule was made.
func TestKept(t *testing.T) { confusion(t, "testdata/kept.json", 220, bars{0.58, 0.97}) }

// TestSpoken runs a third set, of how people speak of changes. Rules were made for it.
func TestSpoken(t *testing.T) { confusion(t, "testdata/spoken.json", 200, bars{0.72, 0.99}) }

// TestUnseen runs pairs of the same set that were written before it. No rule was made for them.
func TestUnseen(t *testing.T) { confusion(t, "testdata/unseen.json", 60, bars{0.4, 0.96}) }
