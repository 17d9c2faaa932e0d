package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// maxListed is the most ids or steps that a report or a withdrawal lists at once.
const maxListed = graph.MaxPage

func (r mutation) Sleep(ctx context.Context, input *gql.SleepInput) (*gql.SleepPayload, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	report, err := r.verbs.Sleep(ctx, c, sleepInput(input))
	return sleepPayload(report, err)
}

func (r mutation) Consolidate(ctx context.Context, input gql.ConsolidateInput) (*gql.SleepPayload, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	report, err := r.verbs.Consolidate(ctx, c, engine.ConsolidateInput{
		Strategy: engine.Strategy(input.Strategy), Namespace: space, User: or(input.User, ""), Project: or(input.Project, ""),
		OlderThanDays: input.OlderThanDays, BelowImportance: input.BelowImportance, TokenBudget: input.TokenBudget,
		DryRun: or(input.DryRun, false),
	})
	return sleepPayload(report, err)
}

func (r mutation) Rollback(ctx context.Context, id string) (*gql.SleepPayload, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	// Half a rollback would be in the way of the next one: it goes on when the client goes.
	report, err := r.verbs.Rollback(context.WithoutCancel(ctx), c, graph.ID(id))
	return sleepPayload(report, err)
}

func sleepPayload(report *engine.SleepReport, err error) (*gql.SleepPayload, error) {
	if err != nil {
		return nil, err
	}
	return &gql.SleepPayload{Report: sleepReport(report)}, nil
}

func (r query) SleepReport(ctx context.Context, id string) (*gql.SleepReport, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	report, err := r.verbs.SleepReport(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	return sleepReport(report), nil
}

func (r query) SleepReports(ctx context.Context, first *int, after *string) (*gql.SleepReportConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := count("first", first, 20, 100)
	if err != nil {
		return nil, err
	}
	behind, err := afterID(ofReports, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.SleepReports(ctx, c, n, behind)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, v := range found {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(ofReports, ids, behind, more)
	if err != nil {
		return nil, err
	}
	out := &gql.SleepReportConnection{PageInfo: info}
	for i := range found {
		node := sleepReport(&found[i])
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.SleepReportEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r query) SleepStatus(ctx context.Context) (*gql.SleepStatus, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	s, err := r.verbs.SleepStatus(ctx, c)
	if err != nil {
		return nil, err
	}
	return &gql.SleepStatus{
		Running: sleepReport(s.Running), Phase: null[gql.SleepPhase](s.Phase), Done: s.Done, Total: s.Total,
		Interrupted: s.Interrupted, Last: sleepReport(s.Last), NextScheduled: instant(s.NextScheduled),
		ActiveL1: s.ActiveL1, PressureAt: s.PressureAt,
	}, nil
}

// SleepProgress hands on the engine's stream; it closes when the engine's does, or
// when ctx ends.
func (r subscription) SleepProgress(ctx context.Context) (<-chan *gql.SleepProgress, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	progress, err := r.verbs.SleepProgress(ctx, c)
	if err != nil {
		return nil, err
	}
	return stream(ctx, progress, func(p engine.SleepProgress) *gql.SleepProgress {
		return &gql.SleepProgress{
			ReportID: string(p.Report), Phase: gql.SleepPhase(p.Phase), Done: p.Done, Total: p.Total, Steps: sleepSteps(p.Steps),
		}
	}), nil
}

// SleepReports hands on the engine's stream of morning reports.
func (r subscription) SleepReports(ctx context.Context, after *string) (<-chan *gql.SleepReport, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	reports, err := r.verbs.MorningReports(ctx, c, graph.ID(or(after, "")))
	if err != nil {
		return nil, err
	}
	return stream(ctx, reports, func(report engine.SleepReport) *gql.SleepReport { return sleepReport(&report) }), nil
}

func (r ofReport) Skipped(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return listed(obj.Report.Skipped, first)
}

func (r ofReport) Review(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return listed(obj.Report.Review, first)
}

func (r ofReport) Doubts(_ context.Context, obj *gql.SleepReport, first *int) ([]string, error) {
	return listed(obj.Report.Doubts, first)
}

// Steps are those that were taken or, of a dry run, those that would be.
func (r ofReport) Steps(ctx context.Context, obj *gql.SleepReport, first *int) ([]*gql.SleepStep, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := count("first", first, 200, maxListed)
	if err != nil {
		return nil, err
	}
	if obj.DryRun {
		planned := obj.Report.Planned
		return sleepSteps(planned[:min(n, len(planned))]), nil
	}
	steps, err := r.verbs.SleepSteps(ctx, c, obj.Report.ID, n)
	if err != nil {
		return nil, err
	}
	return sleepSteps(steps), nil
}

// listed is the first of some ids.
func listed(ids []graph.ID, first *int) ([]string, error) {
	n, err := count("first", first, 200, maxListed)
	if err != nil {
		return nil, err
	}
	return idStrings(ids[:min(n, len(ids))]), nil
}

// sleepReport is a report in the words of the schema; nil where there is none.
func sleepReport(r *engine.SleepReport) *gql.SleepReport {
	if r == nil {
		return nil
	}
	out := &gql.SleepReport{
		Report: r,
		ID:     string(r.ID), Kind: gql.SleepKind(r.Kind), Trigger: gql.SleepTrigger(r.Trigger),
		StartedAt: r.StartedAt, CompletedAt: instant(r.CompletedAt), Resumed: r.Resumed, Complete: r.Complete, DryRun: r.DryRun,
		Reinforced: r.Reinforced, Decayed: r.Decayed, Pruned: r.Pruned, Deduplicated: r.Deduplicated,
		Promoted: r.Promoted, Engraved: r.Engraved, Dreamed: r.Dreamed, Consolidated: r.Consolidated,
		Derived: r.Derived, Sparsified: r.Sparsified, TokensSaved: r.TokensSaved, PromotionRate: r.PromotionRate,
		BudgetKept: r.BudgetKept, RolledBackAt: instant(r.RolledBackAt),
		Balance: &gql.SleepBalance{
			In: r.Balance.In, Kept: r.Balance.Kept, Merged: r.Balance.Merged, Archived: r.Balance.Archived,
			Left: r.Balance.Left, Derived: r.Balance.Derived,
		},
		HealthBefore: r.HealthBefore, HealthAfter: r.HealthAfter, Degraded: words[gql.Part](r.Degraded),
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, &gql.SleepPhaseRun{Phase: gql.SleepPhase(p.Phase), Items: p.Items, Seconds: p.Duration.Seconds()})
	}
	return out
}

func sleepSteps(steps []engine.SleepStep) []*gql.SleepStep {
	out := make([]*gql.SleepStep, len(steps))
	for i, s := range steps {
		out[i] = &gql.SleepStep{Phase: gql.SleepPhase(s.Phase), Verb: gql.StepVerb(s.Verb), From: idStrings(s.From), To: null[string](s.To), Reason: null[string](s.Why())}
	}
	return out
}
