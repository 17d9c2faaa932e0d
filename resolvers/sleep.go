package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// maxReportItems is the maximum number of ids or steps that a report or a withdrawal lists.
const maxReportItems = graph.MaxPage

func (r mutationResolver) Sleep(ctx context.Context, input *gql.SleepInput) (*gql.SleepPayload, error) {
	report, err := r.verbs.Sleep(ctx, caller(ctx), sleepInput(input))
	return sleepPayload(report, err)
}

func (r mutationResolver) Consolidate(ctx context.Context, input gql.ConsolidateInput) (*gql.SleepPayload, error) {
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	report, err := r.verbs.Consolidate(ctx, caller(ctx), engine.ConsolidateInput{
		Strategy: engine.Strategy(input.Strategy), Namespace: space, User: valueOr(input.User, ""), Project: valueOr(input.Project, ""),
		OlderThanDays: input.OlderThanDays, BelowImportance: input.BelowImportance, TokenBudget: input.TokenBudget,
		DryRun: valueOr(input.DryRun, false),
	})
	return sleepPayload(report, err)
}

func sleepPayload(report *engine.SleepReport, err error) (*gql.SleepPayload, error) {
	if err != nil {
		return nil, err
	}
	return &gql.SleepPayload{Report: encodeSleepReport(report)}, nil
}

func (r queryResolver) SleepReport(ctx context.Context, id string) (*gql.SleepReport, error) {
	report, err := r.verbs.SleepReport(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeSleepReport(report), nil
}

func (r queryResolver) SleepReports(ctx context.Context, first *int, after *string) (*gql.SleepReportConnection, error) {
	n, start, err := pageArguments(cursorReports, first, 20, 100, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.SleepReports(ctx, caller(ctx), n, start)
	if err != nil {
		return nil, err
	}
	out := &gql.SleepReportConnection{Nodes: convert(found, encodeMorningReport)}
	id := func(v engine.SleepReport) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorReports, found, id, out.Nodes, start, more, func(cursor string, node *gql.SleepReport) *gql.SleepReportEdge {
		return &gql.SleepReportEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) SleepStatus(ctx context.Context) (*gql.SleepStatus, error) {
	s, err := r.verbs.SleepStatus(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	return &gql.SleepStatus{
		Running: encodeSleepReport(s.Running), Phase: nullable[gql.SleepPhase](s.Phase), Done: s.Done, Total: s.Total,
		Interrupted: s.Interrupted, Last: encodeSleepReport(s.Last), NextScheduled: nullableTime(s.NextScheduled),
		ActiveL1: s.ActiveL1, PressureAt: s.PressureAt,
	}, nil
}

// SleepProgress forwards the engine's stream. It closes when the engine's stream does, or when
// ctx ends.
func (r subscriptionResolver) SleepProgress(ctx context.Context) (<-chan *gql.SleepProgress, error) {
	progress, err := r.verbs.SleepProgress(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, progress, func(p engine.SleepProgress) *gql.SleepProgress {
		return &gql.SleepProgress{
			ReportID: string(p.Report), Phase: gql.SleepPhase(p.Phase), Done: p.Done, Total: p.Total, Steps: encodeSleepSteps(p.Steps),
		}
	}), nil
}

// SleepReports forwards the engine's stream of morning reports.
func (r subscriptionResolver) SleepReports(ctx context.Context, after *string) (<-chan *gql.SleepReport, error) {
	reports, err := r.verbs.MorningReports(ctx, caller(ctx), graph.ID(valueOr(after, "")))
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, reports, encodeMorningReport), nil
}

func (r sleepReportResolver) Skipped(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return firstIDStrings(obj.Report.Skipped, first)
}

func (r sleepReportResolver) Review(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return firstIDStrings(obj.Report.Review, first)
}

func (r sleepReportResolver) SafetyCriticalEnded(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return firstIDStrings(obj.Report.SafetyEnded, first)
}

func (r sleepReportResolver) Doubts(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return firstIDStrings(obj.Report.Doubts, first)
}

func (r sleepReportResolver) OwnersLeft(ctx context.Context, obj *gql.SleepReport, first *int) ([]*gql.ClusterOwner, error) {
	n, err := boundedInt("first", first, 200, maxReportItems)
	if err != nil || len(obj.Report.OwnersLeft) == 0 {
		return []*gql.ClusterOwner{}, err
	}
	owners, err := r.verbs.SleepOwnersLeft(ctx, caller(ctx), obj.Report.ID, n)
	return convert(owners, func(o engine.ClusterOwner) *gql.ClusterOwner {
		return &gql.ClusterOwner{Namespace: o.Namespace, User: nullable[string](o.User)}
	}), err
}

// Steps are the steps taken or, for a dry run, the steps planned.
func (r sleepReportResolver) Steps(ctx context.Context, obj *gql.SleepReport, first *int) ([]*gql.SleepStep, error) {
	n, err := boundedInt("first", first, 200, maxReportItems)
	if err != nil {
		return nil, err
	}
	if obj.DryRun {
		planned := obj.Report.Planned
		return encodeSleepSteps(planned[:min(n, len(planned))]), nil
	}
	steps, err := r.verbs.SleepSteps(ctx, caller(ctx), obj.Report.ID, n)
	if err != nil {
		return nil, err
	}
	return encodeSleepSteps(steps), nil
}

// firstIDStrings returns the first ids of a list.
func firstIDStrings(ids []graph.ID, first *int) ([]string, error) {
	n, err := boundedInt("first", first, 200, maxReportItems)
	if err != nil {
		return nil, err
	}
	return idStrings(ids[:min(n, len(ids))]), nil
}

func encodeMorningReport(r engine.SleepReport) *gql.SleepReport { return encodeSleepReport(&r) }

// encodeSleepReport converts a report; nil if there is none.
func encodeSleepReport(r *engine.SleepReport) *gql.SleepReport {
	if r == nil {
		return nil
	}
	out := &gql.SleepReport{
		Report: r,
		ID:     string(r.ID), Kind: gql.SleepKind(r.Kind), Trigger: gql.SleepTrigger(r.Trigger),
		StartedAt: r.StartedAt, CompletedAt: nullableTime(r.CompletedAt), Resumed: r.Resumed, Complete: r.Complete, DryRun: r.DryRun,
		Reinforced: r.Reinforced, Decayed: r.Decayed, Pruned: r.Pruned, Deduplicated: r.Deduplicated,
		Promoted: r.Promoted, Engraved: r.Engraved, Dreamed: r.Dreamed, Consolidated: r.Consolidated,
		Derived: r.Derived, Clustered: r.Clustered, Sparsified: r.Sparsified, TokensSaved: r.TokensSaved, PromotionRate: r.PromotionRate,
		BudgetKept: r.BudgetKept, CutOff: nullable[gql.SleepPhase](r.CutOff), ClustersLeft: r.ClustersLeft, RolledBackAt: nullableTime(r.RolledBackAt), RolledBackIn: convert(r.RolledBackIn, encodeNamespaceRollback),
		Balance: &gql.SleepBalance{
			In: r.Balance.In, Kept: r.Balance.Kept, Merged: r.Balance.Merged, Archived: r.Balance.Archived,
			Left: r.Balance.Left, Derived: r.Balance.Derived,
		},
		HealthBefore: r.HealthBefore, HealthAfter: r.HealthAfter, Degraded: enumValues[gql.Part](r.Degraded),
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, &gql.SleepPhaseRun{Phase: gql.SleepPhase(p.Phase), Items: p.Items, Seconds: p.Duration.Seconds()})
	}
	return out
}

func encodeSleepSteps(steps []engine.SleepStep) []*gql.SleepStep {
	return convert(steps, func(s engine.SleepStep) *gql.SleepStep {
		return &gql.SleepStep{Phase: gql.SleepPhase(s.Phase), Verb: gql.StepVerb(s.Verb), From: idStrings(s.From), To: nullable[string](s.To), Reason: nullable[string](s.Why())}
	})
}
