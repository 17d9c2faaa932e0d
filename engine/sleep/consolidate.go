package sleep

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	defaultOlderThan = 30  // days
	defaultBelow     = 0.3 // importance
)

// Consolidate folds memories by a strategy: groups about one matter into what is true,
// and what is alone in its group is archived as it is. It takes the place of a sleep
// while it runs, and can be rolled back like one.
func (svc *Service) Consolidate(ctx context.Context, c workspace.Caller, in ConsolidateInput) (*SleepReport, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	fresh := &checkpoint{Input: &in, Report: SleepReport{Kind: ByHandSleep, Trigger: TriggerHand, BudgetKept: true, DryRun: in.DryRun}}
	if in.DryRun {
		return svc.rehearseSleep(ctx, t, fresh)
	}
	n, err := svc.start(ctx, t, fresh)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.wait(ctx, n)
}

// check fills in what is not given and answers the error that names the field at fault.
func (in *ConsolidateInput) check() error {
	if in.Namespace == "" {
		in.Namespace = workspace.DefaultNamespace
	}
	if !graph.ValidNamespace(in.Namespace) {
		return graph.FieldError(graph.CodeInvalidRequest, "namespace", "must be 1 to 64 letters, digits or underscores")
	}
	switch in.Strategy {
	case StrategyAge:
		if in.OlderThanDays == nil {
			days := defaultOlderThan
			in.OlderThanDays = &days
		}
		if d := *in.OlderThanDays; d < 0 || d > 36500 {
			return graph.FieldError(graph.CodeInvalidRequest, "olderThanDays", "must be 0 to 36500")
		}
	case StrategyImportance:
		if in.BelowImportance == nil {
			below := defaultBelow
			in.BelowImportance = &below
		}
		return graph.Unit("belowImportance", *in.BelowImportance)
	case StrategyTokenBudget:
		if in.TokenBudget == nil || *in.TokenBudget < 0 {
			return graph.FieldError(graph.CodeInvalidRequest, "tokenBudget", "is required, at least 0")
		}
	default:
		return graph.FieldError(graph.CodeInvalidRequest, "strategy", "must be %s, %s or %s", StrategyAge, StrategyImportance, StrategyTokenBudget)
	}
	return nil
}

// byHand is the one phase of a consolidation by hand.
var byHand = phase{
	name: PhaseREM,
	plan: planByHand,
	prepare: func(ctx context.Context, n *run, s step) (any, error) {
		if s.Verb == StepArchive {
			return nil, nil
		}
		return prepareDistil(ctx, n, s)
	},
	apply: func(b *batch, s step, ready any) error {
		if s.Verb == StepArchive {
			return applyLetGo(b, s)
		}
		return applyDistil(b, s, ready)
	},
}

// planByHand chooses by the strategy, and groups what was chosen.
func planByHand(ctx context.Context, n *run) ([]step, error) {
	in := n.checkpoint.Input
	var all []*sleeper
	for _, s := range n.everybody() {
		if s.Namespace == in.Namespace && (in.User == "" || s.User == in.User) && (in.Project == "" || s.Project == in.Project) &&
			s.Type != graph.Document && s.Type != graph.Working && n.distils(s) {
			all = append(all, s)
		}
	}
	n.checkpoint.Report.Balance.In, n.checkpoint.Report.HealthBefore = len(all), n.health()
	chosen, err := n.choose(ctx, all)
	if err != nil {
		return nil, err
	}
	fresh := map[graph.ID]bool{}
	for _, s := range chosen {
		fresh[s.ID] = true
	}
	groups, err := n.groups(ctx, chosen, fresh)
	if err != nil {
		return nil, err
	}
	var steps []step
	grouped := map[graph.ID]bool{}
	for _, g := range groups {
		steps = append(steps, step{Verb: StepDistil, IDs: g})
		for _, id := range g {
			grouped[id] = true
		}
	}
	for _, s := range chosen {
		if !grouped[s.ID] {
			steps = append(steps, step{Verb: StepArchive, IDs: []graph.ID{s.ID}})
		}
	}
	return steps, nil
}

// choose are the memories that the strategy takes, by id.
func (n *run) choose(ctx context.Context, all []*sleeper) ([]*sleeper, error) {
	in := n.checkpoint.Input
	switch in.Strategy {
	case StrategyAge:
		oldest := n.checkpoint.At.Add(-time.Duration(*in.OlderThanDays) * 24 * time.Hour)
		return slices.DeleteFunc(all, func(s *sleeper) bool { return s.CreatedAt.After(oldest) }), nil
	case StrategyImportance:
		return slices.DeleteFunc(all, func(s *sleeper) bool { return s.Importance >= *in.BelowImportance }), nil
	}
	central, err := n.centrality()
	if err != nil {
		return nil, err
	}
	tokens, total := map[graph.ID]int{}, 0
	worth := map[graph.ID]float64{}
	err = n.t.View(ctx, func(r graph.Reader) error {
		total = 0
		for _, s := range all {
			m, err := r.Memory(s.ID)
			if err != nil {
				return err
			}
			tokens[s.ID] = prompt.Count(m.Content)
			total += tokens[s.ID]
			worth[s.ID] = importance.KeepWorth(importance.KeepSignals{
				SinceCreation: n.checkpoint.At.Sub(s.CreatedAt), SinceAccess: s.since(n.checkpoint.At), Usage: s.Usage.Count,
				Centrality: central[s.ID], Criticality: m.Criticality, Relations: len(s.Entities),
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *sleeper) int { return cmp.Compare(worth[a.ID], worth[b.ID]) })
	var chosen []*sleeper
	for _, s := range all {
		if total <= *in.TokenBudget {
			break
		}
		chosen = append(chosen, s)
		total -= tokens[s.ID]
	}
	slices.SortFunc(chosen, func(a, b *sleeper) int { return cmp.Compare(a.ID, b.ID) })
	return chosen, nil
}

// applyLetGo archives what was alone in its group.
func applyLetGo(b *batch, s step) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	return b.archive(m)
}
