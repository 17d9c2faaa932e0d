package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r mutationResolver) Rollback(ctx context.Context, id *string, to *time.Time, namespace *string, dryRun *bool) (*gql.RollbackPayload, error) {
	in := engine.RollbackInput{ID: graph.ID(valueOr(id, "")), To: valueOr(to, time.Time{}), Namespace: valueOr(namespace, ""), DryRun: valueOr(dryRun, false)}
	switch {
	case id != nil && *id == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	case namespace != nil && *namespace == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "namespace", "must not be empty; omit it for all namespaces")
	}
	// A partial rollback would block later ones, so it continues if the client disconnects.
	done, err := r.verbs.Rollback(context.WithoutCancel(ctx), caller(ctx), in)
	if err != nil {
		return nil, err
	}
	out := &gql.RollbackPayload{
		Reports: make([]*gql.SleepReport, len(done.Reports)), Restored: done.Restored, Withdrawn: done.Withdrawn,
		Before: encodeFigures(done.Before), After: encodeFigures(done.After), DryRun: in.DryRun,
	}
	for i := range done.Reports {
		out.Reports[i] = encodeSleepReport(&done.Reports[i])
	}
	if len(out.Reports) > 0 {
		out.Report = out.Reports[0]
	}
	return out, nil
}

func encodeFigures(f engine.MemoryFigures) *gql.MemoryFigures {
	return &gql.MemoryFigures{
		Active: f.Statuses[graph.Active], Superseded: f.Statuses[graph.Superseded], Consolidated: f.Statuses[graph.Consolidated],
		Archived: f.Statuses[graph.Archived], Expired: f.Statuses[graph.Expired],
		Index: f.Tiers[graph.L0] + f.Tiers[graph.L1], Schema: f.Tiers[graph.L2], Engrams: f.Tiers[graph.L3], Health: f.Health,
	}
}

func encodeNamespaceRollback(x engine.NamespaceRollback) *gql.NamespaceRollback {
	return &gql.NamespaceRollback{Namespace: x.Namespace, At: x.At}
}
