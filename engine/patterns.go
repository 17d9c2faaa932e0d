package engine

import (
	"context"
	"encoding/json"

	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/graph"
)

// Types of package patterns.
type (
	Pattern               = patterns.Pattern
	PatternInput          = patterns.Input
	PatternPage           = patterns.Page
	PatternStatus         = patterns.Status
	PatternLineage        = patterns.Lineage
	PatternSources        = patterns.Sources
	PatternConflict       = patterns.Conflict
	PatternConflictsInput = patterns.ConflictsInput
	PatternExtraction     = patterns.Extraction
	RefusedPattern        = pattern.Refused
)

// The statuses of patterns.
const (
	PatternCurrent    = patterns.Current
	PatternContested  = patterns.Contested
	PatternSuperseded = patterns.Superseded
	PatternEnded      = patterns.Ended
)

// Patterns lists the ACTIVE patterns that the caller sees, the newest last.
func (e *Engine) Patterns(ctx context.Context, c Caller, in PatternInput) (_ *PatternPage, err error) {
	ctx, end := e.ws.Begin(ctx, c, "patterns")
	defer end(&err)
	return e.patterns.Patterns(ctx, c, in)
}

// PatternsByID returns patterns in the order of ids, in any status; nil for a memory that is no
// pattern or that the caller does not see.
func (e *Engine) PatternsByID(ctx context.Context, c Caller, ids []graph.ID) (_ []*Pattern, err error) {
	ctx, end := e.ws.Begin(ctx, c, "pattern")
	defer end(&err)
	return e.patterns.PatternsByID(ctx, c, ids)
}

// PatternsOfCluster lists the ACTIVE patterns drawn from a cluster, the most confident first, at most
// first (0: 50).
func (e *Engine) PatternsOfCluster(ctx context.Context, c Caller, cluster graph.ID, first int) (_ []Pattern, err error) {
	ctx, end := e.ws.Begin(ctx, c, "patterns")
	defer end(&err)
	return e.patterns.PatternsOfCluster(ctx, c, cluster, first)
}

// Pattern returns a pattern in any status.
func (e *Engine) Pattern(ctx context.Context, c Caller, id graph.ID) (_ *Pattern, err error) {
	ctx, end := e.ws.Begin(ctx, c, "pattern")
	defer end(&err)
	return e.patterns.Pattern(ctx, c, id)
}

// PatternSources returns the sources of a pattern by id, at most first (0: 50).
func (e *Engine) PatternSources(ctx context.Context, c Caller, id graph.ID, first int) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "pattern")
	defer end(&err)
	return e.patterns.Sources(ctx, c, id, first)
}

// PatternLineage returns the versions of a pattern and its sources by cluster.
func (e *Engine) PatternLineage(ctx context.Context, c Caller, id graph.ID) (_ *PatternLineage, err error) {
	ctx, end := e.ws.Begin(ctx, c, "patternLineage")
	defer end(&err)
	return e.patterns.PatternLineage(ctx, c, id)
}

// PatternProvenance returns the provenance of a pattern as W3C PROV-JSON.
func (e *Engine) PatternProvenance(ctx context.Context, c Caller, id graph.ID) (_ json.RawMessage, err error) {
	ctx, end := e.ws.Begin(ctx, c, "patternProvenance")
	defer end(&err)
	return e.patterns.PatternProvenance(ctx, c, id)
}

// PatternConflicts returns the log of conflicts between patterns, the newest first.
func (e *Engine) PatternConflicts(ctx context.Context, c Caller, in PatternConflictsInput) (_ []PatternConflict, err error) {
	ctx, end := e.ws.Begin(ctx, c, "patternConflicts")
	defer end(&err)
	return e.patterns.PatternConflicts(ctx, c, in)
}

// ExtractPattern draws patterns from one cluster at once, and says why candidates were refused.
func (e *Engine) ExtractPattern(ctx context.Context, c Caller, cluster graph.ID) (_ *PatternExtraction, err error) {
	ctx, end := e.ws.Begin(ctx, c, "extractPattern")
	defer end(&err)
	return e.patterns.ExtractPattern(ctx, c, cluster)
}

// ValidatePattern compares a pattern with today's members of its owner's clusters.
func (e *Engine) ValidatePattern(ctx context.Context, c Caller, id graph.ID) (_ *Pattern, err error) {
	ctx, end := e.ws.Begin(ctx, c, "validatePattern")
	defer end(&err)
	return e.patterns.ValidatePattern(ctx, c, id)
}

// ResolvePattern decides a conflict of two patterns: keep answers, end becomes EXPIRED.
func (e *Engine) ResolvePattern(ctx context.Context, c Caller, keep, end graph.ID, note string) (_ *Pattern, err error) {
	ctx, done := e.ws.Begin(ctx, c, "resolvePattern")
	defer done(&err)
	return e.patterns.ResolvePattern(ctx, c, keep, end, note)
}
