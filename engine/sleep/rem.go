package sleep

import (
	"context"
	"fmt"
)

// act is one part of REM: a phase of its own, but for its place in the report.
type act struct {
	verbs   []StepVerb
	plan    func(ctx context.Context, n *run) ([]step, error)
	prepare func(ctx context.Context, n *run, s step) (any, error)
	apply   func(b *batch, s step, ready any) error
}

// acts are the parts of REM, in the order in which they are carried out.
var acts = []act{
	{verbs: []StepVerb{StepPromote, StepEngrave}, plan: planRaise, prepare: prepareRaise, apply: applyRaise},
	{verbs: []StepVerb{StepKeep}, plan: planKeep, apply: applyKeep},
	{verbs: []StepVerb{StepPattern}, plan: planPattern, prepare: preparePattern, apply: applyDistil},
	{verbs: []StepVerb{StepSummarise}, plan: planProjects, prepare: prepareProject, apply: applyDistil},
	// Behind those that read episodes, for it folds them.
	{verbs: []StepVerb{StepDistil}, plan: planDistil, prepare: prepareDistil, apply: applyDistil},
	{verbs: []StepVerb{StepDream}, plan: planDream, prepare: prepareDream, apply: applyDream},
	{verbs: []StepVerb{StepSparsify}, plan: planSparsify, apply: applySparsify},
}

func prepareRaise(ctx context.Context, n *run, s step) (any, error) {
	if s.Verb == StepPromote {
		return nil, nil
	}
	return prepareEngrave(ctx, n, s)
}

func applyRaise(b *batch, s step, ready any) error {
	if s.Verb == StepPromote {
		return applyPromote(b, s, ready)
	}
	return applyEngrave(b, s, ready)
}

// rem puts acts together into one phase.
func rem(acts []act) phase {
	of := map[StepVerb]act{}
	for _, a := range acts {
		for _, v := range a.verbs {
			of[v] = a
		}
	}
	return phase{
		name: PhaseREM,
		plan: func(ctx context.Context, n *run) ([]step, error) {
			var all []step
			for _, a := range acts {
				steps, err := a.plan(ctx, n)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", a.verbs[0], err)
				}
				all = append(all, steps...)
			}
			return all, nil
		},
		prepare: func(ctx context.Context, n *run, s step) (any, error) {
			if p := of[s.Verb].prepare; p != nil {
				return p(ctx, n, s)
			}
			return nil, nil
		},
		apply: func(b *batch, s step, ready any) error { return of[s.Verb].apply(b, s, ready) },
	}
}
