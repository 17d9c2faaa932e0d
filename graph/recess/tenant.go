package recess

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// tenant is one tenant's part of the recess. Locks are taken in the order changeMu, commitMu,
// mu.
type tenant struct {
	recess *Recess
	name   graph.Tenant
	dir    string
	keyDir string

	blocked error // why no call is served; set at opening only

	rootLedger  *ledger // the tenant's key, sealed by the master key; nil if it can't be opened
	rawKey      []byte  // the tenant's key
	formerKey   []byte  // the one before, if a rotation is not finished; nil: none
	keys        *keyRing
	manifestLog *ledger // the manifest
	codebookLog *ledger // codebooks

	changeMu sync.Mutex // held by one Seal, Withdraw or Erase at a time

	queue         appendQueue
	commitMu      sync.Mutex // held by one batch of appends at a time
	activeJournal *journal   // appended to; nil: the next append begins one
	nextSeq       uint64     // seq of the next engraving
	closed        bool       // written under changeMu and commitMu, read under either

	mu               sync.RWMutex                 // guards what follows; held only briefly
	manifest         *manifest                    // replaced, never changed, except for its orphans
	journalLayers    []map[[16]byte]*journalEntry // journal entries, newest first; all but the first are being sealed
	journals         []*journal                   // oldest first
	codebooks        map[[16]byte]*codebook
	currentCodebooks map[vectorSpace]*codebook // the newest of a space
}

func newTenant(r *Recess, name graph.Tenant) *tenant {
	return &tenant{
		recess: r, name: name, dir: filepath.Join(r.options.Dir, tenantsDir, string(name)), keyDir: filepath.Join(r.options.keyDir(), tenantsDir, string(name)), nextSeq: 1, manifest: newManifest(name),
		journalLayers: []map[[16]byte]*journalEntry{{}}, codebooks: map[[16]byte]*codebook{}, currentCodebooks: map[vectorSpace]*codebook{},
	}
}

// open reads the tenant, or creates it, under the first master key that fits.
func (t *tenant) open(masters []cipher.AEAD) error {
	d := t.recess.disk
	journalDir := filepath.Join(t.dir, "journal")
	if err := makeDir(d, t.recess.options.Dir, journalDir); err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	if err := makeDir(d, t.recess.options.keyDir(), t.keyDir); err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	if err := t.openRoot(masters); err != nil {
		return err
	}
	l, rows, err := t.openUnderKey(t.keyDir, "keys")
	if err != nil {
		return err
	}
	if t.keys, err = openKeyRing(l, rows, t.recess.random); err != nil {
		return errors.Join(err, l.close())
	}
	if t.manifestLog, rows, err = t.openUnderKey(t.dir, "manifest"); err != nil {
		return err
	}
	for _, b := range rows {
		e, files, err := decodeEvent(b, t.name)
		if err != nil {
			return err
		}
		t.manifest.apply(e, files)
	}
	if snapshot, err := t.manifest.compact(); err == nil && len(rows) > 2*len(snapshot)+64 {
		if err := t.manifestLog.rewrite(snapshot); err != nil {
			return err
		}
	}
	if t.codebookLog, rows, err = t.openUnderKey(t.dir, "codebooks"); err != nil {
		return err
	}
	for _, b := range rows {
		c, err := readCodebook(b)
		if err != nil {
			return err
		}
		t.codebooks[c.id], t.currentCodebooks[c.vectorSpace()] = c, c
	}
	if t.formerKey != nil {
		if err := t.finishRotation(); err != nil {
			return err
		}
	}
	if err := t.openJournals(journalDir); err != nil {
		return err
	}
	return t.finishInterrupted()
}

// openRoot reads the tenant's key, or makes one for a new tenant.
func (t *tenant) openRoot(masters []cipher.AEAD) error {
	var rows [][]byte
	var err error
	at := 0
	for i, m := range masters {
		at = i
		if t.rootLedger, rows, err = openLedger(t.recess.disk, filepath.Join(t.keyDir, "tenant"), string(t.name)+"/tenant", m, t.recess.random); !errors.Is(err, graph.ErrIntegrity) {
			break
		}
		t.rootLedger = nil
	}
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		// Nothing is acknowledged for a tenant without a key.
		entries, err := t.recess.disk.ReadDir(filepath.Join(t.dir, "journal"))
		if err == nil && (len(entries) > 0 || t.hasManifest()) {
			err = fmt.Errorf("%w: the tenant's key is missing", graph.ErrIntegrity)
		}
		if err != nil {
			return err
		}
		t.rawKey = make([]byte, keySize)
		if _, err := io.ReadFull(t.recess.random, t.rawKey); err != nil {
			return fmt.Errorf("recess: randomness: %w", err)
		}
		return t.rootLedger.rewrite([][]byte{t.rawKey})
	}
	t.rawKey = rows[len(rows)-1]
	if len(rows) > 1 {
		t.formerKey = rows[len(rows)-2]
	}
	if at > 0 {
		return t.rewrap(masters[0])
	}
	return nil
}

// hasManifest reports whether the tenant has a manifest, which is made after its key.
func (t *tenant) hasManifest() bool {
	for _, ending := range ledgerEnding {
		if size, _, err := t.recess.disk.Stat(filepath.Join(t.dir, "manifest"+ending)); err == nil && size > 0 {
			return true
		}
	}
	return false
}

// rewrap seals the tenant's key with another master key.
func (t *tenant) rewrap(master cipher.AEAD) error {
	t.rootLedger.aead = master
	if t.formerKey != nil {
		return t.rootLedger.rewrite([][]byte{t.formerKey, t.rawKey})
	}
	return t.rootLedger.rewrite([][]byte{t.rawKey})
}

// openJournals reads what is not sealed yet.
func (t *tenant) openJournals(dir string) error {
	list, err := listJournals(t.recess.disk, dir)
	if err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	t.nextSeq = t.manifest.lastSeq + 1
	for _, j := range list {
		t.journals = append(t.journals, j)
		lost, err := j.open(t.recess.disk, func(f foundFrame) error {
			t.nextSeq = max(t.nextSeq, f.seq+1)
			if f.seq <= t.manifest.sealed {
				return nil
			}
			t.replay(j, f)
			return nil
		})
		if err != nil {
			return fmt.Errorf("recess: %w", err)
		}
		if lost > 0 {
			t.recess.alarm(t.name, filepath.Base(j.path), "", fmt.Errorf("%w: engravings are missing at %d positions of the journal", graph.ErrIntegrity, lost))
		}
		t.nextSeq = max(t.nextSeq, j.first+1) // no two journals have the same name
	}
	return nil
}

// replay adds a frame of the journal.
func (t *tenant) replay(j *journal, f foundFrame) {
	p := &journalEntry{journal: j, at: f.at, size: f.size, seq: f.seq, key: f.key, damaged: f.damaged}
	if !f.damaged {
		k := t.keys.get(f.key)
		if k == nil && t.manifest.erased[f.id] {
			return
		}
		p.damaged = true
		if k != nil {
			if rec, err := decodeFrame(f.frame, t.name, k.aead); err == nil {
				p.describe(rec)
				p.damaged = false
			}
		}
	}
	if p.damaged {
		t.recess.alarm(t.name, filepath.Base(j.path), graph.IDFromBytes(f.id), fmt.Errorf("%w: an engraving in the journal can't be opened", graph.ErrIntegrity))
	}
	p.withdrawn = f.seq <= t.manifest.withdrawn[f.id]
	if t.manifest.erased[f.id] && !t.manifest.openErasures[f.id] {
		return
	}
	p.older = t.journalLayers[0][f.id]
	t.journalLayers[0][f.id] = p
}

// finishInterrupted completes what a crash interrupted: it deletes blobs that belong to no file
// and completes open erasures. If the blobs can't be reached, a later call does so.
func (t *tenant) finishInterrupted() error {
	ctx := context.Background()
	if t.erasing() {
		if _, err := t.finishErasure(ctx); err != nil {
			t.recess.log.Warn("[ENGRAM] an erasure is not finished yet", "tenant", t.name, "error", err)
			return nil
		}
	}
	t.deleteOrphans(ctx)
	return nil
}

// deleteOrphans deletes blobs that belong to no file. A blob that can't be deleted is left for
// the next time.
func (t *tenant) deleteOrphans(ctx context.Context) {
	t.mu.RLock()
	names := slices.Collect(maps.Keys(t.manifest.orphans))
	t.mu.RUnlock()
	for _, name := range names {
		if err := t.recess.blob.Delete(ctx, name); err != nil {
			t.recess.log.Warn("[ENGRAM] an unused file can't be deleted yet", "tenant", t.name, "file", name, "error", err)
			continue
		}
		t.mu.Lock()
		delete(t.manifest.orphans, name)
		t.mu.Unlock()
	}
}

// recordEvent writes an event, which is then in force.
func (t *tenant) recordEvent(e manifestEvent, added ...*sealedFile) error {
	for _, f := range added {
		e.Added = append(e.Added, f.fileRow())
	}
	b, err := cborEncoder.Marshal(e)
	if err != nil {
		return err
	}
	if t.manifestLog.broken != nil { // an earlier write left its files in doubt
		if err := t.compactManifest(t.manifest); err != nil {
			return err
		}
	}
	return t.manifestLog.append(b)
}

// putInForce writes an event and makes it visible.
func (t *tenant) putInForce(e manifestEvent, added ...*sealedFile) error {
	if err := t.recordEvent(e, added...); err != nil {
		return err
	}
	next := t.manifest.clone()
	next.apply(e, added)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.manifest = next
	return nil
}

func (t *tenant) close() error {
	// Calls that hold one of these are waited for.
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	var err error
	for _, j := range t.journals {
		err = errors.Join(err, j.close())
	}
	for _, l := range []*ledger{t.rootLedger, t.manifestLog, t.codebookLog} {
		if l != nil {
			err = errors.Join(err, l.close())
		}
	}
	if t.keys != nil {
		err = errors.Join(err, t.keys.log.close())
	}
	clear(t.rawKey)
	return err
}
