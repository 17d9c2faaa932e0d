package evaluation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// Column is the report of one of several things that are compared.
type Column struct {
	Name   string  `json:"name"`
	Report *Report `json:"report"`
}

// Comparison is the result of runs of the same measures on the same worlds.
type Comparison struct {
	Columns []Column `json:"columns"`
	// Difference says that the table has the second column minus the first.
	Difference bool `json:"-"`
}

// ErrPolicy is returned for a policy that can't be read.
var ErrPolicy = errors.New("policy")

// RunBaselines runs the measures in o.Only, or all, that the baselines can be asked, and those
// alone: with Somnograph, and with each baseline.
func RunBaselines(ctx context.Context, o Options) (*Comparison, error) {
	for _, name := range o.Only {
		if slices.Contains(Names(), name) && !slices.Contains(baselineMeasures, name) {
			return nil, fmt.Errorf("%w of baselines: %q; they have %s", ErrUnknown, name, strings.Join(baselineMeasures, ", "))
		}
	}
	if len(o.Only) == 0 {
		o.Only = baselineMeasures
	}
	c := &Comparison{}
	for _, b := range append([]Baseline{""}, Baselines...) {
		x := o
		x.baseline = b
		if err := c.run(ctx, cmp.Or(string(b), "somnograph"), x); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// RunPolicies runs the measures in o.Only, or all, with each of two policies. names are those of
// ReadPolicy.
func RunPolicies(ctx context.Context, o Options, names [2]string) (*Comparison, error) {
	var policies [2]*policy.Update
	for i, name := range names { // both are read before anything runs
		var err error
		if policies[i], err = ReadPolicy(name); err != nil {
			return nil, err
		}
	}
	c := &Comparison{Difference: true}
	for i, name := range names {
		x := o
		x.Policy = policies[i]
		title := strings.TrimSuffix(filepath.Base(name), ".json")
		if i > 0 && title == c.Columns[0].Name {
			title += " (2)"
		}
		if err := c.run(ctx, title, x); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// SetVersion sets the version of the program that ran.
func (c *Comparison) SetVersion(version string) {
	for _, column := range c.Columns {
		column.Report.SetVersion(version)
	}
}

// run adds a column. Its stores are in a directory of its own.
func (c *Comparison) run(ctx context.Context, name string, o Options) error {
	o.Dir = filepath.Join(o.Dir, fmt.Sprint(len(c.Columns)))
	note := o.Note
	o.Note = func(step string) { note(name + ": " + step) }
	r, err := Run(ctx, o)
	if err != nil {
		return err
	}
	c.Columns = append(c.Columns, Column{name, r})
	return nil
}

// policyFile is a policy as a file: the settings of setNamespacePolicy that differ from the default.
type policyFile struct {
	policy.Update
	TTL        any                         `json:"ttl"` // hides that of Update, which has no unit
	TTLSeconds map[graph.Sensitivity]int64 `json:"ttlSeconds"`
}

// ReadPolicy returns the policy with the name of a preset (default, medical, financial), or that of
// a file: a JSON object with the settings of setNamespacePolicy that differ from the default.
func ReadPolicy(name string) (*policy.Update, error) {
	if preset := policy.Preset(strings.ToUpper(name)); slices.Contains(policy.Presets, preset) {
		return &policy.Update{Preset: &preset}, nil
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w %q is neither a preset (default, medical, financial) nor a file: %v", ErrPolicy, name, err)
	}
	var f policyFile
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("%w %s: %v", ErrPolicy, name, err)
	}
	if f.TTL != nil {
		return nil, fmt.Errorf("%w %s: ttl: must be ttlSeconds, such as {\"INTERNAL\": 86400}", ErrPolicy, name)
	}
	for sensitivity, seconds := range f.TTLSeconds {
		if seconds < 1 || seconds > int64(policy.MaxTTL/time.Second) {
			return nil, fmt.Errorf("%w %s: ttlSeconds: must be 1 to %d", ErrPolicy, name, policy.MaxTTL/time.Second)
		}
		if f.Update.TTL == nil {
			f.Update.TTL = map[graph.Sensitivity]time.Duration{}
		}
		f.Update.TTL[sensitivity] = time.Duration(seconds) * time.Second
	}
	if _, err := policy.Merge(policy.Default(), f.Update); err != nil {
		return nil, fmt.Errorf("%w %s: %v", ErrPolicy, name, err)
	}
	return &f.Update, nil
}

// row is a figure in every column. A column that lacks it has nil.
type row struct {
	name    string
	figures []*Figure
}

// rows are the figures of a measure, in the order of their first appearance. Figures with one name
// are told apart by their order.
func (c *Comparison) rows(measure string) []row {
	var all []row
	for i, column := range c.Columns {
		seen := map[string]int{}
		for _, o := range column.Report.Outcomes {
			if o.Measure != measure {
				continue
			}
			for j := range o.Figures {
				f := &o.Figures[j]
				at, skip := -1, seen[f.Name]
				seen[f.Name]++
				for k, r := range all {
					if r.name == f.Name {
						if skip == 0 {
							at = k
							break
						}
						skip--
					}
				}
				if at < 0 {
					at, all = len(all), append(all, row{f.Name, make([]*Figure, len(c.Columns))})
				}
				all[at].figures[i] = f
			}
		}
	}
	return all
}

// measures are the measures of the first column.
func (c *Comparison) measures() (names []string) {
	for _, o := range c.Columns[0].Report.Outcomes {
		names = append(names, o.Measure)
	}
	return names
}

// Table prints one line per figure, with a column for each report.
func (c *Comparison) Table(w io.Writer) error {
	wide := 0
	for _, measure := range c.measures() {
		for _, r := range c.rows(measure) {
			wide = max(wide, len([]rune(r.name)))
		}
	}
	p := &printer{w: w}
	p.printf("%s", strings.Repeat(" ", wide+2))
	for _, column := range c.Columns {
		p.printf("  %12s", column.Name)
	}
	if c.Difference {
		p.printf("  %12s", "difference")
	}
	p.printf("\n")
	for _, measure := range c.measures() {
		p.printf("%s\n", measure)
		for _, r := range c.rows(measure) {
			p.printf("  %s%s", r.name, strings.Repeat(" ", wide-len([]rune(r.name))))
			for _, text := range c.texts(r) {
				p.printf("  %12s", text)
			}
			p.printf("\n")
		}
	}
	return p.err
}

// texts are the values of a row as text, with the difference if there is one.
func (c *Comparison) texts(r row) []string {
	var all []string
	for _, f := range r.figures {
		if f == nil {
			all = append(all, "–")
		} else {
			all = append(all, fmt.Sprintf("%.3f", f.Value))
		}
	}
	if c.Difference {
		text := "–"
		if a, b := r.figures[0], r.figures[1]; a != nil && b != nil {
			text = fmt.Sprintf("%+.3f", b.Value-a.Value)
		}
		all = append(all, text)
	}
	return all
}

// Markdown writes the comparison as a Markdown table.
func (c *Comparison) Markdown(w io.Writer) error {
	p := &printer{w: w}
	first := c.Columns[0].Report
	p.printf("# Quality of memory, compared\n\nsomnograph %s, seed %d, embedder %s%s. How it is measured: docs/eval.md.\n\n", first.Version, first.Seed, first.Embedder, map[bool]string{true: ", quick"}[first.Quick])
	head, line := "| measure | figure |", "|---|---|"
	for _, column := range c.Columns {
		head, line = head+" "+column.Name+" |", line+"---|"
	}
	if c.Difference {
		head, line = head+" difference |", line+"---|"
	}
	p.printf("%s\n%s\n", head, line)
	for _, measure := range c.measures() {
		for _, r := range c.rows(measure) {
			p.printf("| %s | %s | %s |\n", measure, r.name, strings.Join(c.texts(r), " | "))
		}
	}
	return p.err
}

// JSON writes the reports as JSON, with all misses.
func (c *Comparison) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}
