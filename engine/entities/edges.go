package entities

import (
	"cmp"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Kinds of the edges that are derived on read: between versions, between memories of a session, and between memories that
// mention the same entities.
const (
	EdgeSupersedes  = "SUPERSEDES"
	EdgeSameSession = "SAME_SESSION"
	EdgeTemporal    = "TEMPORAL_SEQ"
	EdgeOverlap     = "ENTITY_OVERLAP"
)

// edgesOf returns the edges of m. With kinds it returns stored edges only.
func edgesOf(r graph.Reader, m *graph.Memory, dir graph.Direction, kinds ...graph.EdgeKind) ([]EdgeView, error) {
	stored, err := r.Edges(m.ID, dir, kinds...)
	if err != nil {
		return nil, err
	}
	edges := make([]EdgeView, 0, len(stored)+8)
	for _, x := range stored {
		if x.Kind == graph.Contradicts && x.Weight == 0 || x.Kind == graph.Revises {
			continue // dismissed by hand; shown as SUPERSEDES
		}
		edges = append(edges, EdgeView{From: x.From, To: x.To, Kind: string(x.Kind), Weight: x.Weight})
	}
	if len(kinds) > 0 {
		return edges, nil
	}
	var versions []EdgeView
	if m.Supersedes != "" && dir != graph.In {
		versions = append(versions, EdgeView{From: m.ID, To: m.Supersedes, Kind: EdgeSupersedes, Weight: 1})
	}
	if m.SupersededBy != "" && dir != graph.Out {
		versions = append(versions, EdgeView{From: m.SupersededBy, To: m.ID, Kind: EdgeSupersedes, Weight: 1})
	}
	for _, x := range versions {
		seen, err := graph.Readable(r, x.otherEnd(m.ID)) // a version may be hidden from the caller
		if err != nil {
			return nil, err
		}
		if seen != nil {
			edges = append(edges, x)
		}
	}
	session, err := sessionEdges(r, m, dir)
	if err != nil {
		return nil, err
	}
	overlap, err := overlapEdges(r, m)
	return append(append(edges, session...), overlap...), err
}

// sessionEdges links a memory to the others of its session: TEMPORAL_SEQ to the previous and
// the next one by event time, SAME_SESSION to the rest.
func sessionEdges(r graph.Reader, m *graph.Memory, dir graph.Direction) ([]EdgeView, error) {
	if m.Session == "" {
		return nil, nil
	}
	company, err := r.ListMemories(graph.MemoryQuery{Undamaged: true, Namespaces: []string{m.Namespace}, Session: m.Session, Limit: sessionLimit})
	if err != nil {
		return nil, err
	}
	company = slices.DeleteFunc(company, func(n *graph.Memory) bool { return n.Status() == graph.Forgotten })
	slices.SortStableFunc(company, func(a, b *graph.Memory) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
	})
	at := slices.IndexFunc(company, func(n *graph.Memory) bool { return n.ID == m.ID })
	var edges []EdgeView
	for i, n := range company {
		switch {
		case i == at:
		case at >= 0 && i == at-1:
			if dir != graph.Out {
				edges = append(edges, EdgeView{From: n.ID, To: m.ID, Kind: EdgeTemporal, Weight: 1})
			}
		case at >= 0 && i == at+1:
			if dir != graph.In {
				edges = append(edges, EdgeView{From: m.ID, To: n.ID, Kind: EdgeTemporal, Weight: 1})
			}
		default:
			edges = append(edges, EdgeView{From: min(m.ID, n.ID), To: max(m.ID, n.ID), Kind: EdgeSameSession, Weight: 1})
		}
	}
	return edges, nil
}

// overlapEdges links a memory to those that mention the same entities. The weight is the
// Jaccard index of the two entity sets; the overlapLimit strongest edges are kept.
func overlapEdges(r graph.Reader, m *graph.Memory) ([]EdgeView, error) {
	shared := map[graph.ID]int{}
	for _, entity := range m.Entities {
		ids, err := r.Mentions(entity, "", mentionLimit)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if id != m.ID {
				shared[id]++
			}
		}
	}
	others, err := graph.Undamaged(r, slices.Sorted(maps.Keys(shared)))
	if err != nil {
		return nil, err
	}
	var edges []EdgeView
	for _, n := range others {
		if n == nil || n.Status() == graph.Forgotten {
			continue
		}
		both := shared[n.ID]
		j := float64(both) / float64(len(m.Entities)+len(n.Entities)-both)
		edges = append(edges, EdgeView{From: min(m.ID, n.ID), To: max(m.ID, n.ID), Kind: EdgeOverlap, Weight: j})
	}
	slices.SortStableFunc(edges, func(a, b EdgeView) int { return cmp.Compare(b.Weight, a.Weight) })
	return edges[:min(overlapLimit, len(edges))], nil
}
