package recess

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// appendRequest is one call of Append on its way into the journal.
type appendRequest struct {
	records []*record
	// replaces are engravings in files that were found damaged: a record may replace them.
	replaces map[[16]byte]uint64
	done     bool // read and written under commitMu
	err      error
}

// appendQueue holds the requests of the next batch.
type appendQueue struct {
	mu       sync.Mutex
	requests []*appendRequest
}

func (q *appendQueue) add(r *appendRequest) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests = append(q.requests, r)
}

func (q *appendQueue) takeAll() []*appendRequest {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.requests
	q.requests = nil
	return list
}

// errMoved is the result of a request whose ids moved since they were looked up.
var errMoved = errors.New("recess: the engram moved")

// Append engraves memories. It returns when the engrams are durable in the tenant's journal. After
// an error the engrams of one call may be engraved or not; calling again is safe, since the
// same id, version and checksum is one engram. Concurrent callers share a sync. Errors: an
// *graph.Error that names the field at fault; VERSION_CONFLICT if the id is engraved with
// another version or checksum; INVALID_REQUEST if it was erased; graph.ErrUnavailable if
// the disk fails. A damaged engram is engraved again.
func (r *Recess) Append(ctx context.Context, scope graph.Scope, engrams ...Engram) error {
	records := make([]*record, len(engrams))
	for i := range engrams {
		rec, err := newRecord(&engrams[i])
		if err != nil {
			return err
		}
		records[i] = rec
	}
	t, err := r.tenant(scope, true)
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		req := &appendRequest{replaces: map[[16]byte]uint64{}}
		if err := t.filterEngraved(ctx, records, req); err != nil || len(req.records) == 0 {
			return err
		}
		t.queue.add(req)
		t.commitMu.Lock()
		if !req.done {
			t.commitBatch(t.queue.takeAll())
		}
		t.commitMu.Unlock()
		if !errors.Is(req.err, errMoved) {
			return req.err
		}
	}
}

// filterEngraved omits records that are engraved already. It may read files, so it runs
// outside commitMu; admit finds what changed meanwhile.
func (t *tenant) filterEngraved(ctx context.Context, records []*record, req *appendRequest) error {
	for _, rec := range records {
		id, err := rec.memory.ID.Bytes()
		if err != nil {
			return err
		}
		w := t.locate(id)
		if w.place.file != nil && w.entry == nil && !w.erased {
			old, err := t.readPlace(ctx, id, w.place)
			switch {
			case errors.Is(err, graph.ErrIntegrity), errors.Is(err, errGone):
				req.replaces[id] = w.place.seq
			case err != nil:
				return err
			case !sameEngram(&old.memory, rec.memory.Version, rec.memory.Checksum):
				return conflictError(rec)
			default:
				continue
			}
		}
		req.records = append(req.records, rec)
	}
	return nil
}

func sameEngram(m *graph.Memory, version int, sum string) bool {
	return m.Version == version && m.Checksum == sum
}

func conflictError(rec *record) error {
	return graph.FieldError(graph.CodeVersionConflict, "id", "%s is already engraved with a different version or content; an engram can't change", rec.memory.ID)
}

// admit decides under commitMu whether a record is to be written.
func (t *tenant) admit(rec *record, req *appendRequest, batch map[[16]byte]*record) (bool, error) {
	id, err := rec.memory.ID.Bytes()
	if err != nil {
		return false, err
	}
	if twin := batch[id]; twin != nil {
		if !sameEngram(&twin.memory, rec.memory.Version, rec.memory.Checksum) {
			return false, conflictError(rec)
		}
		return false, nil
	}
	w := t.locate(id)
	switch {
	case w.erased:
		return false, errErased
	case w.entry != nil && !w.entry.damaged:
		if w.entry.version != rec.memory.Version || w.entry.sum != rec.memory.Checksum {
			return false, conflictError(rec)
		}
		return false, nil
	case w.place.file != nil:
		if seq, known := req.replaces[id]; !known || seq != w.place.seq {
			return false, errMoved
		}
	}
	return true, nil
}

// commitBatch writes the requests with one sync and marks each done. The caller holds
// commitMu.
func (t *tenant) commitBatch(requests []*appendRequest) {
	batch := map[[16]byte]*record{}
	var records []*record
	for _, req := range requests {
		req.done = true
		var mine []*record
		for _, rec := range req.records {
			write, err := t.admit(rec, req, batch)
			if err != nil {
				req.err = err
				break
			}
			if write {
				mine = append(mine, rec)
			}
		}
		if req.err != nil {
			continue
		}
		for _, rec := range mine {
			id, _ := rec.memory.ID.Bytes() // admit parsed it
			if batch[id] == nil {
				batch[id] = rec
				records = append(records, rec)
			}
		}
	}
	if err := t.writeRecords(records); err != nil {
		for _, req := range requests {
			if req.err == nil {
				req.err = err
			}
		}
	}
}

// writeRecords writes records to the journal, durably, and makes them visible.
func (t *tenant) writeRecords(records []*record) error {
	if t.closed {
		return graph.ErrClosed
	}
	if len(records) == 0 {
		return nil
	}
	names := make([][16]byte, len(records))
	for i, rec := range records {
		names[i] = keyName(&rec.memory)
	}
	keys, err := t.keys.keysFor(names, t.condemnedKeys())
	if err != nil {
		return err
	}
	if t.activeJournal == nil {
		j, err := createJournal(t.recess.disk, filepath.Join(t.dir, "journal"), t.nextSeq)
		if err != nil {
			return fmt.Errorf("%w: journal: %w", graph.ErrUnavailable, err)
		}
		t.activeJournal = j
		t.mu.Lock()
		t.journals = append(t.journals, j)
		t.mu.Unlock()
	}
	at := t.activeJournal.size
	var b []byte
	entries := make([]*journalEntry, len(records))
	for i, rec := range records {
		rec.seq = t.nextSeq + uint64(i)
		f, err := journalFrame(rec, t.name, keys[names[i]], t.recess.random)
		if err != nil {
			return err
		}
		p := &journalEntry{journal: t.activeJournal, at: at + int64(len(b)), seq: rec.seq, key: f.key}
		b = f.append(b)
		p.size = at + int64(len(b)) - p.at
		p.describe(rec)
		entries[i] = p
	}
	if err := t.activeJournal.append(b); err != nil {
		// The state of the file is unknown: the next batch begins another one, after every seq
		// that this one may contain.
		t.activeJournal, t.nextSeq = nil, t.nextSeq+uint64(len(records))
		return fmt.Errorf("%w: journal: %w", graph.ErrUnavailable, err)
	}
	t.nextSeq += uint64(len(records))
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, rec := range records {
		id, _ := rec.memory.ID.Bytes() // admit parsed it
		entries[i].older = t.journalLayers[0][id]
		t.journalLayers[0][id] = entries[i]
	}
	return nil
}

// condemnedKeys are the keys that an erasure is about to destroy.
func (t *tenant) condemnedKeys() map[keyID]bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return maps.Clone(t.manifest.condemnedKeys)
}
