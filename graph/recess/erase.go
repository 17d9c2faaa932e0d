package recess

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Erased says what an Erase did.
type Erased struct {
	Engrams int // that were engraved, withdrawn ones too
	Keys    int // data keys that were destroyed
	Files   int // that were rewritten or removed
}

// Erase removes memories for good. From the first durable step on they are neither
// served nor found. Keys that seal nothing else are destroyed at once; engrams that
// share a key with an erased one are sealed anew under another key first. Then files
// and journal stand without the erased, with new Bloom filters, and the keys they
// were under are gone. An id that was erased can't be engraved again, whether it was
// engraved before or not.
//
// On graph.ErrUnavailable the erasure stands and what is left of it is done by the
// next Erase, Seal or Open. An engram that shares a damaged file or key with an
// erased one and can't be read is lost: it answers graph.ErrIntegrity from then on.
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
	t.change.Lock()
	defer t.change.Unlock()
	if t.closed {
		return Erased{}, graph.ErrClosed
	}
	done, err := t.announce(set)
	if err != nil {
		return Erased{}, err
	}
	if done.Keys, err = t.destroyUnshared(); err != nil {
		return done, err
	}
	rest, err := t.finishErasure(ctx)
	done.Keys, done.Files = done.Keys+rest.Keys, rest.Files
	return done, err
}

// announce writes the erasure down: from here on the ids are gone for every reader,
// and no new engraving takes a key that is to be destroyed.
func (t *tenant) announce(set map[[16]byte]bool) (Erased, error) {
	t.commit.Lock()
	defer t.commit.Unlock()
	maps.DeleteFunc(set, func(id [16]byte, _ bool) bool { return t.manifest.erased[id] })
	if len(set) == 0 {
		return Erased{}, nil
	}
	keys, seen := map[keyID]bool{}, map[[16]byte]bool{}
	for _, f := range t.manifest.files {
		touched := false
		for i := range f.count() {
			if e := f.at(i); set[e.id] {
				keys[f.keys[e.key]], seen[e.id], touched = true, true, true
			}
		}
		if touched {
			keys[f.key] = true
		}
	}
	for _, layer := range t.layers {
		for id, p := range layer {
			for ; p != nil && set[id]; p = p.older {
				keys[p.key], seen[id] = true, true
			}
		}
	}
	// A record's own key may be there though no place of it is known any more.
	t.keys.mu.RLock()
	for id := range set {
		if k := t.keys.byName[nameOf("record", string(graph.IDFromBytes(id)))]; k != nil {
			keys[k.id] = true
		}
	}
	t.keys.mu.RUnlock()
	e := event{Erase: joinIDs(sortedIDs(set)), Keys: joinIDs(sortedKeys(keys))}
	if err := t.record(e); err != nil {
		return Erased{}, err
	}
	next := t.manifest.clone()
	next.apply(e, nil)
	t.mu.Lock()
	t.manifest = next
	t.mu.Unlock()
	t.r.cache.Purge()
	return Erased{Engrams: len(seen)}, nil
}

// erasing reports whether an erasure is not done yet.
func (t *tenant) erasing() bool { return len(t.manifest.open) > 0 || len(t.manifest.condemned) > 0 }

// destroyUnshared destroys condemned keys that seal nothing but erased engrams.
func (t *tenant) destroyUnshared() (int, error) {
	alone := maps.Clone(t.manifest.condemned)
	for _, f := range t.manifest.files {
		for i := range f.count() {
			if e := f.at(i); !t.manifest.erased[e.id] {
				delete(alone, f.keys[e.key])
			}
		}
		delete(alone, f.key) // the rest of the file is still read with it
	}
	t.mu.RLock()
	for _, layer := range t.layers {
		for id, p := range layer {
			for ; p != nil && !t.manifest.erased[id]; p = p.older {
				delete(alone, p.key)
			}
		}
	}
	t.mu.RUnlock()
	return t.keys.destroy(alone)
}

// affected lists the files that hold erased engrams, or something under a condemned
// key.
func (t *tenant) affected() []*sealedFile {
	m := t.manifest
	var list []*sealedFile
	for _, f := range m.sorted() {
		hit := m.condemned[f.key]
		for i := 0; i < f.count() && !hit; i++ {
			e := f.at(i)
			hit = m.erased[e.id] || m.condemned[f.keys[e.key]]
		}
		if hit {
			list = append(list, f)
		}
	}
	return list
}

// finishErasure brings the open erasures to their end, under the change lock. Each
// step can be repeated.
func (t *tenant) finishErasure(ctx context.Context) (done Erased, err error) {
	// What is in the journal goes into files, the erased left out, and the journal
	// with what they said is dropped.
	if _, err := t.seal(ctx); err != nil {
		return done, err
	}
	t.mu.Lock()
	for _, layer := range t.layers {
		maps.DeleteFunc(layer, func(id [16]byte, _ *pending) bool { return t.manifest.erased[id] })
	}
	t.mu.Unlock()
	w := sealing{t: t, retired: t.retired()}
	var e event
	affected := t.affected()
	done.Files = len(affected)
	for _, f := range affected {
		if err := t.rewrite(ctx, f, &w); err != nil {
			return done, errors.Join(err, w.abandon())
		}
		e.Removed = append(e.Removed, f.id[:])
		e.Keys = append(e.Keys, f.key[:]...)
	}
	for id, seq := range w.lost {
		e.Lost = append(e.Lost, id[:]...)
		e.Lost = binary.BigEndian.AppendUint64(e.Lost, seq)
	}
	if len(affected) > 0 {
		if err := t.record(e, w.files...); err != nil {
			return done, err
		}
		next := t.manifest.clone()
		next.apply(e, w.files)
		t.mu.Lock()
		t.manifest = next
		t.mu.Unlock()
	}
	t.r.cache.Purge()
	if done.Keys, err = t.keys.destroy(t.manifest.condemned); err != nil {
		return done, err
	}
	next := t.manifest.clone()
	next.apply(event{Done: true}, nil)
	if err := t.compactManifest(next); err != nil {
		return done, err
	}
	t.mu.Lock()
	t.manifest = next
	t.mu.Unlock()
	t.sweep(ctx)
	return done, nil
}

// compactManifest writes the manifest anew; the bytes of the old one are overwritten.
func (t *tenant) compactManifest(m *manifest) error {
	events, err := m.compact()
	if err != nil {
		return err
	}
	return t.log.rewrite(events)
}

// rewrite writes what still counts of a file into another one.
func (t *tenant) rewrite(ctx context.Context, f *sealedFile, w *sealing) error {
	for i := 0; i < f.count(); {
		rows := f.segmentRows(uint32(i))
		var keep []engraving
		for j, e := range rows {
			if p := t.manifest.live[e.id]; p.file == f && int(p.row) == i+j {
				keep = append(keep, e)
			}
		}
		if len(keep) > 0 {
			records, err := t.segment(ctx, f, uint32(i))
			switch {
			case errors.Is(err, graph.ErrIntegrity):
				for _, e := range keep {
					w.lose(e.id, e.seq, f.name, err)
				}
			case err != nil:
				return err
			default:
				if err := w.put(ctx, f.namespace, f.day, f.keys[rows[0].key], pick(records, rows, keep)); err != nil {
					return err
				}
			}
		}
		i += len(rows)
	}
	return w.finish(ctx)
}

// pick answers the records of some rows of a segment.
func pick(records []*record, rows, keep []engraving) []*record {
	var list []*record
	for i, e := range rows {
		if slices.Contains(keep, e) {
			r := *records[i] // the cache keeps the other one
			list = append(list, &r)
		}
	}
	return list
}
