package main

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/evaluation"
)

// startCanary runs the canary once a day until stop is called, which waits for a run to end.
func (p *process) startCanary() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	daily := evaluation.Daily{
		Engine: p.instance.Engine, Wait: waitFor, Now: time.Now, Log: p.log,
		Measure: func(ctx context.Context) (map[string]float64, error) { return evaluation.Canary(ctx, p.embedder) },
	}
	go func() {
		defer close(ended)
		daily.Run(ctx)
	}()
	return func() { cancel(); <-ended }
}

// waitFor returns after a time, or with the error of ctx if that ends first.
func waitFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
