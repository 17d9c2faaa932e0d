package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/vectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// snapshotState is what a tenant knows of its snapshot file. The bytes are in snapshotwrite.go and
// snapshotread.go; docs/formats/index-snapshot.md describes them.
type snapshotState struct {
	wanted chan struct{} // capacity 1: a snapshot should be written
	saving sync.Mutex    // held while a snapshot is written

	mu       sync.Mutex
	key      uint64 // number of the key of the file; 0: none
	draftKey uint64 // of the file being written
	erasures int    // number of erasures; a snapshot captured before the latest one must not be kept
	missing  bool   // an erasure removed the file
}

// errErased stops the writing of a snapshot that contains data that was erased meanwhile.
var errErased = errors.New("index: erased while the snapshot was written")

func (t *tenant) snapshotPath() string {
	return filepath.Join(t.opts.Dir, string(t.scope.Tenant)+".index")
}

func (t *tenant) draftPath() string { return t.snapshotPath() + ".part" }

// snapshotStale reports whether the file is missing or older than the index.
func (t *tenant) snapshotStale() bool {
	t.snapshots.mu.Lock()
	missing := t.snapshots.missing
	t.snapshots.mu.Unlock()
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	return missing || t.unsavedChanges > 0
}

// liveMemories returns the number of memories.
func (t *tenant) liveMemories() (n int) {
	for _, p := range *t.partitionMap.Load() {
		n += p.view.Load().live
	}
	return n
}

// snapshotDue reports whether the file is gone, or enough has changed for another snapshot. A
// snapshot contains everything. So the number of changes must reach the number of memories,
// which keeps the written bytes in proportion to the changes.
func (t *tenant) snapshotDue() bool {
	t.snapshots.mu.Lock()
	missing := t.snapshots.missing
	t.snapshots.mu.Unlock()
	enough := max(t.opts.SnapshotEvery, t.liveMemories())
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	return missing || t.unsavedChanges >= enough
}

// considerSnapshot requests a snapshot if one is due.
func (t *tenant) considerSnapshot() {
	if t.opts.Dir == "" || !t.snapshotDue() {
		return
	}
	select {
	case t.snapshots.wanted <- struct{}{}:
	default:
	}
}

// keepSnapshots writes the requested snapshots until ctx ends.
func (t *tenant) keepSnapshots(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.snapshots.wanted:
		}
		if !t.waitForQuiet(ctx) {
			return
		}
		if !t.snapshotStale() {
			continue
		}
		err := t.saveSnapshot(ctx)
		switch {
		case errors.Is(err, errErased):
			t.considerSnapshot()
		case err != nil && ctx.Err() == nil:
			t.opts.Logger.Error("index: cannot write a snapshot", "tenant", t.scope.Tenant, "error", err)
			if !t.waitDelay(ctx) {
				return
			}
		}
	}
}

// waitDelay waits for Options.SnapshotDelay; it returns false if ctx ends first.
func (t *tenant) waitDelay(ctx context.Context) bool {
	timer := time.NewTimer(t.opts.SnapshotDelay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// waitForQuiet waits, if the file is missing, until no erasure came for one delay: each erasure
// would invalidate the snapshot being written. It returns false if ctx ends first.
func (t *tenant) waitForQuiet(ctx context.Context) bool {
	for {
		t.snapshots.mu.Lock()
		before, missing := t.snapshots.erasures, t.snapshots.missing
		t.snapshots.mu.Unlock()
		if !missing {
			return true
		}
		if !t.waitDelay(ctx) {
			return false
		}
		t.snapshots.mu.Lock()
		calm := t.snapshots.erasures == before
		t.snapshots.mu.Unlock()
		if calm {
			return true
		}
	}
}

// forgetSnapshot removes the file and the draft of the next one, because they may contain erased
// data.
func (t *tenant) forgetSnapshot() error {
	if t.opts.Dir == "" {
		return nil
	}
	s := &t.snapshots
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erasures++
	s.missing = true
	if err := errors.Join(removeIfExists(t.snapshotPath()), removeIfExists(t.draftPath())); err != nil {
		return fmt.Errorf("remove the snapshot after an erasure: %w", err)
	}
	if err := syncDir(t.opts.Dir); err != nil {
		return err
	}
	if err := t.destroySnapshotKeys(s.key, s.draftKey); err != nil {
		return err
	}
	s.key = 0
	return nil
}

// removeIfExists removes a file if it exists.
func removeIfExists(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// dropDraft removes the draft of a snapshot and destroys its key; 0: it has none.
func (t *tenant) dropDraft(key uint64) error {
	return errors.Join(removeIfExists(t.draftPath()), t.destroySnapshotKeys(key))
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// saveSnapshot writes a draft next to the old snapshot and then renames it to the snapshot's
// name.
func (t *tenant) saveSnapshot(ctx context.Context) error {
	if t.opts.Dir == "" {
		return nil
	}
	t.snapshots.saving.Lock()
	defer t.snapshots.saving.Unlock()
	if err := os.MkdirAll(t.opts.Dir, 0o700); err != nil {
		return fmt.Errorf("index: snapshot directory: %w", err)
	}
	t.snapshots.mu.Lock()
	generation := t.snapshots.erasures
	t.snapshots.mu.Unlock()
	pic, err := t.captureSnapshot(ctx)
	if err == nil {
		err = t.newSnapshotKey(pic)
	}
	if err != nil {
		return err
	}
	valid := func() error {
		t.snapshots.mu.Lock()
		defer t.snapshots.mu.Unlock()
		if t.snapshots.erasures != generation {
			return errErased
		}
		return ctx.Err()
	}
	if err := t.writeDraft(pic, valid); err != nil {
		return errors.Join(err, t.dropDraft(keyNumber(pic.key)))
	}
	if err := t.files.Sync(); err != nil { // the snapshot refers to their records
		return errors.Join(err, t.dropDraft(keyNumber(pic.key)))
	}
	t.snapshots.mu.Lock()
	defer t.snapshots.mu.Unlock()
	if t.snapshots.erasures != generation {
		return errors.Join(errErased, t.dropDraft(keyNumber(pic.key)))
	}
	if err := os.Rename(t.draftPath(), t.snapshotPath()); err != nil {
		return errors.Join(fmt.Errorf("index: put the snapshot in place: %w", err), t.dropDraft(keyNumber(pic.key)))
	}
	t.snapshots.missing = false
	t.damage.mu.Lock()
	t.damage.snapshot = false
	t.damage.mu.Unlock()
	t.snapshots.key, t.snapshots.draftKey = keyNumber(pic.key), 0
	t.stateMu.Lock()
	t.unsavedChanges -= pic.changes
	t.stateMu.Unlock()
	if err := syncDir(t.opts.Dir); err != nil {
		return fmt.Errorf("index: sync the snapshot directory: %w", err)
	}
	if err := t.destroySnapshotKeys(pic.formerKey); err != nil {
		return err
	}
	t.opts.onSnapshot()
	return nil
}

func (t *tenant) writeDraft(pic *snapshotContent, valid func() error) (err error) {
	f, err := os.OpenFile(t.draftPath(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("index: open a snapshot: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := pic.write(w, valid); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("index: write a snapshot: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("index: sync a snapshot: %w", err)
	}
	return nil
}

// snapshotContent is the content of a tenant's snapshot. Its parts never change.
type snapshotContent struct {
	tenant        graph.Tenant
	cursor        graph.Cursor
	feedHash      uint64       // identifies the change at cursor
	topicsHash    uint64       // see Options.topicsHash
	claimsHash    uint64       // see Options.claimsHash
	remoteVectors bool         // the index has Options.Remote
	key           *keyring.Key // seals it; nil: it is not sealed
	formerKey     uint64       // number of the key of the file that it replaces
	changes       int          // unsaved changes that it contains
	files         []vectors.FileState
	views         []*view
	entities      []*graph.Entity
	relations     []*relation
}

// captureSnapshot captures the content of a snapshot. It contains everything up to its cursor
// and may contain more.
func (t *tenant) captureSnapshot(ctx context.Context) (*snapshotContent, error) {
	t.stateMu.Lock()
	pic := &snapshotContent{tenant: t.scope.Tenant, cursor: t.cursor, changes: t.unsavedChanges, topicsHash: t.opts.topicsHash(), claimsHash: t.opts.claimsHash(), remoteVectors: t.opts.Remote != nil}
	t.stateMu.Unlock()
	var err error
	if pic.feedHash, err = t.feedHash(ctx, pic.cursor); err != nil {
		return nil, fmt.Errorf("index: read the feed for a snapshot: %w", err)
	}
	for _, p := range t.partitions(nil) {
		pic.views = append(pic.views, p.view.Load())
	}
	pic.files = t.files.States() // the vectors that a view refers to were put before
	pic.entities, pic.relations = t.entities.all()
	return pic, nil
}

// feedHash returns a hash of the change at a cursor, 0 if there is no such change. A store that
// was restored to an earlier state and then written to has another hash there.
func (t *tenant) feedHash(ctx context.Context, c graph.Cursor) (uint64, error) {
	if c == 0 {
		return 0, nil
	}
	changes, err := t.store.Changes(ctx, t.scope, c-1, 1)
	if err != nil || len(changes) == 0 || changes[0].Cursor != c {
		return 0, err
	}
	x := changes[0]
	return xxhash.Sum64String(fmt.Sprint(x.ID, x.Node, x.Kind, unixMillis(x.At))), nil
}

// restoreSnapshot loads the snapshot and returns the cursor up to which it reaches. It ignores a
// snapshot that is missing, damaged, of another version or of another history of the store; the
// index is then built from the store.
func (t *tenant) restoreSnapshot(ctx context.Context) (graph.Cursor, bool) {
	if t.opts.Dir == "" {
		return 0, false
	}
	if err := t.dropDraft(t.discardedKey(t.draftPath())); err != nil {
		t.opts.Logger.Warn("index: cannot remove an unfinished snapshot", "tenant", t.scope.Tenant, "error", err)
	}
	f, err := os.Open(t.snapshotPath())
	if errors.Is(err, fs.ErrNotExist) {
		t.resetEmpty()
		t.snapshots.missing = true
		return 0, false
	}
	if err == nil {
		defer f.Close()
		var cursor graph.Cursor
		if cursor, err = t.readSnapshot(ctx, f); err == nil {
			return cursor, true
		}
	}
	t.opts.Logger.Warn("index: ignoring the snapshot, building from the store", "tenant", t.scope.Tenant, "reason", err)
	if errors.Is(err, errSnapshot) || errors.Is(err, vectors.ErrFile) {
		t.damage.mu.Lock()
		t.damage.snapshot = true
		t.damage.mu.Unlock()
	}
	if err := t.dropSnapshotKey(); err != nil {
		t.opts.Logger.Warn("index: cannot destroy the key of the ignored snapshot", "tenant", t.scope.Tenant, "error", err)
	}
	t.resetEmpty()
	t.snapshots.missing = true
	return 0, false
}

// resetEmpty empties the tenant.
func (t *tenant) resetEmpty() {
	if err := t.files.Clear(); err != nil {
		t.opts.Logger.Warn("index: cannot remove vectors", "tenant", t.scope.Tenant, "error", err)
	}
	t.partitionMap.Store(&map[string]*partition{})
	t.entities, t.missingVectors = newEntityIndex(), nil
	t.partitionByID = map[graph.ID]*partition{}
}
