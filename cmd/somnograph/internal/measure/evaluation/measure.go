package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Measure is one measurement.
type Measure struct {
	Name  string
	About string // what is done, and what counts
	run   func(context.Context, Options, *Lexicon, *Outcome) error
}

// Measures are all measures, in the order they run.
var Measures = []Measure{recall, drift, correction, adjudication, repeat, nights, distil, forgetting, archive}

// Goal is the goal of a figure.
type Goal struct {
	Rule  string  // ">=", ">" or "<="; empty: there is none
	Value float64 // in the unit of the figure
}

// Figure is one number.
type Figure struct {
	Name  string
	Value float64
	N     int // number of cases
	Goal  Goal
	Note  string
}

// Verdict is PASS or SHORT, or empty without a goal.
func (f Figure) Verdict() string {
	met := true
	switch f.Goal.Rule {
	case "":
		return ""
	case ">=":
		met = f.Value >= f.Goal.Value
	case ">":
		met = f.Value > f.Goal.Value
	case "<=":
		met = f.Value <= f.Goal.Value
	}
	if met {
		return "PASS"
	}
	return "SHORT"
}

// Miss is one case that counted against a figure.
type Miss struct {
	Figure string
	Reason string
	Told   string // what was remembered
	Asked  string // the question
}

// Outcome is the result of a measure.
type Outcome struct {
	Measure string
	About   string
	Figures []Figure
	Misses  []Miss
	Seconds float64 // wall time
}

func (o *Outcome) figure(name string, value float64, n int, goal Goal, note string) {
	o.Figures = append(o.Figures, Figure{name, value, n, goal, note})
}

func (o *Outcome) miss(figure, reason, told, asked string) {
	o.Misses = append(o.Misses, Miss{figure, reason, told, asked})
}

// Reason counts the misses of a figure for one reason.
type Reason struct {
	Figure string
	Reason string
	Count  int
}

// Reasons counts the misses by reason, in the order of their first.
func (o *Outcome) Reasons() []Reason {
	var all []Reason
	for _, m := range o.Misses {
		i := slices.IndexFunc(all, func(r Reason) bool { return r.Figure == m.Figure && r.Reason == m.Reason })
		if i < 0 {
			i, all = len(all), append(all, Reason{m.Figure, m.Reason, 0})
		}
		all[i].Count++
	}
	return all
}

// ErrUnknown is returned for an unknown name of a measure.
var ErrUnknown = errors.New("there is no such measure")

// Run runs the measures in o.Only, or all. A measure that fails ends the run; the report then
// has those before it.
func Run(ctx context.Context, o Options) (*Report, error) {
	lexicon, err := ReadLexicon()
	if err != nil {
		return nil, err
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(Measures, func(m Measure) bool { return m.Name == name }) {
			return nil, fmt.Errorf("%w: %q; there are %s", ErrUnknown, name, strings.Join(Names(), ", "))
		}
	}
	report := &Report{Seed: o.Seed, Quick: o.Quick, Embedder: o.Embedder.Name()}
	for _, m := range Measures {
		if len(o.Only) > 0 && !slices.Contains(o.Only, m.Name) {
			continue
		}
		out := &Outcome{Measure: m.Name, About: m.About}
		began := time.Now()
		if err := m.run(ctx, o, lexicon, out); err != nil {
			return report, fmt.Errorf("%s: %w", m.Name, err)
		}
		out.Seconds = time.Since(began).Seconds()
		report.Outcomes = append(report.Outcomes, *out)
	}
	return report, nil
}

// Names are the names of the measures.
func Names() []string {
	var all []string
	for _, m := range Measures {
		all = append(all, m.Name)
	}
	return all
}

// share is part ÷ whole; 0 if whole is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// mean is the mean of the values; 0 if there are none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0
	}
	return sum / float64(len(values))
}
