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
	apply   func(b *batch, s plannedStep, ready any) error
}

// remParts are the parts of REM, in the order of their execution.
var remParts = []remPart{
	{verbs: []StepVerb{StepPromote, StepEngrave}, plan: planPromotion, prepare: preparePromotion, apply: applyPromotion},
	{verbs: []StepVerb{StepKeep}, plan: planWorking, apply: applyWorking},
	{verbs: []StepVerb{StepPattern}, plan: planPattern, prepare: preparePattern, apply: applyDistil},
	{verbs: []StepVerb{StepSummarise}, plan: planProjects, prepare: prepareProject, apply: applyDistil},
	// After the parts that read episodes, because it merges them.
	{verbs: []StepVerb{StepDistil}, plan: planDistil, prepare: prepareDistil, apply: applyDistil},
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
		apply: func(b *batch, s plannedStep, ready any) error { return of[s.Verb].apply(b, s, ready) },
	}
}
