package sleep

import (
	"context"
	"fmt"
)

// remPart is one part of REM. It works like a phase, but has no entry of its own in the
// report.
type remPart struct {
	verbs   []StepVerb
	plan    func(ctx context.Context, run *sleepRun) ([]plannedStep, error)
	prepare func(ctx context.Context, run *sleepRun, s plannedStep) (any, error)
	// announce, if set, runs in an earlier transaction than apply; see phaseSpec.
	announce func(b *batch, s plannedStep, ready any) error
	apply    func(b *batch, s plannedStep, ready any) error
}

// remParts are the parts of REM, in the order of their execution.
var remParts = []remPart{
	{verbs: []StepVerb{StepPromote, StepEngrave}, plan: planPromotion, prepare: preparePromotion, apply: applyPromotion},
	{verbs: []StepVerb{StepKeep}, plan: planWorking, apply: applyWorking},
	{verbs: []StepVerb{StepPattern}, plan: planPattern, prepare: preparePattern, apply: applyDerived},
	{verbs: []StepVerb{StepSummarise}, plan: planProjects, prepare: prepareProject, apply: applyDerived},
	// After the parts that read episodes, because it merges them.
	{verbs: []StepVerb{StepDistil}, plan: planDistil, prepare: prepareDistil, announce: announceSummary, apply: applySummary},
	{verbs: []StepVerb{StepDream}, plan: planDream, prepare: prepareDream, apply: applyDream},
	{verbs: []StepVerb{StepSparsify}, plan: planSparsify, apply: applySparsify},
}

// remPhase combines the parts into one phase.
func remPhase(acts []remPart) phaseSpec {
	of := map[StepVerb]remPart{}
	for _, a := range acts {
		for _, v := range a.verbs {
			of[v] = a
		}
	}
	return phaseSpec{
		name: PhaseREM,
		plan: func(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
			var all []plannedStep
			for _, a := range acts {
				steps, err := a.plan(ctx, run)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", a.verbs[0], err)
				}
				all = append(all, steps...)
			}
			return all, nil
		},
		prepare: func(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
			if p := of[s.Verb].prepare; p != nil {
				return p(ctx, run, s)
			}
			return nil, nil
		},
		announces: func(s plannedStep) bool { return of[s.Verb].announce != nil },
		announce:  func(b *batch, s plannedStep, ready any) error { return of[s.Verb].announce(b, s, ready) },
		apply:     func(b *batch, s plannedStep, ready any) error { return of[s.Verb].apply(b, s, ready) },
	}
}
