package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// workedFor is how old a working memory must be before a sleep makes an episode of it.
const workedFor = 24 * time.Hour

// planKeep lists the working memories of yesterday and before that mattered: of priority
// MEDIUM or HIGH and used. They become episodes, but for tasks that are tracked.
func planKeep(_ context.Context, n *night) ([]step, error) {
	var steps []step
	for _, s := range n.sleepers() {
		if s.Type == graph.Working && s.Usage.Count > 0 && n.c.At.Sub(s.CreatedAt) >= workedFor {
			steps = append(steps, step{Verb: StepKeep, IDs: []graph.ID{s.ID}})
		}
	}
	return steps, nil
}

func applyKeep(b *batch, s step, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if m.Type != graph.Working || !matters(m.Priority) || tracked(m) {
		return nil
	}
	p, err := b.n.policy(b, m.Namespace)
	if err != nil {
		return err
	}
	m.Type, m.DecayClass, m.ExpiresAt, m.UpdatedAt = graph.Episodic, graph.DecayMedium, time.Time{}, b.now
	bindPolicy(m, p)
	b.did(StepKeep, "", m.ID)
	return b.PutMemory(m, graph.EventUpdated)
}

// matters reports whether a working memory of the priority may become an episode.
func matters(p graph.Priority) bool {
	return slices.Index(graph.Priorities, p) >= slices.Index(graph.Priorities, graph.Medium)
}
