package recall

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// hitsStored reads the memories of the hits, in their order. A missing memory is nil. A server that has
// the store exclusively reads each memory once in a search; others use the hit cache.
func (svc *Service) hitsStored(ctx context.Context, q *query, chosen []scored) ([]*graph.Memory, error) {
	t := q.t
	ids := make([]graph.ID, len(chosen))
	for i, k := range chosen {
		ids[i] = k.Doc.ID
	}
	read := func(ids []graph.ID) (found []*graph.Memory, err error) {
		err = t.View(ctx, func(r graph.Reader) error { found, err = r.Memories(ids); return err })
		return found, err
	}
	if svc.Exclusive() {
		return q.readOnce(ids, read)
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

// readOnce returns memories in the order of their ids, and reads those that the search has not read yet.
func (q *query) readOnce(ids []graph.ID, read func([]graph.ID) ([]*graph.Memory, error)) ([]*graph.Memory, error) {
	var missing []graph.ID
	for _, id := range ids {
		if _, known := q.stored[id]; !known {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		found, err := read(missing)
		if err != nil {
			return nil, err
		}
		if q.stored == nil {
			q.stored = make(map[graph.ID]*graph.Memory, len(missing))
		}
		for i, m := range found {
			q.stored[missing[i]] = m
		}
	}
	all := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		all[i] = q.stored[id]
	}
	return all, nil
}
