package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// Damage is what is wrong with the files of a tenant's index. Searches are right all the same: what
// can't be read comes from the store.
type Damage struct {
	Snapshot bool // it can't be read
	Vectors  int  // records of vector files that can't be read
}

// Count is the number of damaged snapshots and records.
func (d Damage) Count() int {
	if d.Snapshot {
		return d.Vectors + 1
	}
	return d.Vectors
}

// String describes the damage for people.
func (d Damage) String() string {
	text := fmt.Sprintf("%d records of the vector files", d.Vectors)
	switch {
	case d.Snapshot && d.Vectors == 0:
		return "the snapshot"
	case d.Snapshot:
		return "the snapshot and " + text
	}
	return text
}

// damageState is what a tenant knows of damage that was not replaced yet.
type damageState struct {
	mu       sync.Mutex
	snapshot bool
	vectors  map[graph.ID]vectors.Ref // found by CheckVectors
	replaced int                      // records that searches repaired, up to the last Rebuild
}

// Damage returns the damage that was found since the last Rebuild: when the index was opened, by
// searches, and by the checks.
func (x *Index) Damage(sc graph.Scope) Damage {
	t := x.tenantOrNil(sc)
	if t == nil {
		return Damage{}
	}
	t.damage.mu.Lock()
	defer t.damage.mu.Unlock()
	return Damage{Snapshot: t.damage.snapshot, Vectors: len(t.damage.vectors) + t.files.Repaired() - t.damage.replaced}
}

// CheckVectors reads the vectors of memories from the files, whether or not they are also in memory.
func (x *Index) CheckVectors(sc graph.Scope, ids []graph.ID) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return
	}
	var buf []byte
	for _, id := range ids {
		d, known := x.Doc(t.scope, id)
		if !known || !t.files.Damaged(d.vectorRef, &buf) {
			continue
		}
		t.damage.mu.Lock()
		if t.damage.vectors == nil {
			t.damage.vectors = map[graph.ID]vectors.Ref{}
		}
		if _, again := t.damage.vectors[id]; !again {
			t.opts.Logger.Warn("index: the vector file is damaged", "tenant", t.scope.Tenant, "id", id)
		}
		t.damage.vectors[id] = d.vectorRef
		t.damage.mu.Unlock()
	}
}

// CheckSnapshot reads the snapshot of a tenant and compares its checksums. The error is one of
// reading the directory.
func (x *Index) CheckSnapshot(sc graph.Scope) error {
	t := x.tenantOrNil(sc)
	if t == nil || t.opts.Dir == "" {
		return nil
	}
	f, err := os.Open(t.snapshotPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("index: check the snapshot: %w", err)
	}
	defer f.Close()
	read, err := f.Stat()
	if err != nil {
		return fmt.Errorf("index: check the snapshot: %w", err)
	}
	if wholeSnapshot(f, read.Size()) {
		return nil
	}
	// An erasure or a newer snapshot may have replaced the file meanwhile.
	if now, err := os.Stat(t.snapshotPath()); err != nil || !os.SameFile(read, now) {
		return nil //nolint:nilerr
	}
	t.opts.Logger.Warn("index: the snapshot is damaged", "tenant", t.scope.Tenant)
	t.damage.mu.Lock()
	t.damage.snapshot = true
	t.damage.mu.Unlock()
	return nil
}

// wholeSnapshot reports whether every section of a snapshot has its checksum.
func wholeSnapshot(f *os.File, size int64) bool {
	if _, err := parseSnapshotStart(f); err != nil {
		return !errors.Is(err, errSnapshot) // of another version, which the next snapshot replaces
	}
	sections, whole := findSections(f, snapshotStartSize, size)
	if !whole || len(sections) == 0 || sections[len(sections)-1].kind != sectionEnd {
		return false
	}
	d := &decoder{file: f}
	for _, s := range sections {
		if !d.openSection(s) {
			return false
		}
	}
	return true
}

// Rebuild replaces what is damaged from memory and the store: it writes the records again and makes
// a new snapshot. Searches go on. Damage that remains is tried again by the next call.
func (x *Index) Rebuild(ctx context.Context, sc graph.Scope) error {
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return err
	}
	t.damage.mu.Lock()
	damaged, snapshot := maps.Clone(t.damage.vectors), t.damage.snapshot
	t.damage.mu.Unlock()
	repaired := t.files.Repaired()
	for id, ref := range damaged {
		_, err := t.files.Rewrite(ref, func() ([]float32, error) { return t.fromStore(id) })
		if err != nil && !errors.Is(err, graph.ErrNotFound) { // erased meanwhile
			return fmt.Errorf("index: a damaged vector can't be read from the store: %w", err)
		}
	}
	if err := t.files.Sync(); err != nil {
		return err
	}
	t.damage.mu.Lock()
	t.damage.replaced = repaired
	for id, ref := range damaged {
		if t.damage.vectors[id] == ref {
			delete(t.damage.vectors, id)
		}
	}
	t.damage.mu.Unlock()
	if snapshot {
		return t.saveSnapshot(ctx)
	}
	return nil
}
