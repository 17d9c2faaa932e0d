package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// SleepInput asks for a sleep.
type SleepInput struct {
	MaxItems, MaxSeconds *int
	Deep, DryRun, Wait   bool
}

// SleepReport is a morning report.
type SleepReport struct {
	ID                                        graph.ID
	StartedAt, CompletedAt                    time.Time
	Resumed, Complete                         bool
	Reinforced, Decayed, Pruned, Deduplicated int
	Promoted, Engraved, Dreamed, Consolidated int
	HealthBefore                              float64
	HealthAfter                               *float64
}

// Sleep answers UNAVAILABLE: this server does not sleep yet.
func (e *Engine) Sleep(context.Context, Caller, SleepInput) (*SleepReport, error) {
	return nil, graph.Errorf(graph.CodeUnavailable, "this version does not sleep yet")
}

// SleepReports answers no report: this server has not slept.
func (e *Engine) SleepReports(context.Context, Caller, int, graph.ID) ([]SleepReport, bool, error) {
	return nil, false, nil
}
