package ingest_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// spanRow is a line of a set under testdata: what ends, and when.
type spanRow struct {
	label          byte // e at once, d and b on a day to come, - and k never
	earlier, later string
	days           int // after which it is over
}

func readSpanRows(t *testing.T, name string) (rows []spanRow) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		text, days, _ := strings.Cut(line[2:], " @")
		r := spanRow{label: line[0]}
		r.earlier, r.later, _ = strings.Cut(text, " => ")
		if days != "" {
			if r.days, err = strconv.Atoi(days); err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// hasEnded reports whether nothing of what a memory states holds at an instant.
func hasEnded(m *graph.Memory, at time.Time) bool {
	return m.Status() != graph.Active || lifecycle.IsOver(m, at)
}

// spanFigures counts the rows of a set by their labels: all, and those that are answered as their label says.
type spanFigures struct{ all, right map[byte]int }

func (f spanFigures) String() string {
	return fmt.Sprintf("ended at once %d of %d, on a date %d of %d, stays over %d of %d; wrongly ended %d of %d pairs and %d of %d statements",
		f.right['e'], f.all['e'], f.right['d'], f.all['d'], f.right['b'], f.all['b'], f.all['-']-f.right['-'], f.all['-'], f.all['k']-f.right['k'], f.all['k'])
}

// measureSpans states each row as another user and looks at the earlier statement at once and on its day.
func measureSpans(t *testing.T, rows []spanRow) (f spanFigures) {
	w := enginetest.New(t)
	f.all, f.right = map[byte]int{}, map[byte]int{}
	ids := make([]graph.ID, len(rows))
	for i, r := range rows {
		ids[i] = w.Remember(r.earlier, by(fmt.Sprintf("user%d", i), "a")).Memory.ID
	}
	w.Clock.Advance(time.Minute)
	for i, r := range rows {
		if r.later != "" {
			w.Remember(r.later, by(fmt.Sprintf("user%d", i), "b"))
		}
	}
	w.Clock.Advance(time.Minute)
	now := w.Clock.Now()
	for i, r := range rows {
		m := view(w, ids[i]).Memory
		ended := slices.ContainsFunc(m.Claims, func(c graph.Claim) bool { return c.State().RevisedBy != "" || !c.State().ValidTo.IsZero() })
		right := false
		switch r.label {
		case 'e':
			right = hasEnded(m, now)
		case 'd', 'b':
			right = !hasEnded(m, now) && hasEnded(m, now.AddDate(0, 0, r.days))
		default:
			right = m.Status() == graph.Active && !ended
		}
		f.all[r.label]++
		if right {
			f.right[r.label]++
		}
		if *showRows && !right && r.later != "" {
			t.Log(ingest.ReasonOf(m, w.Remember(r.later, by(fmt.Sprintf("user%d", i), "b")).Memory.Memory))
		}
		if *showRows && !right {
			t.Logf("%c %s => %s: %s %+v", r.label, r.earlier, r.later, m.Status(), m.Claims)
		}
	}
	return f
}

// What ends, when a stay is over and from when a plan holds. The rules were made on the first set; the others were written after
// them, the second after the rules had been mended by the first, and the third after they had been mended by the second.
func TestSpans(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for _, x := range []struct {
		set                    string
		ended, dated, stays    int // at least
		wrongPairs, wrongStays int // at most
	}{
		{"spans_dev.txt", 77, 31, 32, 0, 0},
		{"spans_heldout.txt", 38, 16, 13, 0, 0},
		{"spans_heldout2.txt", 23, 9, 7, 2, 0},
		{"spans_heldout3.txt", 13, 3, 3, 0, 0},
	} {
		t.Run(x.set, func(t *testing.T) {
			f := measureSpans(t, readSpanRows(t, x.set))
			t.Log(f)
			if f.right['e'] < x.ended || f.right['d'] < x.dated || f.right['b'] < x.stays || f.all['-']-f.right['-'] > x.wrongPairs || f.all['k']-f.right['k'] > x.wrongStays {
				t.Errorf("%s, want %+v", f, x)
			}
		})
	}
}
