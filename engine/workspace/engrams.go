package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Verify lets the recess vouch for what is engraved before it is served. A memory whose
// engram is damaged or missing, or says something else, is answered without its words and
// with the reason; the others are not touched. Where other servers have the store open too
// an engram may be in the recess of another: then the row answers, which has a hash of its
// own. It reports whether the recess was there.
func (ws *Space) Verify(ctx context.Context, scope graph.Scope, views ...*View) (there bool) {
	there = true
	if ws.Recess == nil {
		return there
	}
	for _, v := range views {
		if v == nil || v.Unavailable != nil || v.Memory.State().Tier != graph.L3 || v.Memory.Status() == graph.Forgotten {
			continue
		}
		engram, err := ws.Recess.Read(ctx, scope, v.ID)
		switch {
		case err == nil && engram.Checksum == v.Checksum && graph.Sum(v.Content, v.CreatedAt, v.SourceKind, v.Source) == v.Checksum:
			ws.Damage.mend(v.ID)
		case errors.Is(err, graph.ErrNotFound) && !ws.Exclusive():
		case err == nil, errors.Is(err, graph.ErrIntegrity), errors.Is(err, graph.ErrNotFound):
			if ws.Damage.found(v.ID) {
				ws.Log.Error("[ENGRAM] damaged: it is not served", "id", v.ID, "error", err)
			}
			silent := *v.Memory
			silent.Content, silent.Summary = "", ""
			v.Memory = &silent
			v.Unavailable = graph.FieldError(graph.CodeIntegrityFailure, "content", "its engram is damaged and is not served")
		default:
			there = false // the row has a hash of its own, and answers
			ws.Log.Warn("[ENGRAM] the recess did not answer", "id", v.ID, "error", err)
		}
	}
	return there
}

// damagedEngrams is which engrams were last found damaged.
type damagedEngrams struct {
	mu  sync.Mutex
	ids map[graph.ID]bool
}

// found notes a damaged engram and reports whether that is news.
func (d *damagedEngrams) found(id graph.ID) bool {
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
func (d *damagedEngrams) mend(id graph.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ids, id)
}

// Count is how many are damaged as far as is known.
func (d *damagedEngrams) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ids)
}
