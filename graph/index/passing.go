package index

import (
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Passing returns the memory with an id if it passes a filter at the time now, nil otherwise.
func (x *Index) Passing(sc graph.Scope, f *Filter, now time.Time, id graph.ID) *Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	for _, v := range t.views(sc.Sight, f.Namespaces) {
		slot, d := v.find(id)
		if d == nil {
			continue
		}
		s := v.compileFilter(f, now)
		if !s.matchesNothing && s.passes(v.chunks[slot>>slots.ChunkBits], slot&slots.ChunkMask) {
			return d
		}
	}
	return nil
}
