package recess

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// tenant is one tenant's part of the recess. Locks are taken in the order change,
// commit, mu.
type tenant struct {
	r    *Recess
	name graph.Tenant
	dir  string

	blocked error // why no call is served; set at opening only

	root  *ledger // the tenant's key, sealed by the master key; nil where it does not open
	raw   []byte  // the tenant's key
	keys  *keyRing
	log   *ledger // the manifest
	books *ledger // codebooks

	change sync.Mutex // one Seal, Withdraw or Erase at a time

	queue  queue
	commit sync.Mutex // one batch of appends at a time
	writer *journal   // appended to; nil: the next append begins one
	next   uint64     // seq of the next engraving
	closed bool       // written under change and commit, read under either

	mu        sync.RWMutex            // guards what follows; held for moments only
	manifest  *manifest               // replaced, never changed, but for its stray
	layers    []map[[16]byte]*pending // engravings in the journal, newest first; all but the first are being sealed
	journals  []*journal              // oldest first
	codebooks map[[16]byte]*codebook
	current   map[space]*codebook // the newest of a space
}

func newTenant(r *Recess, name graph.Tenant) *tenant {
	return &tenant{
		r: r, name: name, dir: filepath.Join(r.options.Dir, tenantsDir, string(name)), next: 1, manifest: newManifest(name),
		layers: []map[[16]byte]*pending{{}}, codebooks: map[[16]byte]*codebook{}, current: map[space]*codebook{},
	}
}

// open reads the tenant, or makes it, under the first of the master keys that fits.
func (t *tenant) open(masters []cipher.AEAD) error {
	d := t.r.disk
	journalDir := filepath.Join(t.dir, "journal")
	if err := mkdir(d, t.r.options.Dir, journalDir); err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	if err := t.openRoot(masters); err != nil {
		return err
	}
	aead, err := newAEAD(t.raw)
	if err != nil {
		return err
	}
	open := func(name string) (*ledger, [][]byte, error) {
		return openLedger(d, filepath.Join(t.dir, name), string(t.name)+"/"+name, aead, t.r.random)
	}
	l, rows, err := open("keys")
	if err != nil {
		return err
	}
	if t.keys, err = openKeyRing(l, rows, t.r.random); err != nil {
		return errors.Join(err, l.close())
	}
	if t.log, rows, err = open("manifest"); err != nil {
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
		if err := t.log.rewrite(snapshot); err != nil {
			return err
		}
	}
	if t.books, rows, err = open("codebooks"); err != nil {
		return err
	}
	for _, b := range rows {
		c, err := readCodebook(b)
		if err != nil {
			return err
		}
		t.codebooks[c.id], t.current[c.space()] = c, c
	}
	if err := t.openJournals(journalDir); err != nil {
		return err
	}
	return t.recover()
}

// openRoot reads the tenant's key, or draws one for a tenant that is new.
func (t *tenant) openRoot(masters []cipher.AEAD) error {
	var rows [][]byte
	var err error
	at := 0
	for i, m := range masters {
		at = i
		if t.root, rows, err = openLedger(t.r.disk, filepath.Join(t.dir, "tenant"), string(t.name)+"/tenant", m, t.r.random); !errors.Is(err, graph.ErrIntegrity) {
			break
		}
		t.root = nil
	}
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		// Nothing was ever acknowledged under a tenant without a key.
		entries, err := t.r.disk.ReadDir(filepath.Join(t.dir, "journal"))
		if err == nil && len(entries) > 0 {
			err = fmt.Errorf("%w: the tenant's key is missing", graph.ErrIntegrity)
		}
		if err != nil {
			return err
		}
		t.raw = make([]byte, keySize)
		if _, err := io.ReadFull(t.r.random, t.raw); err != nil {
			return fmt.Errorf("recess: randomness: %w", err)
		}
		return t.root.rewrite([][]byte{t.raw})
	}
	t.raw = rows[len(rows)-1]
	if at > 0 {
		return t.rewrap(masters[0])
	}
	return nil
}

// rewrap seals the tenant's key by another master key.
func (t *tenant) rewrap(master cipher.AEAD) error {
	t.root.aead = master
	return t.root.rewrite([][]byte{t.raw})
}

// openJournals reads what is not sealed yet.
func (t *tenant) openJournals(dir string) error {
	list, err := journals(t.r.disk, dir)
	if err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	t.next = t.manifest.last + 1
	for _, j := range list {
		t.journals = append(t.journals, j)
		lost, err := j.open(t.r.disk, func(f found) error {
			t.next = max(t.next, f.seq+1)
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
			t.r.alarm(t.name, filepath.Base(j.path), "", fmt.Errorf("%w: engravings are missing at %d places of the journal", graph.ErrIntegrity, lost))
		}
		t.next = max(t.next, j.first+1) // no journal is named like another
	}
	return nil
}

// replay takes a frame of the journal into account.
func (t *tenant) replay(j *journal, f found) {
	p := &pending{in: j, at: f.at, size: f.size, seq: f.seq, key: f.key, damaged: f.damaged}
	if !f.damaged {
		k := t.keys.get(f.key)
		if k == nil && t.manifest.erased[f.id] {
			return
		}
		p.damaged = true
		if k != nil {
			if rec, err := readFrame(f.frame, t.name, k.aead); err == nil {
				p.describe(rec)
				p.damaged = false
			}
		}
	}
	if p.damaged {
		t.r.alarm(t.name, filepath.Base(j.path), graph.IDFromBytes(f.id), fmt.Errorf("%w: an engraving in the journal does not open", graph.ErrIntegrity))
	}
	p.withdrawn = f.seq <= t.manifest.withdrawn[f.id]
	if t.manifest.erased[f.id] && !t.manifest.open[f.id] {
		return
	}
	p.older = t.layers[0][f.id]
	t.layers[0][f.id] = p
}

// recover finishes what a crash cut short: blobs that belong to no file, erasures
// that are open. Where the blobs can't be reached it is left for later.
func (t *tenant) recover() error {
	ctx := context.Background()
	if len(t.manifest.open) > 0 || len(t.manifest.condemned) > 0 {
		if _, err := t.finishErasure(ctx); err != nil {
			t.r.log.Warn("[ENGRAM] an erasure is not finished yet", "tenant", t.name, "error", err)
			return nil
		}
	}
	t.sweep(ctx)
	return nil
}

// sweep deletes blobs that belong to no file. What can't be deleted is left for the
// next time.
func (t *tenant) sweep(ctx context.Context) {
	t.mu.RLock()
	var names []string
	for name := range t.manifest.stray {
		names = append(names, name)
	}
	t.mu.RUnlock()
	for _, name := range names {
		if err := t.r.blob.Delete(ctx, name); err != nil {
			t.r.log.Warn("[ENGRAM] a file that is no longer needed stays for now", "tenant", t.name, "file", name, "error", err)
			continue
		}
		t.mu.Lock()
		delete(t.manifest.stray, name)
		t.mu.Unlock()
	}
}

// record writes an event down, and then it holds.
func (t *tenant) record(e event, added ...*sealedFile) error {
	for _, f := range added {
		e.Added = append(e.Added, f.row())
	}
	b, err := cborEncoder.Marshal(e)
	if err != nil {
		return err
	}
	if t.log.broken != nil { // an earlier write left its files in doubt
		if err := t.compactManifest(t.manifest); err != nil {
			return err
		}
	}
	return t.log.append(b)
}

func (t *tenant) close() error {
	// Whoever holds one of these is waited for.
	t.change.Lock()
	defer t.change.Unlock()
	t.commit.Lock()
	defer t.commit.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	var err error
	for _, j := range t.journals {
		err = errors.Join(err, j.close())
	}
	for _, l := range []*ledger{t.root, t.log, t.books} {
		if l != nil {
			err = errors.Join(err, l.close())
		}
	}
	if t.keys != nil {
		err = errors.Join(err, t.keys.log.close())
	}
	clear(t.raw)
	return err
}
