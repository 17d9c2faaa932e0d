package recess

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// request is one call of Append on its way into the journal.
type request struct {
	records []*record
	// replaces are engravings in files that were found damaged: a record may take
	// their place.
	replaces map[[16]byte]uint64
	done     bool // read and written under the commit lock
	err      error
}

// queue is who waits for the next batch.
type queue struct {
	mu   sync.Mutex
	list []*request
}

func (q *queue) add(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, r)
}

func (q *queue) take() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}

// errMoved is for a request whose ids changed place since they were looked up.
var errMoved = errors.New("recess: look again")

// Append engraves: it returns when the engrams are durable in the tenant's journal.
// Engrams of one call go in together or, after an error, may be in or not; calling
// again is safe, since the same id, version and checksum is one engram. Concurrent
// callers share a sync. Errors: an *graph.Error that names the field at fault;
// VERSION_CONFLICT where the id is engraved with another version or checksum;
// INVALID_REQUEST where it was erased; graph.ErrUnavailable where the disk refuses.
// An engram that is damaged where it lies is engraved anew.
func (r *Recess) Append(ctx context.Context, scope graph.Scope, engrams ...Engram) error {
	records := make([]*record, len(engrams))
	for i := range engrams {
		rec, err := prepare(&engrams[i])
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
		req := &request{replaces: map[[16]byte]uint64{}}
		if err := t.screen(ctx, records, req); err != nil || len(req.records) == 0 {
			return err
		}
		t.queue.add(req)
		t.commit.Lock()
		if !req.done {
			t.commitBatch(t.queue.take())
		}
		t.commit.Unlock()
		if !errors.Is(req.err, errMoved) {
			return req.err
		}
	}
}

// screen leaves out what is engraved already. It may read files, so it runs outside
// the commit lock; what changed meanwhile is found by admit.
func (t *tenant) screen(ctx context.Context, records []*record, req *request) error {
	for _, rec := range records {
		id, err := rec.memory.ID.Bytes()
		if err != nil {
			return err
		}
		w := t.find(id)
		if w.place.file != nil && w.pending == nil && !w.erased {
			old, err := t.readPlace(ctx, id, w.place)
			switch {
			case errors.Is(err, graph.ErrIntegrity), errors.Is(err, errGone):
				req.replaces[id] = w.place.seq
			case err != nil:
				return err
			case !sameEngram(&old.memory, rec.memory.Version, rec.memory.Checksum):
				return conflict(rec)
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

func conflict(rec *record) error {
	return graph.FieldError(graph.CodeVersionConflict, "id", "%s is engraved with another version or content; an engram never changes", rec.memory.ID)
}

// admit says whether a record is to be written, under the commit lock.
func (t *tenant) admit(rec *record, req *request, batch map[[16]byte]*record) (bool, error) {
	id, err := rec.memory.ID.Bytes()
	if err != nil {
		return false, err
	}
	if twin := batch[id]; twin != nil {
		if !sameEngram(&twin.memory, rec.memory.Version, rec.memory.Checksum) {
			return false, conflict(rec)
		}
		return false, nil
	}
	w := t.find(id)
	switch {
	case w.erased:
		return false, errErased
	case w.pending != nil && !w.pending.damaged:
		if w.pending.version != rec.memory.Version || w.pending.sum != rec.memory.Checksum {
			return false, conflict(rec)
		}
		return false, nil
	case w.place.file != nil:
		if seq, known := req.replaces[id]; !known || seq != w.place.seq {
			return false, errMoved
		}
	}
	return true, nil
}

// commitBatch writes the requests with one sync and marks each done. The commit lock
// is held.
func (t *tenant) commitBatch(requests []*request) {
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
			id, _ := rec.memory.ID.Bytes() // admit read it
			if batch[id] == nil {
				batch[id] = rec
				records = append(records, rec)
			}
		}
	}
	if err := t.write(records); err != nil {
		for _, req := range requests {
			if req.err == nil {
				req.err = err
			}
		}
	}
}

// write puts records into the journal, durably, and lets them be found.
func (t *tenant) write(records []*record) error {
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
	keys, err := t.keys.of(names, t.retired())
	if err != nil {
		return err
	}
	if t.writer == nil {
		j, err := createJournal(t.r.disk, filepath.Join(t.dir, "journal"), t.next)
		if err != nil {
			return fmt.Errorf("%w: journal: %w", graph.ErrUnavailable, err)
		}
		t.writer = j
		t.mu.Lock()
		t.journals = append(t.journals, j)
		t.mu.Unlock()
	}
	at := t.writer.size
	var b []byte
	entries := make([]*pending, len(records))
	for i, rec := range records {
		rec.seq = t.next + uint64(i)
		f, err := journalFrame(rec, t.name, keys[names[i]], t.r.random)
		if err != nil {
			return err
		}
		p := &pending{in: t.writer, at: at + int64(len(b)), seq: rec.seq, key: f.key}
		b = f.append(b)
		p.size = at + int64(len(b)) - p.at
		p.describe(rec)
		entries[i] = p
	}
	if err := t.writer.append(b); err != nil {
		// The file is in doubt: the next batch begins another one, behind every seq
		// that may stand in this one.
		t.writer, t.next = nil, t.next+uint64(len(records))
		return fmt.Errorf("%w: journal: %w", graph.ErrUnavailable, err)
	}
	t.next += uint64(len(records))
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, rec := range records {
		id, _ := rec.memory.ID.Bytes() // admit read it
		entries[i].older = t.layers[0][id]
		t.layers[0][id] = entries[i]
	}
	return nil
}

// retired are the keys that an erasure is about to destroy.
func (t *tenant) retired() map[keyID]bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.manifest.condemned) == 0 {
		return nil
	}
	m := make(map[keyID]bool, len(t.manifest.condemned))
	for k := range t.manifest.condemned {
		m[k] = true
	}
	return m
}
