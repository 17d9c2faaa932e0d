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

// figures counts what the certainties of the rows of a set lead to.
type figures struct {
	updates, ordered, revised int
	others, wrong, rivals     int
	traps, trapsWrong         int
}

func (f figures) String() string {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("updates %d: ordered %.3f, revised %.3f; compatible and same %d: wrongly revised %d, rivals %d; traps %d: wrongly revised or rivals %d",
		f.updates, share(f.ordered, f.updates), share(f.revised, f.updates), f.others, f.wrong, f.rivals, f.traps, f.trapsWrong)
}

func measure(rows []row, certainty func(row) float64) (f figures) {
	for _, r := range rows {
		c := certainty(r)
		count := func(n *int, ok bool) {
			if ok {
				*n++
			}
		}
		switch r.label {
		case '+', 'x':
			f.updates++
			count(&f.ordered, c >= Rivals)
			count(&f.revised, c >= Revises)
		case '!':
			f.traps++
			count(&f.trapsWrong, c >= Rivals)
		default:
			f.others++
			count(&f.wrong, c >= Revises)
			count(&f.rivals, c >= Rivals && c < Revises)
		}
	}
	return f
}

func certaintyOf(r row) float64 {
	return Relate(Statement{Text: r.earlier}, Statement{Text: r.later}).Certainty
}

// TestUnseenSet keeps the figures of a set under testdata from which the trees did not learn.
func TestUnseenSet(t *testing.T) {
	f := measure(readRows(t, "unseen.txt"), certaintyOf)
	t.Log(f)
	if float64(f.ordered) < 0.86*float64(f.updates) || float64(f.revised) < 0.33*float64(f.updates) || f.wrong > 3 || f.rivals > 75 || f.trapsWrong > 17 {
		t.Errorf("unseen.txt: %v", f)
	}
}

// The sentences of the documentation revise each other.
func TestPlainUpdatesRevise(t *testing.T) {
	for _, r := range []row{
		{'+', "I live in Oslo.", "I live in Bergen."},
		{'+', "I live in Oslo.", "I moved to Bergen."},
		{'+', "I work at Acme.", "I work at Initech now."},
		{'+', "The log level is info.", "The log level is debug."},
		{'+', "log level: info", "log level: debug"},
		{'+', "Standup starts at 9:15.", "Standup starts at 10:00."},
		{'+', "My name is Ana Berg.", "My name is Ana Holt."},
		{'+', "We use tabs for indentation.", "We switched from tabs to spaces for indentation."},
		{'+', "I drink coffee.", "I don't drink coffee any more."},
		{'+', "The billing service is owned by Team Falcon.", "The billing service is owned by Team Heron."},
		{'x', "The budget is 30,000 euros.", "Correction: the budget is 35,000 euros."},
	} {
		if c := certaintyOf(r); c < Revises {
			t.Errorf("%.2f %s => %s", c, r.earlier, r.later)
		}
	}
}
