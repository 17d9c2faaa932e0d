package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Evidence is one item that speaks for a fact.
type Evidence struct {
	Source             string
	Weight, Confidence float64 // [0,1]
}

// AdjudicateInput asks the gate whether evidence may change a belief.
type AdjudicateInput struct {
	Fact, Subject, Namespace string
	Consent                  graph.Consent
	Evidence                 []Evidence
	IdempotencyKey           string
}

// Adjudication is the gate's decision.
type Adjudication struct {
	Decision             string // STORED, MERGED, REPLACED, REJECTED
	Reason               graph.Code
	Quorum, Required     float64
	Conflict, Similarity float64
	Current, Previous    *View
	Replayed             bool
}

// Adjudicate answers UNAVAILABLE: this server has no reconsolidation gate yet.
func (e *Engine) Adjudicate(context.Context, Caller, AdjudicateInput) (*Adjudication, error) {
	return nil, graph.Errorf(graph.CodeUnavailable, "adjudicate needs the reconsolidation gate, which this version does not have; use supersede to correct a belief")
}

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
