package index

import "github.com/somnograph/somnograph/graph"

// Stats are counts of one tenant.
type Stats struct {
	Memories  int                  // all memories that are not forgotten
	ByStatus  map[graph.Status]int // stored status: an expired time to live counts only after the store has recorded it
	ByType    map[graph.Type]int
	ByTier    map[graph.Tier]int
	Entities  int
	Relations int
	Pending   int          // memories without a vector
	InGraph   int          // vectors in a neighbour graph; small namespaces have none
	GraphTail int          // vectors not yet in the graph, which are scanned
	Cursor    graph.Cursor // everything up to here is searchable
	Lag       graph.Cursor // distance from Cursor to the latest known cursor of the feed
}

// Stats counts what the index of a tenant contains and the scope shows. Relations are those between
// visible entities. Figures of neighbour graphs are those of wholly visible namespaces. It returns empty counts if the tenant is not
// available.
func (x *Index) Stats(sc graph.Scope) Stats {
	s := Stats{ByStatus: map[graph.Status]int{}, ByType: map[graph.Type]int{}, ByTier: map[graph.Tier]int{}}
	t := x.tenantOrNil(sc)
	if t == nil {
		return s
	}
	for _, v := range t.views(sc.Sight, nil) {
		if v.seen == nil {
			held, tail := v.vectors.GraphSize()
			s.InGraph, s.GraphTail = s.InGraph+held, s.GraphTail+tail
		}
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
	if s.Entities, s.Relations = t.entities.size(); !sc.Sight.Whole() {
		s.Entities, s.Relations = t.visibleEntities(sc.Sight)
	}
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	s.Cursor, s.Lag = t.cursor, t.head-t.cursor
	return s
}

// visibleEntities counts the visible entities and the relations among them.
func (t *tenant) visibleEntities(s graph.Sight) (entities, relations int) {
	shown := t.entitiesOf(s, nil, nil)
	t.entities.mu.RLock()
	defer t.entities.mu.RUnlock()
	visible := map[graph.ID]bool{}
	for id, e := range t.entities.entities {
		visible[id] = shown.sees(e)
		if visible[id] {
			entities++
		}
	}
	for _, r := range t.entities.relations {
		if visible[r.source] && visible[r.target] {
			relations++
		}
	}
	return entities, relations
}

func (a *entityIndex) size() (entities, relations int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.entities), len(a.relations)
}
