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

// Strategy is how a consolidation by hand chooses.
type Strategy string

// The strategies.
const (
	StrategyAge         Strategy = "AGE"          // what is older than OlderThanDays
	StrategyImportance  Strategy = "IMPORTANCE"   // what is less important than BelowImportance
	StrategyTokenBudget Strategy = "TOKEN_BUDGET" // the least worth keeping, until what is ACTIVE fits TokenBudget
)

// ConsolidateInput asks for a consolidation by hand. What is alone in its group is
// archived as it is.
type ConsolidateInput struct {
	Strategy        Strategy
	Namespace       string // empty: default
	User, Project   string
	OlderThanDays   *int     // AGE; default 30
	BelowImportance *float64 // IMPORTANCE; default 0.3
	TokenBudget     *int     // TOKEN_BUDGET; required there
	DryRun          bool
}

const (
	defaultOlderThan       = 30  // days
	defaultBelowImportance = 0.3 // importance
)

// Consolidate folds memories by a strategy: groups about one matter into what is true,
// and what is alone in its group is archived as it is. It takes the place of a sleep
// while it runs, and can be rolled back like one.
func (svc *Service) Consolidate(ctx context.Context, c workspace.Caller, in ConsolidateInput) (*Report, error) {
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
	fresh := &checkpoint{Input: &in, Report: Report{Kind: ByHandSleep, Trigger: TriggerHand, BudgetKept: true, DryRun: in.DryRun}}
	if in.DryRun {
		return svc.dryRun(ctx, t, fresh)
	}
	run, err := svc.start(ctx, t, fresh)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.wait(ctx, run)
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
			below := defaultBelowImportance
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
var manualPhase = phaseSpec{
	name: PhaseREM,
	plan: planManual,
	prepare: func(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
		if s.Verb == StepArchive {
			return nil, nil
		}
		return prepareDistil(ctx, run, s)
	},
	apply: func(b *batch, s plannedStep, ready any) error {
		if s.Verb == StepArchive {
			return applyArchive(b, s)
		}
		return applyDistil(b, s, ready)
	},
}

// planByHand chooses by the strategy, and groups what was chosen.
func planManual(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	in := run.checkpoint.Input
	var all []*candidate
	for _, c := range run.activeMemories() {
		if c.Namespace == in.Namespace && (in.User == "" || c.User == in.User) && (in.Project == "" || c.Project == in.Project) &&
			c.Type != graph.Document && c.Type != graph.Working && run.mayDerive(c) {
			all = append(all, c)
		}
	}
	run.checkpoint.Report.Balance.In, run.checkpoint.Report.HealthBefore = len(all), run.health()
	chosen, err := run.choose(ctx, all)
	if err != nil {
		return nil, err
	}
	fresh := map[graph.ID]bool{}
	for _, c := range chosen {
		fresh[c.ID] = true
	}
	groups, err := run.groupByMatter(ctx, chosen, fresh)
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	grouped := map[graph.ID]bool{}
	for _, g := range groups {
		steps = append(steps, plannedStep{Verb: StepDistil, IDs: g})
		for _, id := range g {
			grouped[id] = true
		}
	}
	for _, c := range chosen {
		if !grouped[c.ID] {
			steps = append(steps, plannedStep{Verb: StepArchive, IDs: []graph.ID{c.ID}})
		}
	}
	return steps, nil
}

// choose are the memories that the strategy takes, by id.
func (run *sleepRun) choose(ctx context.Context, all []*candidate) ([]*candidate, error) {
	in := run.checkpoint.Input
	switch in.Strategy {
	case StrategyAge:
		oldest := run.checkpoint.At.Add(-time.Duration(*in.OlderThanDays) * 24 * time.Hour)
		return slices.DeleteFunc(all, func(c *candidate) bool { return c.CreatedAt.After(oldest) }), nil
	case StrategyImportance:
		return slices.DeleteFunc(all, func(c *candidate) bool { return c.Importance >= *in.BelowImportance }), nil
	}
	central, err := run.centrality()
	if err != nil {
		return nil, err
	}
	tokens, total := map[graph.ID]int{}, 0
	worth := map[graph.ID]float64{}
	err = run.t.View(ctx, func(r graph.Reader) error {
		total = 0
		for _, c := range all {
			m, err := r.Memory(c.ID)
			if err != nil {
				return err
			}
			tokens[c.ID] = prompt.Count(m.Content)
			total += tokens[c.ID]
			worth[c.ID] = importance.KeepWorth(importance.KeepSignals{
				SinceCreation: run.checkpoint.At.Sub(c.CreatedAt), SinceAccess: c.unusedFor(run.checkpoint.At), Usage: c.Usage.Count,
				Centrality: central[c.ID], Criticality: m.Criticality, Relations: len(c.Entities),
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(worth[a.ID], worth[b.ID]) })
	var chosen []*candidate
	for _, c := range all {
		if total <= *in.TokenBudget {
			break
		}
		chosen = append(chosen, c)
		total -= tokens[c.ID]
	}
	slices.SortFunc(chosen, func(a, b *candidate) int { return cmp.Compare(a.ID, b.ID) })
	return chosen, nil
}
