package recall

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// hitsStored are the memories of hits as they stand in the store, in their order; what is
// missing is nil.
func (svc *Service) hitsStored(ctx context.Context, t *tenant, chosen []scored) ([]*graph.Memory, error) {
	ids := make([]graph.ID, len(chosen))
	for i, k := range chosen {
		ids[i] = k.Doc.ID
	}
	read := func(ids []graph.ID) (found []*graph.Memory, err error) {
		err = t.View(ctx, func(r graph.Reader) error { found, err = r.Memories(ids); return err })
		return found, err
	}
	if svc.Exclusive() {
		return read(ids)
	}
	heeded := t.AppliedLately(ctx) // first: what is heeded is dropped by then
	found, epoch := svc.HitCache.Get(t.Scope.Tenant, ids)
	if !heeded {
		clear(found)
	}
	var missing []graph.ID
	var places []int
	for i, m := range found {
		if m == nil {
			missing, places = append(missing, ids[i]), append(places, i)
			continue
		}
		now := *m // what is kept is nobody's to change
		now.Usage = chosen[i].Doc.Usage
		found[i] = &now
	}
	if len(missing) == 0 {
		return found, nil
	}
	stored, err := read(missing)
	if err != nil {
		return nil, err
	}
	for i, m := range stored {
		if found[places[i]] = m; m != nil {
			mine := *m
			stored[i] = &mine
		}
	}
	svc.HitCache.Keep(t.Scope.Tenant, stored, epoch)
	return found, nil
}
