package main

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/evaluation"
	"github.com/somnograph/somnograph/engine"
)

const (
	// canaryInterval is the time between runs of the canary, on the machine's clock.
	canaryInterval = 24 * time.Hour
	// canaryDelay is the least time between the start of the server and the first run.
	canaryDelay = 10 * time.Minute
	// canaryTimeout limits a run.
	canaryTimeout = 30 * time.Minute
)

// startCanary runs the canary once a day until stop is called, which waits for a run to end.
func (p *process) startCanary() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		wait := canaryDelay
		if last := p.instance.Engine.LastCanary(); !last.IsZero() {
			wait = max(wait, canaryInterval-p.instance.Engine.Now().Sub(last))
		}
		for {
			timer := time.NewTimer(wait)
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C:
			}
			if err := p.runCanary(ctx); err != nil && ctx.Err() == nil {
				p.log.Warn("[ALARM] the canary could not measure; it tries again in a day", "error", err)
			}
			wait = canaryInterval
		}
	}()
	return func() { cancel(); <-ended }
}

// runCanary measures a world of the canary and reports the figures.
func (p *process) runCanary(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, canaryTimeout)
	defer cancel()
	began := time.Now()
	figures, err := evaluation.Canary(within, p.embedder)
	if err != nil {
		return err
	}
	p.log.Info("[ALARM] the canary has measured", "duration", time.Since(began).Round(time.Millisecond), "figures", figures)
	return p.instance.Engine.ReportCanary(ctx, engine.CanaryResult{At: p.instance.Engine.Now(), Figures: figures})
}
