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

// Strategy is how a manual consolidation selects memories.
type Strategy string

// The strategies.
const (
	StrategyAge         Strategy = "AGE"          // memories older than OlderThanDays
	StrategyImportance  Strategy = "IMPORTANCE"   // memories less important than BelowImportance
	StrategyTokenBudget Strategy = "TOKEN_BUDGET" // memories with the lowest keep worth, until the ACTIVE ones fit TokenBudget
)

// ConsolidateInput requests a manual consolidation. A selected memory without a group is archived.
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

// Consolidate consolidates the memories that a strategy selects. It distils groups of
// memories on one matter into statements, and archives memories without a group. No sleep
// runs at the same time. A consolidation can be rolled back like a sleep.
func (svc *Service) Consolidate(ctx context.Context, c workspace.Caller, in ConsolidateInput) (*Report, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
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

// check sets the defaults, and returns an error that names the invalid field.
func (in *ConsolidateInput) check() error {
	if in.Namespace == "" {
		in.Namespace = workspace.DefaultNamespace
	}
	if !graph.ValidNamespace(in.Namespace) {
		return graph.NamespaceError("namespace")
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

// manualPhase is the only phase of a manual consolidation.
var manualPhase = phaseSpec{
	name: PhaseREM,
	plan: planManual,
	prepare: func(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
		if s.Verb == StepArchive {
			return nil, nil
		}
		return prepareDistil(ctx, run, s)
	},
	announces: func(s plannedStep) bool { return s.Verb == StepDistil },
	announce:  announceSummary,
	apply: func(b *batch, s plannedStep, ready any) error {
		if s.Verb == StepArchive {
			return applyArchive(b, s)
		}
		return applySummary(b, s, ready)
	},
}

// planManual selects memories by the strategy, folds those that repeat each other and groups the others.
func planManual(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	in := run.checkpoint.Input
	var all []*candidate
	for _, c := range run.activeMemories() {
		if c.Namespace == in.Namespace && (in.User == "" || c.User == in.User) && (in.Project == "" || c.Project == in.Project) &&
			c.Type != graph.Document && c.Type != graph.Working && c.Pattern == "" && run.mayDerive(c) {
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
	steps, err := run.foldsAmong(ctx, chosen, fresh)
	if err != nil {
		return nil, err
	}
	grouped := map[graph.ID]bool{}
	markIDs(grouped, steps)
	left := slices.DeleteFunc(slices.Clone(chosen), func(c *candidate) bool { return grouped[c.ID] })
	groups, err := run.groupByMatter(ctx, left, fresh)
	if err != nil {
		return nil, err
	}
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

// choose returns the memories that the strategy selects, by id.
func (run *sleepRun) choose(ctx context.Context, all []*candidate) ([]*candidate, error) {
	in := run.checkpoint.Input
	switch in.Strategy {
	case StrategyAge:
		oldest := run.checkpoint.At.Add(-time.Duration(*in.OlderThanDays) * 24 * time.Hour)
		return slices.DeleteFunc(all, func(c *candidate) bool { return c.CreatedAt.After(oldest) }), nil
	case StrategyImportance:
		return slices.DeleteFunc(all, func(c *candidate) bool { return c.Importance >= *in.BelowImportance }), nil
	}
	central, err := run.svc.centrality(run.t.Scope)
	if err != nil {
		return nil, err
	}
	tokens, total := map[graph.ID]int{}, 0
	worth := map[graph.ID]float64{}
	err = run.view(ctx, func(r graph.Reader) error {
		total = 0
		for _, c := range all {
			m, err := graph.Readable(r, c.ID)
			if err != nil {
				return err
			}
			if m == nil {
				continue
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
