package index

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Reseal seals the files of a tenant's index again under new keys, where their keys have numbers
// below first, and destroys the former ones. Searches and writes go on. Without a sealed store it
// does nothing.
func (x *Index) Reseal(ctx context.Context, sc graph.Scope, first uint64) error {
	t, err := x.openTenant(ctx, sc)
	if err != nil || t.ring == nil || t.opts.Dir == "" {
		return err
	}
	if _, err := t.files.Reseal(first); err != nil {
		return err
	}
	// A snapshot that is being written has a key of its own, which may be a former one.
	t.snapshots.saving.Lock()
	t.snapshots.mu.Lock()
	former := t.snapshots.key != 0 && t.snapshots.key < first
	t.snapshots.mu.Unlock()
	t.snapshots.saving.Unlock()
	if !former {
		return nil
	}
	return t.saveSnapshot(ctx)
}
