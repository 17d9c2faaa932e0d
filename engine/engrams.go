package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// verified lets the recess vouch for what is engraved before it is served. A memory whose
// engram is damaged or missing, or says something else, is answered without its words and
// with the reason; the others are not touched. Where other servers have the store open too
// an engram may be in the recess of another: then the row answers, which has a hash of its
// own. It reports whether the recess was there.
func (e *Engine) verified(ctx context.Context, scope graph.Scope, views ...*View) (there bool) {
	there = true
	if e.recess == nil {
		return there
	}
	for _, v := range views {
		if v == nil || v.Unavailable != nil || v.Memory.State().Tier != graph.L3 || v.Memory.Status() == graph.Forgotten {
			continue
		}
		engram, err := e.recess.Read(ctx, scope, v.ID)
		switch {
		case err == nil && engram.Checksum == v.Checksum && graph.Sum(v.Content, v.CreatedAt, v.SourceKind, v.Source) == v.Checksum:
			e.damage.mend(v.ID)
		case errors.Is(err, graph.ErrNotFound) && !e.exclusive():
		case err == nil, errors.Is(err, graph.ErrIntegrity), errors.Is(err, graph.ErrNotFound):
			if e.damage.found(v.ID) {
				e.log.Error("[ENGRAM] damaged: it is not served", "id", v.ID, "error", err)
			}
			silent := *v.Memory
			silent.Content, silent.Summary = "", ""
			v.Memory = &silent
			v.Unavailable = graph.FieldError(graph.CodeIntegrityFailure, "content", "its engram is damaged and is not served")
		default:
			there = false // the row has a hash of its own, and answers
			e.log.Warn("[ENGRAM] the recess did not answer", "id", v.ID, "error", err)
		}
	}
	return there
}

// succeedsEngram reports whether a memory takes the place of an engram: what replaced it,
// a quorum or its owner's word, stands in for the gates. SPEC section 6.
func succeedsEngram(r graph.Reader, m *graph.Memory) (bool, error) {
	if m.Supersedes == "" || m.Status() != graph.Active || m.State().Tier != graph.L2 {
		return false, nil
	}
	before, err := r.Memory(m.Supersedes)
	return err == nil && before.State().Tier == graph.L3, err
}

// engraveSuccessor engraves what has just replaced an engram, and says so in its view.
// Where the recess does not take it, it stays in L2 and the next sleep engraves it.
func (e *Engine) engraveSuccessor(ctx context.Context, t *tenant, v *View) {
	if e.recess == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // the correction stands: who asked for it may have gone
	var m *graph.Memory
	var vector []float32
	succeeds := false
	err := t.View(ctx, func(r graph.Reader) (err error) {
		if m, err = r.Memory(v.ID); err != nil {
			return err
		}
		if succeeds, err = succeedsEngram(r, m); err != nil || !succeeds {
			return err
		}
		if vector, err = r.Embedding(m.ID); errors.Is(err, graph.ErrNotFound) {
			return nil
		}
		return err
	})
	if err == nil && succeeds {
		if err = e.recess.Engrave(ctx, t.scope, m, vector, t.Now()); err != nil {
			e.unengraved(ctx, t, m, 1, err)
		} else {
			err = t.Update(ctx, func(tx graph.Tx) (err error) {
				if m, err = tx.Memory(v.ID); err != nil {
					return err
				}
				if still, err := succeedsEngram(tx, m); err != nil || !still {
					return err
				}
				m.UpdatedAt = m.SetState(t.Now(), func(s *graph.State) { s.Tier = graph.L3 })
				return tx.PutMemory(m, graph.EventEngraved)
			})
		}
		if err == nil {
			*v = *view(m, v.Access, t.Now())
		}
	}
	if err != nil {
		e.log.Error("[ENGRAM] the successor of an engram waits for the next sleep", "id", v.ID, "error", err)
	}
}

// damage is which engrams were last found damaged.
type damage struct {
	mu  sync.Mutex
	ids map[graph.ID]bool
}

// found notes a damaged engram and reports whether that is news.
func (d *damage) found(id graph.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[graph.ID]bool{}
	}
	news := !d.ids[id]
	d.ids[id] = true
	return news
}

// mend forgets one that is well again.
func (d *damage) mend(id graph.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ids, id)
}

// count is how many are damaged as far as is known.
func (d *damage) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ids)
}
