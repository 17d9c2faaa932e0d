package recess

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// RotateKeys puts a new key in the place of that of each tenant, and seals the key ring, the manifest
// and the codebooks under it: copies of these from before can't be opened with the keys of today.
// Files and journals are not touched. Reads go on; appends and erasures wait. A rotation that was
// interrupted is finished by the next call and by opening.
func (r *Recess) RotateKeys(ctx context.Context) error {
	r.rotateMu.Lock()
	defer r.rotateMu.Unlock()
	tenants, err := r.allTenants()
	if err != nil {
		return err
	}
	for _, t := range tenants {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.blocked != nil {
			continue // damaged: its key is not changed
		}
		if err := t.rotateKey(); err != nil {
			return fmt.Errorf("recess: replace the key of a tenant: %w", err)
		}
	}
	return nil
}

// rotateKey replaces the tenant's key.
func (t *tenant) rotateKey() error {
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	if t.closed {
		return graph.ErrClosed
	}
	if t.formerKey == nil {
		key := make([]byte, keySize)
		if _, err := io.ReadFull(t.recess.random, key); err != nil {
			return fmt.Errorf("randomness: %w", err)
		}
		if err := t.rootLedger.rewrite([][]byte{t.rawKey, key}); err != nil {
			return err
		}
		t.formerKey, t.rawKey = t.rawKey, key
	}
	return t.finishRotation()
}

// finishRotation seals the ledgers under the present key and removes the former one.
func (t *tenant) finishRotation() error {
	aead, err := newAEAD(t.rawKey)
	if err != nil {
		return err
	}
	if err := t.keys.rotate(aead); err != nil {
		return err
	}
	t.manifestLog.aead, t.codebookLog.aead = aead, aead
	if err := t.compactManifest(t.manifest); err != nil {
		return err
	}
	codebooks, err := t.codebookRows()
	if err == nil {
		err = t.codebookLog.rewrite(codebooks)
	}
	if err == nil {
		err = t.rootLedger.rewrite([][]byte{t.rawKey})
	}
	if err != nil {
		return err
	}
	clear(t.formerKey)
	t.formerKey = nil
	return nil
}

// rotate seals the ring under another key.
func (r *keyRing) rotate(aead cipher.AEAD) error {
	r.write.Lock()
	defer r.write.Unlock()
	r.log.aead = aead
	return r.rewrite(nil)
}

// codebookRows are the records of all codebooks; the newest of a space comes last.
func (t *tenant) codebookRows() (rows [][]byte, err error) {
	for _, newest := range []bool{false, true} {
		for _, c := range t.codebooks {
			if (t.currentCodebooks[c.vectorSpace()] == c) != newest {
				continue
			}
			b, err := c.encodeRow()
			if err != nil {
				return nil, err
			}
			rows = append(rows, b)
		}
	}
	return rows, nil
}

// openUnderKey opens a ledger of the tenant, which may be under the key before a rotation that was
// interrupted.
func (t *tenant) openUnderKey(dir, name string) (*ledger, [][]byte, error) {
	var errs []error
	for _, key := range slices.DeleteFunc([][]byte{t.rawKey, t.formerKey}, func(k []byte) bool { return k == nil }) {
		aead, err := newAEAD(key)
		if err != nil {
			return nil, nil, err
		}
		l, rows, err := openLedger(t.recess.disk, filepath.Join(dir, name), string(t.name)+"/"+name, aead, t.recess.random)
		if !errors.Is(err, graph.ErrIntegrity) {
			return l, rows, err
		}
		errs = append(errs, err)
	}
	return nil, nil, errs[0]
}

// RenewKeys puts new data keys in the place of those of a tenant: what they seal is written again
// under new ones, then they are destroyed. Reads and appends go on; seals and erasures wait. A renewal
// that was interrupted is finished by the next Seal or Erase and by opening. A damaged file can't be
// written again: it keeps its keys, so that an intact copy of it can still be put back.
func (r *Recess) RenewKeys(ctx context.Context, scope graph.Scope) error {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return err
	}
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	if t.closed {
		return graph.ErrClosed
	}
	if t.erasing() {
		if _, err := t.finishErasure(ctx); err != nil {
			return err
		}
	}
	if _, err := t.sealJournals(ctx); err != nil {
		return err
	}
	damaged, err := t.keysOfDamaged(ctx)
	if err != nil {
		return err
	}
	if err := t.condemnAll(damaged); err != nil {
		return err
	}
	_, err = t.finishErasure(ctx)
	return err
}

// keysOfDamaged returns the keys of files that can't be read completely.
func (t *tenant) keysOfDamaged(ctx context.Context) (map[keyID]bool, error) {
	keys := map[keyID]bool{}
	for _, f := range t.manifest.sortedFiles() {
		_, err := t.scrubFile(ctx, f)
		switch {
		case errors.Is(err, graph.ErrIntegrity) || errors.Is(err, errGone):
			t.recess.log.Warn("[ENGRAM] a damaged file keeps its data keys", "tenant", t.name, "file", f.name, "error", err)
			keys[f.key] = true
			for _, k := range f.keys {
				keys[k] = true
			}
		case err != nil:
			return nil, err
		}
	}
	return keys, nil
}

// condemnAll condemns every data key but some: from now on no append uses it.
func (t *tenant) condemnAll(but map[keyID]bool) error {
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	keys := t.keys.others(but)
	if len(keys) == 0 {
		return nil
	}
	return t.putInForce(manifestEvent{Keys: joinIDs(sortedIDs(keys))})
}

// others returns the keys of the ring without some.
func (r *keyRing) others(without map[keyID]bool) map[keyID]bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	keys := map[keyID]bool{}
	for id := range r.byID {
		if !without[id] {
			keys[id] = true
		}
	}
	return keys
}
