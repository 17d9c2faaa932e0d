package library

import (
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxChanges is the number of memories that one transaction of an ingest writes.
const maxChanges = 96

// applyingSetting is the setting that lists the documents whose next version is being applied.
const applyingSetting = "documents.applying"

// errChanged means that another ingest changed the document meanwhile.
var errChanged = errors.New("library: the document changed meanwhile")

// write is one ingest of content that differs from what is stored.
type write struct {
	svc       *Service
	t         *tenant
	id        graph.ID // of the record
	namespace string
	owner     string
	path      string
	next      version
	drafts    []*ingest.Draft // of the new slots, by position; nil elsewhere
	result    *IngestResult
	step      func(Progress)
}

// update runs fn on the record in one transaction of the tenant's writer, and writes the record. It
// returns errChanged if the record has another revision.
func (w *write) update(ctx context.Context, revision int, fn func(s *ingest.WriteTx, x *record) error) error {
	return w.svc.ingest.RunExclusive(ctx, w.t.Tenant, func(ctx context.Context) error {
		now, charge := w.t.Now(), w.t.Charge(ctx)
		err := w.t.Update(ctx, func(tx graph.Tx) error {
			charge.Reset()
			x, _, err := loadRecord(tx, w.id)
			if err != nil {
				return err
			}
			if x == nil {
				x = &record{Path: w.path, User: w.owner}
			}
			if x.Revision != revision {
				return errChanged
			}
			if err := fn(w.svc.ingest.NewWriteTx(w.t.Tenant, tx, now, charge), x); err != nil {
				return err
			}
			return putRecord(tx, w.id, w.namespace, x, now)
		})
		charge.End(err == nil)
		return err
	})
}

// atOnce writes the whole difference in one transaction.
func (w *write) atOnce(ctx context.Context, p plan, revision int) error {
	return w.update(ctx, revision, func(s *ingest.WriteTx, x *record) error {
		*w.result = IngestResult{}
		ids := make(packedIDs, len(p.slots))
		for i := range p.slots {
			m, err := w.fill(s, &p.slots[i], i)
			if err != nil {
				return err
			}
			ids[i] = m.ID
		}
		for _, m := range p.gone {
			if err := w.end(s, m.ID, nil); err != nil {
				return err
			}
		}
		next := w.next
		next.Chunks, next.At = ids, s.Now
		return w.makeCurrent(s.Tx, x, next)
	})
}

// fill writes the chunk of one slot.
func (w *write) fill(s *ingest.WriteTx, x *slot, index int) (*graph.Memory, error) {
	if x.isNew() {
		m, err := w.newChunk(s, x, index, false)
		if err != nil || x.replaces == nil {
			return m, err
		}
		return m, w.end(s, x.replaces.ID, m)
	}
	if x.stays != nil && x.stays.Chunk.Index == index {
		return x.stays, nil
	}
	known := x.stays
	if known == nil {
		known = x.ended
	}
	m, err := s.Tx.Memory(known.ID)
	if err != nil {
		return nil, err
	}
	if x.stays != nil {
		return m, s.MoveChunk(m, index)
	}
	if !ingest.Restorable(m, s.Now) {
		return nil, errChanged
	}
	w.result.Written++
	w.result.Restored++
	return m, s.RestoreChunk(m, index)
}

// newChunk writes the new chunk of a slot.
func (w *write) newChunk(s *ingest.WriteTx, x *slot, index int, staged bool) (*graph.Memory, error) {
	var previous *graph.Memory
	if x.replaces != nil {
		m, err := s.Tx.Memory(x.replaces.ID)
		if err != nil {
			return nil, err
		}
		if ingest.InPlace(m) || m.Status() == graph.Archived {
			previous = m
		}
	}
	w.result.Written++
	return s.NewChunk(w.drafts[index], previous, staged)
}

// end ends a chunk and counts it.
func (w *write) end(s *ingest.WriteTx, id graph.ID, by *graph.Memory) error {
	m, err := s.Tx.Memory(id)
	if err != nil {
		return err
	}
	ended, err := s.EndChunk(m, by)
	if ended {
		w.result.Superseded++
		if by == nil {
			w.result.Expired++
		}
	}
	return err
}

// makeCurrent makes a version the current one of the record. Its chunks are set.
func (w *write) makeCurrent(r graph.Reader, x *record, next version) error {
	next.Count = len(next.Chunks)
	known := map[graph.ID]bool{}
	for _, id := range next.Chunks {
		known[id] = true
	}
	var left []graph.ID
	for _, id := range x.Current.Chunks {
		if !known[id] {
			left = append(left, id)
		}
	}
	memories, err := r.Memories(left)
	if err != nil {
		return err
	}
	x.Former = slices.DeleteFunc(x.Former, func(f former) bool { return known[f.id] })
	for _, m := range memories {
		if m != nil && m.Chunk != nil {
			x.Former = append(x.Former, former{m.ID, keyOf(m.Chunk.Hash)})
		}
	}
	if x.Current.Number > 0 && x.Current.Number != next.Number {
		before := x.Current
		before.Chunks = nil
		x.Earlier = append(x.Earlier, before)
	}
	x.Current, x.Next = next, nil
	return nil
}

// staged writes the difference in several transactions. Nothing is visible before the record names
// the next version.
func (w *write) staged(ctx context.Context, p plan, revision int) error {
	*w.result = IngestResult{}
	ids := make(packedIDs, len(p.slots))
	var fresh []int
	for i := range p.slots {
		switch x := &p.slots[i]; {
		case x.isNew():
			fresh = append(fresh, i)
		case x.stays != nil:
			ids[i] = x.stays.ID
		default:
			ids[i] = x.ended.ID
			w.result.Written++
			w.result.Restored++
		}
	}
	for some := range slices.Chunk(fresh, maxChanges) {
		counted := *w.result
		err := w.update(ctx, revision, func(s *ingest.WriteTx, x *record) error {
			*w.result = counted
			for _, i := range some {
				m, err := w.newChunk(s, &p.slots[i], i, true)
				if err != nil {
					return err
				}
				ids[i] = m.ID
				x.Former = append(x.Former, former{m.ID, keyOf(m.Chunk.Hash)})
			}
			return nil
		})
		if err != nil {
			return err
		}
		revision++
		w.step(Progress{Phase: PhaseWriting, Done: w.result.Written, Total: len(fresh)})
	}
	err := w.update(ctx, revision, func(s *ingest.WriteTx, x *record) error {
		x.Next = &applying{version: w.next}
		x.Next.Chunks, x.Next.At = ids, s.Now
		return noteApplying(s.Tx, w.id, true)
	})
	if err != nil {
		return err
	}
	return w.finish(ctx)
}

// noteApplying adds a document to the list of those that are being applied, or removes it.
func noteApplying(tx graph.Tx, id graph.ID, applying bool) error {
	var ids []graph.ID
	if _, err := lifecycle.ReadSetting(tx, applyingSetting, &ids); err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(x graph.ID) bool { return x == id })
	if applying {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return tx.PutSetting(applyingSetting, nil)
	}
	return lifecycle.PutSetting(tx, applyingSetting, ids)
}

// finish applies the version that the record names as the next one. It does nothing if there is
// none, and continues where an earlier call was interrupted.
func (w *write) finish(ctx context.Context) error {
	for done := false; !done; {
		counted := *w.result
		err := w.svc.ingest.RunExclusive(ctx, w.t.Tenant, func(ctx context.Context) error {
			now := w.t.Now()
			return w.t.Update(ctx, func(tx graph.Tx) error {
				*w.result = counted
				x, namespace, err := loadRecord(tx, w.id)
				if err != nil {
					return err
				}
				if done = x == nil || x.Next == nil; done {
					return noteApplying(tx, w.id, false)
				}
				if done, err = w.applySome(w.svc.ingest.NewWriteTx(w.t.Tenant, tx, now, nil), x); err != nil {
					return err
				}
				return putRecord(tx, w.id, namespace, x, now)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// applySome applies the next part of a version, and reports whether it was the last one.
func (w *write) applySome(s *ingest.WriteTx, x *record) (last bool, err error) {
	next, current := x.Next.Chunks, x.Current.Chunks
	to := min(x.Next.Done+maxChanges/2, len(next)+len(current)) // a chunk may end another one
	for ; x.Next.Done < to; x.Next.Done++ {
		if i := x.Next.Done; i < len(next) {
			err = w.applyChunk(s, next[i], i, x)
		} else if id := current[i-len(next)]; !slices.Contains(next, id) {
			err = w.end(s, id, nil)
		}
		if err != nil {
			return false, err
		}
	}
	if to < len(next)+len(current) {
		return false, nil
	}
	if err := noteApplying(s.Tx, w.id, false); err != nil {
		return false, err
	}
	return true, w.makeCurrent(s.Tx, x, x.Next.version)
}

// applyChunk puts a chunk of the next version in its place, and ends the one that it replaces.
func (w *write) applyChunk(s *ingest.WriteTx, id graph.ID, index int, x *record) error {
	m, err := s.Tx.Memory(id)
	if err != nil {
		return err
	}
	switch {
	case m.Status() == graph.Forgotten || m.Chunk == nil:
		return nil // erased meanwhile, or no chunk
	case ingest.Restorable(m, s.Now) && !slices.Contains(x.Current.Chunks, id) || m.Status() == graph.Archived:
		if err := s.RestoreChunk(m, index); err != nil {
			return err
		}
	case m.Chunk.Index != index:
		if err := s.MoveChunk(m, index); err != nil {
			return err
		}
	}
	if m.Supersedes == "" || !slices.Contains(x.Current.Chunks, m.Supersedes) || slices.Contains(x.Next.Chunks, m.Supersedes) {
		return nil
	}
	return w.end(s, m.Supersedes, m)
}

// Resume finishes the documents whose next version was being applied when the server ended.
func (svc *Service) Resume(ctx context.Context, wt *workspace.Tenant) error {
	t := svc.tenants.Of(wt)
	var ids []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		_, err := lifecycle.ReadSetting(r, applyingSetting, &ids)
		return err
	})
	for _, id := range ids {
		if err == nil {
			err = (&write{svc: svc, t: t, id: id, result: &IngestResult{}}).finish(ctx)
		}
	}
	return err
}
