package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// workingAge is the age at which a sleep turns a working memory into an episode.
const workingAge = 24 * time.Hour

// planWorking lists the used working memories that are at least a day old. Those of
// priority MEDIUM or HIGH become episodes, except tasks, which have ends of their own.
func planWorking(_ context.Context, run *sleepRun) ([]plannedStep, error) {
	var steps []plannedStep
	for _, c := range run.candidates() {
		if c.Type == graph.Working && c.Usage.Count > 0 && run.checkpoint.At.Sub(c.CreatedAt) >= workingAge {
			steps = append(steps, plannedStep{Verb: StepKeep, IDs: []graph.ID{c.ID}})
		}
	}
	return steps, nil
}

func applyWorking(b *batch, s plannedStep, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if m.Type != graph.Working || !lifecycle.OutlivesSession(m.Priority) || lifecycle.IsTask(m) {
		return nil
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil {
		return err
	}
	m.Type, m.DecayClass, m.ExpiresAt, m.UpdatedAt = graph.Episodic, graph.DecayMedium, time.Time{}, b.now
	lifecycle.BindPolicy(m, p)
	b.did(StepKeep, "", m.ID)
	return b.PutMemory(m, graph.EventUpdated)
}
