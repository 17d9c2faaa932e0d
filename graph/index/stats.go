package index

import "github.com/somnograph/somnograph/graph"

// Stats are counts of one tenant.
type Stats struct {
	Memories  int                  // every memory but the forgotten
	ByStatus  map[graph.Status]int // status as stored: a time to live that ran out shows once it is written down
	ByType    map[graph.Type]int
	ByTier    map[graph.Tier]int
	Entities  int
	Relations int
	Pending   int          // memories without a vector
	InGraph   int          // vectors in a graph of neighbours; small namespaces have none
	GraphTail int          // vectors that wait for their place in one and are scanned meanwhile
	Cursor    graph.Cursor // everything up to here is searchable
	Lag       graph.Cursor // how far the feed is known to be ahead of it
}

// Stats counts what the index of a tenant holds; a tenant that can't be had is empty.
func (x *Index) Stats(sc graph.Scope) Stats {
	s := Stats{ByStatus: map[graph.Status]int{}, ByType: map[graph.Type]int{}, ByTier: map[graph.Tier]int{}}
	t := x.tenantOrNil(sc)
	if t == nil {
		return s
	}
	for _, p := range t.partitions(nil) {
		v := p.view.Load()
		held, tail := v.vectors.GraphSize()
		s.InGraph, s.GraphTail = s.InGraph+held, s.GraphTail+tail
		v.eachDoc(func(_ uint32, d *Doc) bool {
			st := d.History[len(d.History)-1]
			s.Memories++
			s.ByStatus[st.Status]++
			s.ByType[d.Type]++
			s.ByTier[st.Tier]++
			if !d.Embedded {
				s.Pending++
			}
			return true
		})
	}
	s.Entities, s.Relations = t.entities.size()
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	s.Cursor, s.Lag = t.cursor, t.head-t.cursor
	return s
}

func (a *entityIndex) size() (entities, relations int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.entities), len(a.relations)
}
