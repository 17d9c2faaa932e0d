package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Verify checks the engrams of engraved memories in the recess before they are served. If an
// engram is damaged, missing or different, the memory is returned without its content and with
// the reason. Other memories are not changed. With several servers, an engram may be in
// another server's recess; then the row is served, which has its own hash. Verify reports
// whether the recess was available.
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
			ws.Damage.mend(scope.Tenant, v.ID)
		case errors.Is(err, graph.ErrNotFound) && !ws.Exclusive():
		case err == nil, errors.Is(err, graph.ErrIntegrity), errors.Is(err, graph.ErrNotFound):
			if ws.Damage.found(scope.Tenant, v.ID) {
				ws.Log.ErrorContext(ctx, "[ENGRAM] an engram is damaged and is not served", "id", v.ID, "error", err)
			}
			silent := *v.Memory
			silent.Content, silent.Summary = "", ""
			v.Memory = &silent
			v.Unavailable = graph.FieldError(graph.CodeIntegrityFailure, "content", "its engram is damaged and is not served")
		default:
			there = false // the row is served; it has its own hash
			ws.Log.WarnContext(ctx, "[ENGRAM] the recess did not answer", "id", v.ID, "error", err)
		}
	}
	return there
}

// damagedEngrams is the set of engrams that failed their last check.
type damagedEngrams struct {
	mu  sync.Mutex
	ids map[tenantMemory]bool
}

// found adds a damaged engram of a tenant and reports whether it was not known as damaged.
func (d *damagedEngrams) found(of graph.Tenant, id graph.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[tenantMemory]bool{}
	}
	key := tenantMemory{of, id}
	news := !d.ids[key]
	d.ids[key] = true
	return news
}

// mend removes an engram of a tenant that passed its check.
func (d *damagedEngrams) mend(of graph.Tenant, id graph.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ids, tenantMemory{of, id})
}

// Count returns the number of known damaged engrams of all tenants.
func (d *damagedEngrams) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ids)
}

// IDs lists the known damaged engrams of a tenant, in no order.
func (d *damagedEngrams) IDs(of graph.Tenant) (ids []graph.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key := range d.ids {
		if key.tenant == of {
			ids = append(ids, key.id)
		}
	}
	return ids
}
