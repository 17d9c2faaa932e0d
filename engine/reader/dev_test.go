package reader

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// row is a pair of a development set.
type row struct {
	label          byte // + update, x correction, = same, - compatible, ! trap
	earlier, later string
}

func readRows(t *testing.T, name string) (rows []row) {
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		a, b, ok := strings.Cut(line[2:], " => ")
		if !ok {
			t.Fatalf("%s: no => in %q", name, line)
		}
		rows = append(rows, row{line[0], a, b})
	}
	return rows
}

// figures counts what a certainty does to the rows of a set.
type figures struct {
	updates, ordered, revised        int
	others, wronglyRevised, rivals   int
	traps, trapsRevised, trapsRivals int
}

func (f figures) String() string {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("updates %d: ordered %.3f, revised %.3f; compatible and same %d: revised %d, rivals %d; traps %d: revised %d, rivals %d",
		f.updates, share(f.ordered, f.updates), share(f.revised, f.updates), f.others, f.wronglyRevised, f.rivals, f.traps, f.trapsRevised, f.trapsRivals)
}

func measure(rows []row, certainty func(row) float64, miss func(row, float64)) (f figures) {
	for _, r := range rows {
		c := certainty(r)
		switch r.label {
		case '+', 'x':
			f.updates++
			if c >= Rivals {
				f.ordered++
			}
			if c >= Revises {
				f.revised++
			} else {
				miss(r, c)
			}
		case '!':
			f.traps++
			if c >= Revises {
				f.trapsRevised++
			} else if c >= Rivals {
				f.trapsRivals++
			}
			if c >= Rivals {
				miss(r, c)
			}
		default:
			f.others++
			if c >= Revises {
				f.wronglyRevised++
			} else if c >= Rivals {
				f.rivals++
			}
			if c >= Rivals {
				miss(r, c)
			}
		}
	}
	return f
}

// TestDevelopmentSets measures the sets under testdata. MISSES=1 prints the rows that are wrong.
func TestDevelopmentSets(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv("SETS")) {
		f := measure(readRows(t, name), func(r row) float64 {
			return Relate(Statement{Text: r.earlier}, Statement{Text: r.later}).Certainty
		}, func(r row, c float64) {
			if os.Getenv("MISSES") != "" {
				rel := Relate(Statement{Text: r.earlier}, Statement{Text: r.later})
				fmt.Printf("%c %.2f %-10s %s => %s\n", r.label, c, rel.Veto, r.earlier, r.later)
			}
		})
		fmt.Println(name, f)
	}
}
