package extract

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
)

type labelled struct {
	text       string
	statements []string // subject|predicate|object
	names      []string
}

func readLabelled(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open("testdata/labelled.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	fresh := true
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			fresh = true
		case strings.HasPrefix(line, "= "):
			parts := strings.Split(line[2:], " | ")
			out[len(out)-1].statements = append(out[len(out)-1].statements, strings.Join(parts, "|"))
		case strings.HasPrefix(line, "@ "):
			out[len(out)-1].names = strings.Split(line[2:], ", ")
		case fresh:
			out = append(out, labelled{text: line})
			fresh = false
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	return out
}

// tally counts the labels that were found, those found rightly, and all.
type tally struct{ right, found, there int }

func (n *tally) add(t *testing.T, what, text string, got, want []string) {
	n.found += len(got)
	n.there += len(want)
	for _, g := range got {
		if slices.Contains(want, g) {
			n.right++
		} else {
			t.Logf("%s too many in %q: %s", what, text, g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Logf("%s missed in %q: %s", what, text, w)
		}
	}
}

func (n tally) check(t *testing.T, what string, precision, recall float64) {
	t.Helper()
	p, r := float64(n.right)/float64(n.found), float64(n.right)/float64(n.there)
	t.Logf("%s: precision %.3f (%d of %d), recall %.3f (%d of %d)", what, p, n.right, n.found, r, n.right, n.there)
	if p < precision || r < recall {
		t.Errorf("%s: precision %.3f and recall %.3f, want at least %.2f and %.2f", what, p, r, precision, recall)
	}
}

// Precision and recall on texts that the rules were not written for. Run with -v to see what is
// missed.
func TestLabelledTexts(t *testing.T) {
	all := readLabelled(t)
	if len(all) < 90 {
		t.Fatalf("%d texts", len(all))
	}
	var statements, names tally
	for _, l := range all {
		h := Hints{Speaker: "Nadia"}
		var got []string
		for _, s := range Statements(l.text, h) {
			got = append(got, s.Subject+"|"+s.Predicate+"|"+s.Object)
		}
		statements.add(t, "statement", l.text, got, l.statements)
		got = nil
		for _, e := range Text(l.text, h).Entities {
			got = append(got, e.Name)
		}
		names.add(t, "name", l.text, got, l.names)
	}
	statements.check(t, "statements", 0.9, 0.9)
	names.check(t, "names", 0.9, 0.9)
}
