package recall

import (
	"context"

	"go.opentelemetry.io/otel/attribute"

	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph/index"
)

// maxExplained is the number of hits of a search that its span explains.
const maxExplained = 10

// tracedPlan is plan in a span.
func (svc *Service) tracedPlan(ctx context.Context, c workspace.Caller, in SearchInput) (*query, error) {
	ctx, span := svc.Probe.Step(ctx, "recall plan")
	q, err := svc.plan(ctx, c, in)
	span.End(err)
	return q, err
}

// tracedIndex asks the index, in a span with one for each channel.
func (svc *Service) tracedIndex(ctx context.Context, q *query) (*index.Result, error) {
	ctx, span := svc.Probe.Step(ctx, "recall index")
	found, err := svc.SearchIndex(ctx, q.principal, q.t.Scope, q.ask)
	if found != nil {
		recorder := svc.Probe.Recorder()
		for _, x := range found.Channels {
			if recorder != nil {
				recorder.Channel(x.Name, x.Took, x.Found)
			}
			if span.On() {
				svc.Probe.Past(ctx, "recall channel "+x.Name, x.Began, x.Took, attribute.Int("somnograph.recall.candidates", x.Found))
			}
		}
		if span.On() {
			span.Set(attribute.Int("somnograph.recall.considered", found.Considered), attribute.Int("somnograph.recall.candidates", len(found.Candidates)))
		}
	}
	span.End(err)
	return found, err
}

// tracedHits is hits in a span.
func (svc *Service) tracedHits(ctx context.Context, c workspace.Caller, q *query, chosen []scored) ([]Hit, error) {
	ctx, span := svc.Probe.Step(ctx, "recall hits")
	hits, err := svc.hits(ctx, c, q, chosen)
	span.End(err)
	return hits, err
}

// report measures a search and adds to the span of its verb how it went, and why each hit is one.
func (svc *Service) report(ctx context.Context, q *query, r *SearchResult) {
	degraded := make([]string, len(r.Degraded))
	for i, part := range r.Degraded {
		degraded[i] = string(part)
	}
	if recorder := svc.Probe.Recorder(); recorder != nil {
		recorder.Search(!r.NoMatch, degraded)
	}
	span := telemetry.SpanOf(ctx)
	if svc.Probe == nil || !span.On() || q.in.presentOnly {
		return
	}
	span.Set(
		attribute.Float64(telemetry.RequestTopK, float64(q.in.TopK)), attribute.String("somnograph.search.effort", string(q.in.Effort)),
		attribute.String("somnograph.search.mode", string(q.in.Mode)), attribute.Int("somnograph.search.considered", r.Considered),
	)
	if len(degraded) > 0 {
		span.Set(attribute.StringSlice("somnograph.search.degraded", degraded))
	}
	svc.Probe.Asked(ctx, q.in.Query)
	if hits := r.Hits[:min(maxExplained, len(r.Hits))]; len(hits) > 0 {
		span.Event("somnograph.hits",
			telemetry.Texts("somnograph.hits.id", hits, func(h *Hit) string { return string(h.Memory.ID) }),
			telemetry.Texts("somnograph.hits.label", hits, func(h *Hit) string { return string(h.Label) }),
			telemetry.Numbers("somnograph.hits.score", hits, func(h *Hit) float64 { return h.Score }),
			telemetry.Numbers("somnograph.hits.semantic", hits, func(h *Hit) float64 { return h.Parts.Semantic }),
			telemetry.Numbers("somnograph.hits.keyword", hits, func(h *Hit) float64 { return h.Parts.Keyword }),
			telemetry.Numbers("somnograph.hits.recency", hits, func(h *Hit) float64 { return h.Parts.Recency }),
			telemetry.Numbers("somnograph.hits.importance", hits, func(h *Hit) float64 { return h.Parts.Importance }),
			telemetry.Numbers("somnograph.hits.entity", hits, func(h *Hit) float64 { return h.Parts.Entity }),
			telemetry.Flags("somnograph.hits.above_floor", hits, func(h *Hit) bool { return h.AboveFloor }),
		)
	}
}
