package upkeep

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// SwitchModel switches every tenant that is completely embedded with the model to it, and
// returns the number of tenants. It must be called before the index is opened. The switch
// of a tenant is one write; after it, only the new model can open the tenant. The vectors
// are moved afterwards, and a call after a crash resumes this. A memory without a vector of
// the new model waits for its embedding like any other.
func SwitchModel(ctx context.Context, store graph.Store, model string, now time.Time) (switched int, err error) {
	tenants, err := store.Tenants(ctx)
	if err != nil {
		return 0, fmt.Errorf("engine: list tenants: %w", err)
	}
	for _, name := range tenants {
		scope := graph.Scope{Tenant: name}
		planned, err := switchPlanned(ctx, store, scope, model)
		if err != nil {
			return switched, fmt.Errorf("engine: read the model of tenant %s: %w", name, err)
		}
		if !planned {
			continue // a store that is open for reading alone need not be written
		}
		there, at, err := startSwitch(ctx, store, scope, model, now)
		if err == nil && there {
			switched++
			err = moveVectors(ctx, store, scope, model, at)
		}
		if err != nil {
			return switched, fmt.Errorf("engine: switch tenant %s to %s: %w", name, model, err)
		}
	}
	return switched, nil
}

// switchPlanned reports whether a tenant is completely embedded with the model and still to be switched.
func switchPlanned(ctx context.Context, store graph.Store, scope graph.Scope, model string) (planned bool, err error) {
	err = store.View(ctx, scope, func(r graph.Reader) error {
		var m reembedState
		found, err := lifecycle.ReadSetting(r, reembedSetting, &m)
		planned = found && m.Model == model && m.Complete
		return err
	})
	return planned, err
}

// startSwitch starts the switch if the move is complete, and returns the instant to write
// at.
//
// It reads first, and writes nothing where nothing is switched: a server must start on a full disk.
func startSwitch(ctx context.Context, store graph.Store, scope graph.Scope, model string, now time.Time) (there bool, at time.Time, err error) {
	complete := false
	err = store.View(ctx, scope, func(r graph.Reader) error {
		var m reembedState
		found, err := lifecycle.ReadSetting(r, reembedSetting, &m)
		complete = found && m.Model == model && m.Complete
		return err
	})
	if err != nil || !complete {
		return false, at, err
	}
	_, err = store.Update(ctx, scope, func(tx graph.Tx) error {
		there = false
		var m reembedState
		found, err := lifecycle.ReadSetting(tx, reembedSetting, &m)
		if err != nil || !found || m.Model != model || !m.Complete {
			return err
		}
		last, err := tx.LastRecorded()
		if err != nil {
			return err
		}
		there, at = true, lifecycle.Later(graph.Millis(now), last)
		if m.Switching {
			return nil
		}
		m.Switching = true
		if err := lifecycle.PutSetting(tx, workspace.SinceSetting, at); err != nil {
			return err
		}
		return lifecycle.PutSetting(tx, reembedSetting, m)
	})
	return there, at, err
}

// notesPerMove is the number of notes whose vectors one transaction moves.
const notesPerMove = 4

// moveVectors moves the vectors of a tenant into use and ends the switch.
func moveVectors(ctx context.Context, store graph.Store, scope graph.Scope, model string, at time.Time) error {
	for more := true; more; {
		_, err := store.Update(ctx, scope, func(tx graph.Tx) (err error) { more, err = moveNotes(tx, model, at); return err })
		if err != nil {
			return err
		}
	}
	if err := clearOtherVectors(ctx, store, scope, model, at); err != nil {
		return err
	}
	_, err := store.Update(ctx, scope, func(tx graph.Tx) error { return tx.PutSetting(reembedSetting, nil) })
	return err
}

// moveNotes moves the vectors of some notes, and reports whether there are more.
func moveNotes(tx graph.Tx, model string, at time.Time) (more bool, err error) {
	notes, err := tx.Notes(graph.NoteAside, "", false, notesPerMove)
	if err != nil {
		return false, err
	}
	for _, n := range notes {
		x, err := readAsideNote(n)
		if err != nil {
			return false, err
		}
		if x != nil && x.Model == model {
			for _, id := range n.Memories {
				m, err := tx.Memory(id)
				if err != nil {
					return false, err
				}
				if m.Status() == graph.Forgotten {
					continue
				}
				v, err := vectorOf(x.Vectors[id])
				if err != nil {
					return false, err
				}
				if err := tx.PutEmbedding(id, v); err != nil {
					return false, err
				}
				m.EmbeddingModel, m.UpdatedAt = model, at
				if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
					return false, err
				}
			}
		}
		if err := tx.DeleteNote(graph.NoteAside, n.ID); err != nil {
			return false, err
		}
	}
	return len(notes) == notesPerMove, nil
}

// clearOtherVectors clears the remaining vectors of other models, so that their memories
// wait for an embedding. They were written after the last embedded memory, or the new model
// refused them.
func clearOtherVectors(ctx context.Context, store graph.Store, scope graph.Scope, model string, at time.Time) error {
	for after := graph.ID(""); ; {
		var page []*graph.Memory
		err := store.View(ctx, scope, func(r graph.Reader) (err error) {
			page, err = r.ListMemories(graph.MemoryQuery{Statuses: embeddable, After: after, Limit: workspace.MaxBatch})
			return err
		})
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].ID
		page = slices.DeleteFunc(page, func(m *graph.Memory) bool { return m.EmbeddingModel == model || m.EmbeddingModel == "" })
		if len(page) == 0 {
			continue
		}
		_, err = store.Update(ctx, scope, func(tx graph.Tx) error {
			for _, m := range page {
				if err := lifecycle.ClearVector(tx, m.ID, at); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}
