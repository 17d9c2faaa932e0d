package evaluation

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/models/hashed"
)

func options(t *testing.T, only ...string) Options {
	return Options{Dir: t.TempDir(), Seed: 1, Quick: true, Only: only, Embedder: hashed.New(), Note: func(string) {}}
}

// floors are far below the goals: they detect a broken evaluation, not a memory that could be
// better.
var floors = map[string]map[string]func(float64) bool{
	"recall":       {"recall at day 30": above(0.4), "… by rule, about people and things": above(0.7)},
	"drift":        {"belief untouched": above(0.95)},
	"correction":   {"applied by supersede": above(0.99), "correction holds at day 14": above(0.2)},
	"adjudication": {"wrong updates": below(0.01), "… development worlds: right decisions": above(0.6), "… held-out worlds: right decisions": above(0.6)},
	"repeat":       {"did not need to repeat": above(0.6)},
	"nights":       {"gold kept": above(0.6), "noise gone": above(0.3)},
	"distil":       {"key facts kept": above(0.9), "repeated episodes folded": above(0.25), "tokens saved in the worst night": func(n float64) bool { return n >= 0 }},
	"compression":  {"… of any history": func(x float64) bool { return x > 0 && x < 5 }, "key facts kept in the context": above(0.3)},
	"forgetting":   {"recall of the others moved by": below(0.15), "erased and still returned": below(0)},
	"archive":      {"recall lost, nearest embedded again": below(0.1)},
}

func above(floor float64) func(float64) bool {
	return func(x float64) bool { return x >= floor && x <= 1 }
}
func below(roof float64) func(float64) bool { return func(x float64) bool { return x <= roof } }

func TestEveryMeasureQuickly(t *testing.T) {
	if len(floors) != len(Measures) {
		t.Errorf("%d measures, %d with floors", len(Measures), len(floors))
	}
	names := Names()
	if testing.Short() {
		// The race detector is ten times slower, and two measures are enough for it.
		names = []string{"drift", "forgetting"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := Run(t.Context(), options(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Outcomes) != 1 || report.Outcomes[0].Measure != name {
				t.Fatalf("outcomes %+v", report.Outcomes)
			}
			out := report.Outcomes[0]
			for figure, holds := range floors[name] {
				i := slices.IndexFunc(out.Figures, func(f Figure) bool { return f.Name == figure })
				if i < 0 {
					t.Fatalf("there is no figure %q", figure)
				}
				if f := out.Figures[i]; !holds(f.Value) || f.N == 0 {
					t.Errorf("%s is %v over %d", figure, f.Value, f.N)
				}
			}
		})
	}
}

func TestUnknownMeasure(t *testing.T) {
	if _, err := Run(t.Context(), options(t, "recall", "luck")); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), `"luck"`) {
		t.Errorf("error = %v", err)
	}
}

func TestReports(t *testing.T) {
	r := &Report{Version: "v1", Seed: 4, Embedder: "e", Outcomes: []Outcome{{Measure: "recall", About: "What counts.", Seconds: 2}}}
	o := &r.Outcomes[0]
	o.figure("day 7", 0.5, 10, Goal{">=", 0.92}, "a note")
	o.figure("of them", 1, 3, Goal{}, "")
	for range 5 {
		o.miss("day 7", "not found", "told this", "asked that")
	}
	o.miss("day 7", "faded", "told other", "")
	if got := []string{o.Figures[0].Verdict(), o.Figures[1].Verdict()}; !slices.Equal(got, []string{"SHORT", ""}) {
		t.Errorf("verdicts %q", got)
	}
	var table, markdown, raw bytes.Buffer
	if err := errors.Join(r.Table(&table), r.Markdown(&markdown), r.JSON(&raw)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"recall (2 s)", "0.500  ≥ 0.92   SHORT  n 10", "1.000"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &table)
		}
	}
	for _, want := range []string{"seed 4", "| recall | day 7 | 0.500 | ≥ 0.92 | SHORT | 10 | a note |", "not found, 5 ×", "faded, 1 ×"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &markdown)
		}
	}
	if n := strings.Count(markdown.String(), "told this"); n != shownMisses {
		t.Errorf("%d misses of one reason are shown", n)
	}
	var back struct {
		Seed     uint64
		Measures []struct {
			Figures []struct {
				Name, Verdict string
				Value         float64
				Goal          *float64
			}
			Misses []struct{ Reason string }
		}
	}
	if err := json.Unmarshal(raw.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if m := back.Measures[0]; back.Seed != 4 || len(m.Misses) != 6 || m.Figures[0].Verdict != "SHORT" || *m.Figures[0].Goal != 0.92 || m.Figures[1].Goal != nil {
		t.Errorf("JSON: %s", &raw)
	}
}
