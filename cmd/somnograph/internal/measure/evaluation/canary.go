package evaluation

import (
	"context"
	"errors"
	"math"
	"os"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
)

// canaryFigures are the figures of the canary: the measure and the name of its figure, by the name
// of the indicator.
var canaryFigures = map[string]struct{ measure, figure string }{
	engine.IndicatorRecall14:    {"recall", "recall at day 14"},
	engine.IndicatorDrift:       {"drift", "belief untouched"},
	engine.IndicatorCorrection:  {"correction", "correction holds at day 14"},
	engine.IndicatorRepetition:  {"repeat", "did not need to repeat"},
	engine.IndicatorCompression: {"compression", "… of any history"},
}

// canarySeed is the seed of the canary's world, so that every run asks the same.
const canarySeed = 1

// Canary measures a small world of its own and returns the values by the name of the indicator: recall
// after 14 days, drift resistance, corrections that hold, needs that need no repeating, and the
// size of contexts. NaN stands for one that had no case to be measured on. It uses a store in a temporary
// directory, which it removes, and nothing else.
func Canary(ctx context.Context, e models.Embedder) (map[string]float64, error) {
	o := Options{Embedder: e}
	for _, f := range canaryFigures {
		o.Only = append(o.Only, f.measure)
	}
	return canaryOf(ctx, o)
}

// canaryOf is a canary of some measures with other parts.
func canaryOf(ctx context.Context, o Options) (figures map[string]float64, err error) {
	dir, err := os.MkdirTemp("", "somnograph-canary-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o.Dir, o.Seed, o.Quick, o.canary, o.Note = dir, canarySeed, true, true, func(string) {}
	report, err := Run(ctx, o)
	if err != nil {
		return nil, err
	}
	figures = map[string]float64{}
	for name, want := range canaryFigures {
		for _, out := range report.Outcomes {
			for _, f := range out.Figures {
				if out.Measure != want.measure || f.Name != want.figure {
					continue
				}
				if figures[name] = f.Value; f.N == 0 {
					figures[name] = math.NaN()
				}
			}
		}
	}
	return figures, nil
}
