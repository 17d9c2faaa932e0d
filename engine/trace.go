package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// touched adds the memories that a verb wrote to its span.
func (e *Engine) touched(ctx context.Context, views ...*View) {
	if e.ws.Probe == nil || !telemetry.SpanOf(ctx).On() {
		return
	}
	ids := make([]graph.ID, 0, len(views))
	for _, v := range views {
		if v != nil {
			ids = append(ids, v.ID)
		}
	}
	e.ws.Probe.Touched(ctx, ids, func() []telemetry.Record {
		var records []telemetry.Record
		for _, v := range views {
			if v != nil {
				records = append(records, telemetry.Record{ID: v.ID, Content: v.Content})
			}
		}
		return records
	})
}

// found adds the hits of a search to its span.
func (e *Engine) found(ctx context.Context, hits []recall.Hit) {
	if e.ws.Probe == nil || !telemetry.SpanOf(ctx).On() {
		return
	}
	ids := make([]graph.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.Memory.ID
	}
	e.ws.Probe.Touched(ctx, ids, func() []telemetry.Record {
		records := make([]telemetry.Record, len(hits))
		for i, h := range hits {
			records[i] = telemetry.Record{ID: h.Memory.ID, Content: h.Memory.Content, Score: &hits[i].Score}
		}
		return records
	})
}
