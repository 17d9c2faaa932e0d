package evaluation

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Report is the result of a run.
type Report struct {
	Version  string
	Seed     uint64
	Quick    bool
	Embedder string
	Outcomes []Outcome
}

// Short returns the figures that miss their goals, as "measure: figure".
func (r *Report) Short() []string {
	var all []string
	for _, o := range r.Outcomes {
		for _, f := range o.Figures {
			if f.Verdict() == "SHORT" {
				all = append(all, o.Measure+": "+f.Name)
			}
		}
	}
	return all
}

// Table prints one line per figure.
func (r *Report) Table(w io.Writer) error {
	wide := 0
	for _, o := range r.Outcomes {
		for _, f := range o.Figures {
			wide = max(wide, len([]rune(f.Name)))
		}
	}
	p := &printer{w: w}
	for _, o := range r.Outcomes {
		p.printf("%s (%.0f s)\n", o.Measure, o.Seconds)
		for _, f := range o.Figures {
			p.printf("  %s%s  %6.3f  %-8s %-5s  n %d\n", f.Name, strings.Repeat(" ", wide-len([]rune(f.Name))), f.Value, f.Goal.text(), f.Verdict(), f.N)
		}
	}
	return p.err
}

func (g Goal) text() string {
	if g.Rule == "" {
		return ""
	}
	return fmt.Sprintf("%s %.2f", map[string]string{">=": "≥", ">": ">", "<=": "≤"}[g.Rule], g.Value)
}

// shownMisses is the number of misses that the Markdown report shows per reason.
const shownMisses = 3

// Markdown writes the report as Markdown.
func (r *Report) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.printf("# Quality of memory\n\nsomnograph %s, seed %d, embedder %s%s. How it is measured: docs/eval.md.\n\n", r.Version, r.Seed, r.Embedder, map[bool]string{true: ", quick"}[r.Quick])
	p.printf("| measure | figure | value | goal | verdict | cases | |\n|---|---|---|---|---|---|---|\n")
	for _, o := range r.Outcomes {
		for _, f := range o.Figures {
			p.printf("| %s | %s | %.3f | %s | %s | %d | %s |\n", o.Measure, f.Name, f.Value, f.Goal.text(), f.Verdict(), f.N, f.Note)
		}
	}
	for _, o := range r.Outcomes {
		p.printf("\n## %s\n\n%s Took %.0f s.\n", o.Measure, o.About, o.Seconds)
		for _, reason := range o.Reasons() {
			p.printf("\n- **%s**: %s, %d ×\n", reason.Figure, reason.Reason, reason.Count)
			shown := 0
			for _, m := range o.Misses {
				if m.Figure != reason.Figure || m.Reason != reason.Reason || shown == shownMisses {
					continue
				}
				shown++
				p.printf("  - told: %s\n", m.Told)
				if m.Asked != "" {
					p.printf("    asked: %s\n", m.Asked)
				}
			}
		}
	}
	return p.err
}

// JSON writes the report as JSON, with all misses.
func (r *Report) JSON(w io.Writer) error {
	type figure struct {
		Name    string   `json:"name"`
		Value   float64  `json:"value"`
		Cases   int      `json:"cases"`
		Rule    string   `json:"rule,omitempty"`
		Goal    *float64 `json:"goal,omitempty"`
		Verdict string   `json:"verdict,omitempty"`
		Note    string   `json:"note,omitempty"`
	}
	type miss struct {
		Figure string `json:"figure"`
		Reason string `json:"reason"`
		Told   string `json:"told"`
		Asked  string `json:"asked,omitempty"`
	}
	type outcome struct {
		Measure string   `json:"measure"`
		About   string   `json:"about"`
		Seconds float64  `json:"seconds"`
		Figures []figure `json:"figures"`
		Misses  []miss   `json:"misses"`
	}
	var all []outcome
	for _, o := range r.Outcomes {
		x := outcome{Measure: o.Measure, About: o.About, Seconds: o.Seconds, Figures: []figure{}, Misses: []miss{}}
		for _, f := range o.Figures {
			y := figure{Name: f.Name, Value: f.Value, Cases: f.N, Rule: f.Goal.Rule, Verdict: f.Verdict(), Note: f.Note}
			if f.Goal.Rule != "" {
				y.Goal = &f.Goal.Value
			}
			x.Figures = append(x.Figures, y)
		}
		for _, m := range o.Misses {
			x.Misses = append(x.Misses, miss(m))
		}
		all = append(all, x)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"version": r.Version, "seed": r.Seed, "quick": r.Quick, "embedder": r.Embedder, "measures": all})
}

// printer keeps the first error of several prints.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
