package evaluation

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"time"

	"github.com/somnograph/somnograph/engine"
)

const (
	// canaryInterval is the time between two runs of the canary.
	canaryInterval = 24 * time.Hour
	// canaryDelay is the least time between the start of the server and the first run.
	canaryDelay = 10 * time.Minute
	// canaryTimeout limits a run.
	canaryTimeout = 30 * time.Minute
)

// Watched is the engine that the canary reports to. *engine.Engine implements it.
type Watched interface {
	Now() time.Time
	LastCanary() time.Time // zero: it never measured
	ReportCanary(context.Context, engine.CanaryResult) error
}

// Daily runs the canary once a day, and first ten minutes after the start or a day after the last
// result that measured, whichever is later.
type Daily struct {
	Engine  Watched
	Measure func(context.Context) (map[string]float64, error) // [Canary] with the embedder of the server
	// Wait returns nil after a time on the machine's clock, or the error of a context that ends before.
	Wait func(context.Context, time.Duration) error
	Now  func() time.Time // measures how long a run takes
	Log  *slog.Logger
}

// Run runs the canary until ctx ends.
func (d Daily) Run(ctx context.Context) {
	wait := canaryDelay
	if last := d.Engine.LastCanary(); !last.IsZero() {
		wait = max(wait, canaryInterval-d.Engine.Now().Sub(last))
	}
	for ; d.Wait(ctx, wait) == nil; wait = canaryInterval {
		if err := d.once(ctx); err != nil && ctx.Err() == nil {
			d.Log.Warn("[ALARM] the result of the canary could not be stored; it runs again in a day", "error", err)
		}
	}
}

// once measures a world of the canary and reports the figures, or why it failed.
func (d Daily) once(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, canaryTimeout)
	defer cancel()
	began := d.Now()
	figures, err := d.Measure(within)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.Log.Warn("[ALARM] the canary could not measure; it tries again in a day", "error", err)
		return d.Engine.ReportCanary(ctx, engine.CanaryResult{At: d.Engine.Now(), Error: err.Error()})
	}
	d.Log.Info("[ALARM] the canary has measured", "duration", d.Now().Sub(began).Round(time.Millisecond), "figures", figures)
	result := engine.CanaryResult{At: d.Engine.Now(), Figures: maps.Clone(figures)}
	for name, v := range figures {
		if !math.IsNaN(v) {
			continue
		}
		if result.Failed == nil {
			result.Failed = map[string]string{}
		}
		delete(result.Figures, name)
		result.Failed[name] = noCase
		d.Log.Warn("[ALARM] the canary could not measure a figure, which counts as its worst value", "indicator", name, "reason", noCase)
	}
	return d.Engine.ReportCanary(ctx, result)
}

// noCase is why a figure was not measured.
const noCase = "nothing was left in the canary's world to measure it on; see whether memories expire too early"
