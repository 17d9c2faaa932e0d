package recess

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Erased is the result of an Erase.
type Erased struct {
	Engrams int // that were engraved, including withdrawn ones
	Keys    int // data keys that were destroyed
	Files   int // that were rewritten or removed
}

// Erase removes memories for good. After the first durable step they are neither returned
// nor found. Keys that seal nothing else are destroyed at once. Engrams that share a key with
// an erased one are first sealed again under another key. Then files and journal are rewritten
// without the erased engrams, with new Bloom filters, and their old keys are destroyed. An
// erased id can't be engraved again, whether it was engraved before or not. Erasing ids again
// that are erased already costs a look-up each.
//
// After graph.ErrUnavailable the erasure is in force, and the next Erase, Seal or Open
// completes it. An engram that shares a damaged file or key with an erased one and can't be
// read is lost: reading it returns graph.ErrIntegrity from then on.
func (r *Recess) Erase(ctx context.Context, scope graph.Scope, ids ...graph.ID) (Erased, error) {
	t, err := r.tenant(scope, true)
	if err != nil {
		return Erased{}, err
	}
	set := map[[16]byte]bool{}
	for _, id := range ids {
		b, err := id.Bytes()
		if err != nil {
			return Erased{}, graph.FieldError(graph.CodeInvalidRequest, "ids", "each must be a UUID")
		}
		set[b] = true
	}
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	if t.closed {
		return Erased{}, graph.ErrClosed
	}
	done, err := t.recordErasure(set)
	if err != nil || len(set) == 0 && !t.erasing() {
		return Erased{}, err // nothing new, and no earlier erasure is incomplete
	}
	if done.Keys, err = t.destroyUnshared(); err != nil {
		return done, err
	}
	rest, err := t.finishErasure(ctx)
	done.Keys, done.Files = done.Keys+rest.Keys, rest.Files
	return done, err
}

// recordErasure records the erasure: from now on no reader sees the ids, and no new engraving
// uses a key that is to be destroyed.
func (t *tenant) recordErasure(set map[[16]byte]bool) (Erased, error) {
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	maps.DeleteFunc(set, func(id [16]byte, _ bool) bool { return t.manifest.erased[id] })
	if len(set) == 0 {
		return Erased{}, nil
	}
	keys, seen := map[keyID]bool{}, map[[16]byte]bool{}
	for _, f := range t.manifest.files {
		touched := false
		for i := range f.rowCount() {
			if e := f.engravingAt(i); set[e.id] {
				keys[f.keys[e.key]], seen[e.id], touched = true, true, true
			}
		}
		if touched && t.recess.options.Keys == "" {
			keys[f.key] = true
		}
	}
	for _, layer := range t.journalLayers {
		for id, p := range layer {
			for ; p != nil && set[id]; p = p.older {
				keys[p.key], seen[id] = true, true
			}
		}
	}
	// A record's own key may exist even if no place of the record is known any more.
	t.keys.mu.RLock()
	for id := range set {
		if k := t.keys.byName[hashOf("record", string(graph.IDFromBytes(id)))]; k != nil {
			keys[k.id] = true
		}
	}
	t.keys.mu.RUnlock()
	e := manifestEvent{Erase: joinIDs(sortedIDs(set)), Keys: joinIDs(sortedIDs(keys))}
	if err := t.putInForce(e); err != nil {
		return Erased{}, err
	}
	t.recess.cache.Purge()
	return Erased{Engrams: len(seen)}, nil
}

// erasing reports whether an erasure is incomplete.
func (t *tenant) erasing() bool {
	return len(t.manifest.openErasures) > 0 || len(t.manifest.condemnedKeys) > 0
}

// destroyUnshared destroys condemned keys that seal only erased engrams.
func (t *tenant) destroyUnshared() (int, error) {
	alone := maps.Clone(t.manifest.condemnedKeys)
	for _, f := range t.manifest.files {
		for i := range f.rowCount() {
			if e := f.engravingAt(i); !t.manifest.erased[e.id] {
				delete(alone, f.keys[e.key])
			}
		}
		delete(alone, f.key) // the rest of the file is still read with it
	}
	t.mu.RLock()
	for _, layer := range t.journalLayers {
		for id, p := range layer {
			for ; p != nil && !t.manifest.erased[id]; p = p.older {
				delete(alone, p.key)
			}
		}
	}
	t.mu.RUnlock()
	return t.keys.destroy(alone)
}

// affectedFiles lists the files with erased engrams or with data under a condemned key.
func (t *tenant) affectedFiles() []*sealedFile {
	m := t.manifest
	var list []*sealedFile
	for _, f := range m.sortedFiles() {
		hit := m.condemnedKeys[f.key]
		for i := 0; i < f.rowCount() && !hit; i++ {
			e := f.engravingAt(i)
			hit = m.erased[e.id] || m.condemnedKeys[f.keys[e.key]]
		}
		if hit {
			list = append(list, f)
		}
	}
	return list
}

// finishErasure completes the open erasures, under changeMu. Each step can be repeated.
func (t *tenant) finishErasure(ctx context.Context) (done Erased, err error) {
	// The journal is sealed into files without the erased engrams, and then removed.
	if _, err := t.sealJournals(ctx); err != nil {
		return done, err
	}
	t.mu.Lock()
	for _, layer := range t.journalLayers {
		maps.DeleteFunc(layer, func(id [16]byte, _ *journalEntry) bool { return t.manifest.erased[id] })
	}
	t.mu.Unlock()
	w := sealWriter{tenant: t, condemned: t.condemnedKeys()}
	var e manifestEvent
	affected := t.affectedFiles()
	done.Files = len(affected)
	for _, f := range affected {
		if err := t.rewriteFile(ctx, f, &w); err != nil {
			return done, errors.Join(err, w.abandon())
		}
		e.Removed = append(e.Removed, f.id[:])
		// With keys elsewhere, a copy of the directory that is put back is read for the rest of the
		// file. What was erased stays sealed by its data key.
		if t.recess.options.Keys == "" {
			e.Keys = append(e.Keys, f.key[:]...)
		}
	}
	for id, seq := range w.lost {
		e.Lost = append(e.Lost, id[:]...)
		e.Lost = binary.BigEndian.AppendUint64(e.Lost, seq)
	}
	if len(affected) > 0 {
		if err := t.putInForce(e, w.files...); err != nil {
			return done, err
		}
	}
	t.recess.cache.Purge()
	if done.Keys, err = t.keys.destroy(t.manifest.condemnedKeys); err != nil {
		return done, err
	}
	next := t.manifest.clone()
	next.apply(manifestEvent{Done: true}, nil)
	if err := t.compactManifest(next); err != nil {
		return done, err
	}
	t.mu.Lock()
	t.manifest = next
	t.mu.Unlock()
	t.deleteOrphans(ctx)
	return done, nil
}

// compactManifest rewrites the manifest; the old bytes are overwritten.
func (t *tenant) compactManifest(m *manifest) error {
	events, err := m.compact()
	if err != nil {
		return err
	}
	return t.manifestLog.rewrite(events)
}

// rewriteFile writes the engrams of a file that still count into another file.
func (t *tenant) rewriteFile(ctx context.Context, f *sealedFile, w *sealWriter) error {
	for i := 0; i < f.rowCount(); {
		rows := f.segmentRows(uint32(i))
		var keep []engraving
		for j, e := range rows {
			if p := t.manifest.live[e.id]; p.file == f && int(p.row) == i+j {
				keep = append(keep, e)
			}
		}
		if len(keep) > 0 {
			records, err := t.readSegment(ctx, f, uint32(i))
			switch {
			case errors.Is(err, graph.ErrIntegrity):
				for _, e := range keep {
					w.addLost(e.id, e.seq, f.name, err)
				}
			case err != nil:
				return err
			default:
				if err := w.putSegment(ctx, f.namespace, f.day, f.keys[rows[0].key], selectRecords(records, rows, keep)); err != nil {
					return err
				}
			}
		}
		i += len(rows)
	}
	return w.finish(ctx)
}

// selectRecords returns the records of some rows of a segment.
func selectRecords(records []*record, rows, keep []engraving) []*record {
	var list []*record
	for i, e := range rows {
		if slices.Contains(keep, e) {
			r := *records[i] // the cache keeps the original
			list = append(list, &r)
		}
	}
	return list
}
