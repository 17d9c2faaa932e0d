package recall

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// hitsStored reads the memories of the hits, in their order. A missing memory is nil. It uses
// the hit cache unless this server has the store exclusively.
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
	heeded := t.AppliedLately(ctx) // call before the cache lookup: applying changes invalidates cached memories
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
		now := *m // cached memories are shared; copy before the change
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
