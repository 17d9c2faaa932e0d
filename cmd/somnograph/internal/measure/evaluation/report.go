package evaluation

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Report is the result of a run.
type Report struct {
	Version  string    `json:"version"`
	Seed     uint64    `json:"seed"`
	Quick    bool      `json:"quick"`
	Embedder string    `json:"embedder"`
	Outcomes []Outcome `json:"measures"`
}

// SetVersion sets the version of the program that ran.
func (r *Report) SetVersion(version string) { r.Version = version }

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
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
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
