package sleep

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Limits of one note of a plan.
const (
	maxChunkSteps = 1000
	maxChunkBytes = 200 << 10
)

// storedPlan describes how the plan of a phase is stored.
type storedPlan struct {
	Steps  int   `json:"steps"`
	Chunks []int `json:"chunks,omitempty"` // number of steps up to the end of each note
}

// writePlan stores the plan of the phase, note by note. The last write marks the phase as
// planned.
func (run *sleepRun) writePlan(ctx context.Context, steps []plannedStep) error {
	p := storedPlan{Steps: len(steps)}
	for at := 0; at < len(steps); {
		data, size, err := chunkOf(steps[at:])
		if err != nil {
			return err
		}
		id, err := run.checkpoint.planNoteID(run.checkpoint.Phase, len(p.Chunks))
		if err != nil {
			return err
		}
		at += size
		p.Chunks = append(p.Chunks, at)
		err = run.t.Update(ctx, func(tx graph.Tx) error {
			if err := run.checkpoint.checkLease(tx); err != nil {
				return err
			}
			return tx.PutNote(graph.Note{Kind: graph.NotePlan, ID: id, At: run.checkpoint.At, Data: data})
		})
		if err != nil {
			return err
		}
	}
	err := run.advance(ctx, func(_ graph.Tx, next *checkpoint) error {
		next.Plans, next.Done = append(slices.Clip(next.Plans), p), 0
		if run.anotherRound {
			next.ClusterRounds++
		}
		return nil
	})
	if err == nil && run.anotherRound {
		run.anotherRound, run.phases = false, phasesOf(run.checkpoint)
	}
	return err
}

// chunkOf encodes as many steps as fit into one note.
func chunkOf(steps []plannedStep) (data []byte, size int, err error) {
	data = append(data, '[')
	for ; size < len(steps) && size < maxChunkSteps; size++ {
		one, err := json.Marshal(steps[size])
		if err != nil {
			return nil, 0, err
		}
		if size > 0 && len(data)+len(one) > maxChunkBytes {
			break
		}
		if size > 0 {
			data = append(data, ',')
		}
		data = append(data, one...)
	}
	return append(data, ']'), size, nil
}

// stepsFrom reads the steps of a planned phase from position at to the end of their note.
func (run *sleepRun) stepsFrom(ctx context.Context, phase, at int) ([]plannedStep, error) {
	if run.dryRun {
		return run.dryRunSteps[phase][at:], nil
	}
	p := run.checkpoint.Plans[phase]
	number, from := 0, 0
	for number < len(p.Chunks) && p.Chunks[number] <= at {
		from = p.Chunks[number]
		number++
	}
	if number == len(p.Chunks) {
		return nil, nil
	}
	if run.chunk.steps == nil || run.chunk.phase != phase || run.chunk.number != number {
		id, err := run.checkpoint.planNoteID(phase, number)
		if err != nil {
			return nil, err
		}
		var steps []plannedStep
		err = run.view(ctx, func(r graph.Reader) (err error) { steps, err = readPlan(r, id); return err })
		if err != nil {
			return nil, err
		}
		run.chunk.phase, run.chunk.number, run.chunk.steps = phase, number, steps
	}
	return run.chunk.steps[at-from:], nil
}

// readPlan reads one note of a plan.
func readPlan(r graph.Reader, id graph.ID) ([]plannedStep, error) {
	note, err := r.Note(graph.NotePlan, id)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	var steps []plannedStep
	if err := json.Unmarshal(note.Data, &steps); err != nil {
		return nil, fmt.Errorf("%w: plan of a sleep: %w", graph.ErrIntegrity, err)
	}
	return steps, nil
}

// planNoteID returns the id of a note of a phase's plan.
func (c *checkpoint) planNoteID(phase, chunk int) (graph.ID, error) {
	return c.noteID(fmt.Sprintf("plan.%d", phase), chunk)
}

// noteID returns the id of a note of the cycle. It is deterministic.
func (c *checkpoint) noteID(kind string, number int) (graph.ID, error) {
	return graph.DerivedID(c.At, string(c.ID), kind, fmt.Sprint(number))
}
