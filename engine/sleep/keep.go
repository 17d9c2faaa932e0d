package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// workedFor is how old a working memory must be before a sleep makes an episode of it.
const workedFor = 24 * time.Hour

// planKeep lists the working memories of yesterday and before that mattered: of priority
// MEDIUM or HIGH and used. They become episodes, but for tasks that are tracked.
func planKeep(_ context.Context, n *run) ([]step, error) {
	var steps []step
	for _, s := range n.sleepers() {
		if s.Type == graph.Working && s.Usage.Count > 0 && n.checkpoint.At.Sub(s.CreatedAt) >= workedFor {
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
	if m.Type != graph.Working || !lifecycle.OutlivesSession(m.Priority) || lifecycle.IsTracked(m) {
		return nil
	}
	p, err := b.n.policy(b, m.Namespace)
	if err != nil {
		return err
	}
	m.Type, m.DecayClass, m.ExpiresAt, m.UpdatedAt = graph.Episodic, graph.DecayMedium, time.Time{}, b.now
	lifecycle.BindPolicy(m, p)
	b.did(StepKeep, "", m.ID)
	return b.PutMemory(m, graph.EventUpdated)
}
