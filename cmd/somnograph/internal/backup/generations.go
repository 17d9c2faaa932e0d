package backup

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// The store records which generations of its backups may exist, so that a receipt of an erasure can say
// when the last one is gone that may hold what was erased.

// noteBegun records, before anything is read, that a generation begins.
func (m *Maker) noteBegun(ctx context.Context, identity string, generation int) error {
	return m.changeGenerations(ctx, identity, func(s graph.BackupState) graph.BackupState {
		return s.Begin(generation, graph.Millis(m.Now()))
	})
}

// noteComplete records that a target has the manifest of a backup.
func (m *Maker) noteComplete(ctx context.Context, manifest *Manifest) error {
	return m.changeGenerations(ctx, manifest.Backup, func(s graph.BackupState) graph.BackupState {
		s = s.Begin(manifest.Generation, manifest.FullAt)
		s.Complete = true
		return s
	})
}

// Kept records that the generations of a backup below oldest were removed from its target. text is the
// signed manifest of a later one.
func (m *Maker) Kept(ctx context.Context, text []byte, oldest int) error {
	keys, err := m.keys(text)
	if err != nil {
		return err
	}
	manifest, err := keys.parseManifest(text, true)
	if err != nil {
		return err
	}
	if oldest < 1 || oldest > manifest.Generation {
		return fmt.Errorf("backup: the oldest generation can't be %d, because the newest is %d", oldest, manifest.Generation)
	}
	return m.changeGenerations(ctx, manifest.Backup, func(s graph.BackupState) graph.BackupState {
		s = s.Begin(manifest.Generation, manifest.FullAt)
		s.Complete = true
		return s.Remove(oldest, graph.Millis(m.Now()))
	})
}

// changeGenerations changes the state of a backup in the store. It writes nothing if the state stays
// the same: a round with nothing to write must stay one.
func (m *Maker) changeGenerations(ctx context.Context, identity string, change func(graph.BackupState) graph.BackupState) error {
	var before, after graph.BackupState
	err := m.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		states, err := graph.Backups(r)
		before = states[identity]
		return err
	})
	if err == nil {
		if after = change(before); after.Begun == before.Begun && after.Oldest == before.Oldest && after.Complete == before.Complete {
			return nil
		}
		_, err = m.Store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
			states, err := graph.Backups(tx)
			if err != nil {
				return err
			}
			states[identity] = change(states[identity])
			return graph.PutBackups(tx, states)
		})
	}
	if err != nil {
		return fmt.Errorf("backup: record its generations: %w", err)
	}
	return nil
}

// dropBackup forgets a backup whose first generation failed.
func (m *Maker) dropBackup(ctx context.Context, identity string) {
	_, _ = m.Store.Update(context.WithoutCancel(ctx), graph.ServerScope(), func(tx graph.Tx) error { // receipts may name it
		states, err := graph.Backups(tx)
		if err != nil {
			return err
		}
		delete(states, identity)
		return graph.PutBackups(tx, states)
	})
}
