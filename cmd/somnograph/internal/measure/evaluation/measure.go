package evaluation

import (
	"context"
	"encoding/json"
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
	run   func(*measurement)
}

// Measures are all measures, in the order they run.
var Measures = []Measure{recall, drift, correction, adjudication, repeat, nights, distil, compression, forgetting, archive}

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

// MarshalJSON writes the figure with its verdict, and without a goal if there is none.
func (f Figure) MarshalJSON() ([]byte, error) {
	var goal *float64
	if f.Goal.Rule != "" {
		goal = &f.Goal.Value
	}
	return json.Marshal(struct {
		Name    string   `json:"name"`
		Value   float64  `json:"value"`
		Cases   int      `json:"cases"`
		Rule    string   `json:"rule,omitempty"`
		Goal    *float64 `json:"goal,omitempty"`
		Verdict string   `json:"verdict,omitempty"`
		Note    string   `json:"note,omitempty"`
	}{f.Name, f.Value, f.N, f.Goal.Rule, goal, f.Verdict(), f.Note})
}

// Miss is one case that counted against a figure.
type Miss struct {
	Figure string `json:"figure"`
	Reason string `json:"reason"`
	Told   string `json:"told"`            // what was remembered
	Asked  string `json:"asked,omitempty"` // the question
}

// Outcome is the result of a measure.
type Outcome struct {
	Measure string   `json:"measure"`
	About   string   `json:"about"`
	Seconds float64  `json:"seconds"` // wall time
	Figures []Figure `json:"figures"`
	Misses  []Miss   `json:"misses"`
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
var ErrUnknown = errors.New("unknown measure")

// Run runs the measures in o.Only, or all. A measure that fails ends the run; the report then
// has those before it.
func Run(ctx context.Context, o Options) (*Report, error) {
	lexicon, err := ReadLexicon()
	if err != nil {
		return nil, err
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(Measures, func(m Measure) bool { return m.Name == name }) {
			return nil, fmt.Errorf("%w: %q; the measures are %s", ErrUnknown, name, strings.Join(Names(), ", "))
		}
	}
	report := &Report{Seed: o.Seed, Quick: o.Quick, Embedder: o.Embedder.Name()}
	for _, m := range Measures {
		if len(o.Only) > 0 && !slices.Contains(o.Only, m.Name) {
			continue
		}
		out, err := m.measure(ctx, o, lexicon)
		if err != nil {
			return report, fmt.Errorf("%s: %w", m.Name, err)
		}
		report.Outcomes = append(report.Outcomes, out)
	}
	return report, nil
}

// measurement is one run of a measure. Its functions call check and must instead of returning
// errors, so that a measure reads as a sequence of events.
type measurement struct {
	Options
	Outcome
	ctx     context.Context
	lexicon *Lexicon
	cleanup []func() error // runs at the end, last first
}

// failure is the value with which check panics. measure recovers it.
type failure struct{ error }

// check ends the measurement if err is not nil.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns v, or ends the measurement if err is not nil.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// measure runs the measure.
func (m Measure) measure(ctx context.Context, o Options, lexicon *Lexicon) (_ Outcome, err error) {
	x := &measurement{Options: o, Outcome: Outcome{Measure: m.Name, About: m.About, Figures: []Figure{}, Misses: []Miss{}}, ctx: ctx, lexicon: lexicon}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			err = v.error
		default:
			panic(v)
		}
		for _, f := range slices.Backward(x.cleanup) {
			err = errors.Join(err, f())
		}
	}()
	began := time.Now()
	m.run(x)
	x.Seconds = time.Since(began).Seconds()
	return x.Outcome, nil
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
func share(part, whole int) float64 { return ratio(float64(part), float64(whole)) }

// ratio is a ÷ b; 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// count counts the elements for which a condition holds.
func count[T any](all []T, holds func(T) bool) int {
	n := 0
	for _, x := range all {
		if holds(x) {
			n++
		}
	}
	return n
}

// shareOf is the share of the elements for which a condition holds; 0 if there are none.
func shareOf[T any](all []T, holds func(T) bool) float64 { return share(count(all, holds), len(all)) }

// mean is the mean of the values; 0 if there are none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return ratio(sum, float64(len(values)))
}
