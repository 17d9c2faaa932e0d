package evaluation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

func quick(t *testing.T, only ...string) Options {
	return Options{Dir: t.TempDir(), Seed: 1, Quick: true, Only: only, Embedder: hashed.New(), Note: func(string) {}}
}

// figure is the value of a figure in a column of a comparison.
func figure(t *testing.T, c *Comparison, column int, measure, name string) float64 {
	t.Helper()
	for _, r := range c.rows(measure) {
		if r.name == name && r.figures[column] != nil {
			return r.figures[column].Value
		}
	}
	t.Fatalf("%s has no %q in column %d", measure, name, column)
	return 0
}

// Retrieval also returns what was corrected.
func TestBaselinesStandBesideSomnograph(t *testing.T) {
	c, err := RunBaselines(t.Context(), quick(t, "recall", "correction"))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Columns) != 3 || c.Columns[0].Name != "somnograph" || c.Columns[1].Name != "retrieval" || c.Columns[2].Name != "buffer" {
		t.Fatalf("columns %+v", c.Columns)
	}
	const somnograph, retrieval = 0, 1
	if got := figure(t, c, retrieval, "recall", "recall at day 7"); got < 0.5 {
		t.Errorf("retrieval recalls %.3f", got)
	}
	if a, b := figure(t, c, somnograph, "correction", "correction holds at day 1"), figure(t, c, retrieval, "correction", "correction holds at day 1"); b >= a {
		t.Errorf("corrections hold in %.3f, in retrieval %.3f", a, b)
	}
	var table, markdown, raw strings.Builder
	if err := errors.Join(c.Table(&table), c.Markdown(&markdown), c.JSON(&raw)); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(table.String(), "\n"); !strings.Contains(lines[0], "somnograph") || !strings.Contains(lines[0], "buffer") || len(strings.Fields(lines[2])) < 4 {
		t.Errorf("%s", table.String())
	}
	if !strings.Contains(markdown.String(), "| measure | figure | somnograph | retrieval | buffer |") || !strings.Contains(raw.String(), `"name": "retrieval"`) {
		t.Errorf("%s\n%s", markdown.String(), raw.String())
	}
}

// The buffer has the last tokens, newest first; retrieval has everything, nearest first. Neither
// prompt exceeds its budget.
func TestBaselinesRemember(t *testing.T) {
	for _, kind := range Baselines {
		sim := &Simulation{measurement: &measurement{Options: quick(t), ctx: t.Context()}, plain: &plainMemory{kind: kind}}
		first := sim.plainRemember("Zephyrine repairs sails in the harbour.")[0]
		if hits := sim.plainAsk("Who repairs sails?", topK); len(hits) != 1 || hits[0].Memory.ID != first || !sim.plainPrompt("Who repairs sails?", first) {
			t.Fatalf("%s: %+v", kind, hits)
		}
		var last graph.ID
		for i := range 1000 {
			last = sim.plainRemember(fmt.Sprintf("Invoice %d for coils of rope was paid at noon.", i))[0]
		}
		hits := sim.plainAsk("Who repairs sails?", topK)
		switch kind {
		case Retrieval:
			if len(hits) != topK || hits[0].Memory.ID != first || !sim.plainPrompt("Who repairs sails?", first) {
				t.Errorf("%s: %+v", kind, hits[0].Memory.Content)
			}
		case Buffer:
			tokens := 0
			for _, h := range hits {
				tokens += prompt.Count(h.Memory.Content)
			}
			if hits[0].Memory.ID != last || tokens > prompt.DefaultBudget || tokens < prompt.DefaultBudget-20 || sim.plainPrompt("Who repairs sails?", first) || !sim.plainPrompt("", last) {
				t.Errorf("%s: %d tokens", kind, tokens)
			}
		}
	}
}

func TestBaselinesHaveNoOtherMeasures(t *testing.T) {
	if _, err := RunBaselines(t.Context(), quick(t, "archive")); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}

// Evidence that misses the quorum of the default reaches a lower one; the difference is the second
// minus the first.
func TestPoliciesAreCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lenient.json")
	if err := os.WriteFile(path, []byte(`{"quorum": 0.5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := RunPolicies(t.Context(), quick(t, "adjudication"), [2]string{"default", path})
	if err != nil {
		t.Fatal(err)
	}
	a, b := figure(t, c, 0, "adjudication", "wrong updates"), figure(t, c, 1, "adjudication", "wrong updates")
	if b <= a {
		t.Errorf("wrong updates: %.3f by the default, %.3f by half the quorum", a, b)
	}
	var table strings.Builder
	if err := c.Table(&table); err != nil || !strings.Contains(table.String(), "difference") || !strings.Contains(table.String(), "lenient") || !strings.Contains(table.String(), fmt.Sprintf("%+.3f", b-a)) {
		t.Errorf("%v\n%s", err, table.String())
	}
}

func TestReadPolicy(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if u, err := ReadPolicy("Financial"); err != nil || *u.Preset != "FINANCIAL" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err := ReadPolicy(write(`{"engraveDays": 7, "ttlSeconds": {"RESTRICTED": 60}}`)); err != nil || *u.EngraveDays != 7 || u.TTL["RESTRICTED"].Seconds() != 60 {
		t.Errorf("%+v, %v", u, err)
	}
	for text, want := range map[string]string{
		`{"quorum": 7}`: "quorum", `{"luck": 1}`: "luck", `{"ttl": {"INTERNAL": 5}}`: "ttlSeconds", `{"ttlSeconds": {"INTERNAL": 0}}`: "ttlSeconds", `{`: "EOF",
	} {
		if _, err := ReadPolicy(write(text)); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadPolicy("strictest"); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), "medical") {
		t.Errorf("%v", err)
	}
}

// Figures with one name are told apart by their order, also where a column lacks some.
func TestRowsAlign(t *testing.T) {
	report := func(figures ...Figure) *Report { return &Report{Outcomes: []Outcome{{Measure: "m", Figures: figures}}} }
	c := Comparison{Difference: true, Columns: []Column{
		{"a", report(Figure{Name: "x", Value: 1}, Figure{Name: "… part", Value: 2}, Figure{Name: "y", Value: 3}, Figure{Name: "… part", Value: 4})},
		{"b", report(Figure{Name: "x", Value: 1.5}, Figure{Name: "… part", Value: 2}, Figure{Name: "… part", Value: 5}, Figure{Name: "z", Value: 6})},
	}}
	var got []string
	for _, r := range c.rows("m") {
		got = append(got, r.name+" "+strings.Join(c.texts(r), " "))
	}
	want := "x 1.000 1.500 +0.500|… part 2.000 2.000 +0.000|y 3.000 – –|… part 4.000 5.000 +1.000|z – 6.000 –"
	if strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
}
