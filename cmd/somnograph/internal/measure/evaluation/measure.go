package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Measure is one thing that is measured.
type Measure struct {
	Name  string
	About string // one sentence: what is done, and what counts
	run   func(context.Context, Options, *Lexicon, *Outcome) error
}

// Measures are all there are, in the order they are run.
var Measures = []Measure{recall, drift, correction, adjudication, repeat, nights, distil, forgetting, archive}

// Goal is what a figure is held against.
type Goal struct {
	Rule  string  // ">=", ">" or "<="; empty: there is none
	Value float64 // in the unit of the figure
}

// Figure is one number.
type Figure struct {
	Name  string
	Value float64
	N     int // how many cases it rests on
	Goal  Goal
	Note  string
}

// Verdict is PASS or SHORT, empty where there is no goal.
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
	Told   string // what memory was told
	Asked  string // what it was asked
}

// Outcome is what a measure found.
type Outcome struct {
	Measure string
	About   string
	Figures []Figure
	Misses  []Miss
	Seconds float64 // of the machine's clock
}

func (o *Outcome) figure(name string, value float64, n int, goal Goal, note string) {
	o.Figures = append(o.Figures, Figure{name, value, n, goal, note})
}

func (o *Outcome) miss(figure, reason, told, asked string) {
	o.Misses = append(o.Misses, Miss{figure, reason, told, asked})
}

// Reason is how often something was missed for one reason.
type Reason struct {
	Figure string
	Reason string
	Count  int
}

// Reasons counts the misses, in the order they first appeared.
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

// ErrUnknown is returned for the name of a measure that there is none of.
var ErrUnknown = errors.New("there is no such measure")

// Run takes the measures that are asked for, in order. A measure that fails ends the
// run; what was found before is answered with the error.
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

// share is part ÷ whole; 0 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// mean of the values; 0 of none.
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
