package scene

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/entities"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Scene is the graph that the explorer draws: the nodes with their histories, over all time,
// and the edges between them.
type Scene struct {
	At     time.Time
	Cursor graph.Cursor // later changes are not in the scene
	Nodes  []*index.Doc // by ascending id; read-only
	Texts  []string     // hover text of each node, at most textBytes bytes
	// Vectors of the nodes, nil for a node without one. The scene keeps all of them in memory,
	// wherever the index stores them.
	Vectors [][]float32
	Edges   []Edge

	stored []graph.Edge // by from, kind and to; an end may not be a node
}

// Edge is an edge between two nodes, by their indices in Nodes of the scene.
type Edge struct {
	From, To int32
	Kind     string // SUPERSEDES, SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP, and the stored kinds
	Weight   float32
}

// Service makes scenes.
type Service struct{ *workspace.Space }

// New makes the service.
func New(ws *workspace.Space) *Service { return &Service{ws} }

const (
	textBytes    = 120 // bytes of hover text per node
	overlapEdges = 4   // ENTITY_OVERLAP edges per node
	hubMentions  = 64  // mentions above which an entity is ignored for overlap
)

// Of returns the scene of a caller, without erased memories.
func (svc *Service) Of(ctx context.Context, c workspace.Caller, namespaces []string) (*Scene, error) {
	return svc.After(ctx, c, namespaces, nil)
}

// After returns the same as Of. For memories that have not changed, it copies texts,
// vectors and stored edges from an earlier scene of the same caller and namespaces. It does
// not modify that scene. Nil: no earlier scene.
func (svc *Service) After(ctx context.Context, c workspace.Caller, namespaces []string, before *Scene) (*Scene, error) {
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, err
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	s := &Scene{At: svc.Now(), Cursor: t.Cursor()}
	if err := svc.Index.WaitFor(ctx, t.Scope, s.Cursor); err != nil {
		return nil, err
	}
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if len(spaces) == 0 || slices.Contains(spaces, d.Namespace) {
			s.Nodes = append(s.Nodes, d)
		}
		return true
	})
	slices.SortFunc(s.Nodes, func(a, b *index.Doc) int { return cmp.Compare(a.ID, b.ID) })
	if err := svc.readRows(ctx, t, s, before); err != nil {
		return nil, err
	}
	place := make(map[graph.ID]int32, len(s.Nodes))
	for i, d := range s.Nodes {
		place[d.ID] = int32(i)
	}
	for i, d := range s.Nodes {
		if p, ok := place[d.Supersedes]; ok {
			s.Edges = append(s.Edges, Edge{int32(i), p, entities.EdgeSupersedes, 1})
		}
	}
	for _, x := range s.stored {
		from, here := place[x.From]
		to, there := place[x.To]
		if here && there && x.Kind != graph.Revises && (x.Kind != graph.Contradicts || x.Weight > 0) { // 0: dismissed by hand
			s.Edges = append(s.Edges, Edge{from, to, string(x.Kind), float32(x.Weight)})
		}
	}
	s.sessions()
	s.overlaps()
	return s, nil
}

// readRows reads the truncated texts, the vectors and the stored edges of the nodes.
func (svc *Service) readRows(ctx context.Context, t *workspace.Tenant, s, before *Scene) error {
	s.Texts, s.Vectors = make([]string, len(s.Nodes)), make([][]float32, len(s.Nodes))
	fresh, err := svc.unknownNodes(ctx, t, s, before)
	if err != nil {
		return err
	}
	docs := make([]*index.Doc, len(fresh))
	for k, i := range fresh {
		docs[k] = s.Nodes[i]
	}
	vectors, err := svc.Index.Vectors(ctx, t.Scope, docs)
	if err != nil {
		return err
	}
	for k, i := range fresh {
		s.Vectors[i] = vectors[k]
	}
	err = t.View(ctx, func(r graph.Reader) error {
		for part := range slices.Chunk(fresh, graph.MaxPage) {
			ids := make([]graph.ID, len(part))
			for k, i := range part {
				ids[k] = s.Nodes[i].ID
			}
			found, err := graph.Undamaged(r, ids)
			if err != nil {
				return err
			}
			for k, m := range found {
				if m == nil {
					continue
				}
				s.Texts[part[k]] = workspace.Truncate(cmp.Or(m.Summary, m.Content), textBytes)
				edges, err := r.Edges(m.ID, ends(before))
				if err != nil {
					return err
				}
				s.stored = append(s.stored, edges...)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(s.stored, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.To, b.To))
	})
	s.stored = slices.CompactFunc(s.stored, func(a, b graph.Edge) bool { return a.From == b.From && a.Kind == b.Kind && a.To == b.To })
	return err
}

// ends is the direction in which stored edges are read. The outgoing edges of all nodes
// are complete. If only changed nodes are read, the incoming edges are needed too.
func ends(before *Scene) graph.Direction {
	if before == nil {
		return graph.Out
	}
	return graph.Both
}

// unknownNodes copies the unchanged rows from an earlier scene and returns the indices of the
// changed nodes. An edge counts as changed if the memory at either end changed: every write of
// an edge also writes one of its memories.
func (svc *Service) unknownNodes(ctx context.Context, t *workspace.Tenant, s, before *Scene) ([]int, error) {
	changed := map[graph.ID]bool{}
	if before != nil {
		for at := before.Cursor; at < s.Cursor; {
			changes, err := svc.Store.Changes(ctx, t.Whole().Scope, at, graph.MaxPage)
			if err != nil {
				return nil, err
			}
			if len(changes) == 0 {
				break
			}
			for _, ch := range changes {
				if ch.Node == graph.NodeMemory {
					changed[ch.ID] = true
				}
			}
			at = changes[len(changes)-1].Cursor
		}
		for _, x := range before.stored {
			if !changed[x.From] && !changed[x.To] {
				s.stored = append(s.stored, x)
			}
		}
	}
	var fresh []int
	k := 0
	for i, d := range s.Nodes {
		for before != nil && k < len(before.Nodes) && before.Nodes[k].ID < d.ID {
			k++
		}
		if before != nil && k < len(before.Nodes) && before.Nodes[k].ID == d.ID && !changed[d.ID] {
			s.Texts[i], s.Vectors[i] = before.Texts[k], before.Vectors[k]
			continue
		}
		fresh = append(fresh, i)
	}
	return fresh, nil
}

// sessions links each node to the next of its session by event time (TEMPORAL_SEQ), and the
// first node of a session to each of the others (SAME_SESSION). This avoids a quadratic number
// of edges.
func (s *Scene) sessions() {
	type key struct{ namespace, session string }
	members := map[key][]int32{}
	for i, d := range s.Nodes {
		if d.Session != "" {
			k := key{d.Namespace, d.Session}
			members[k] = append(members[k], int32(i))
		}
	}
	keys := slices.SortedFunc(maps.Keys(members), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.session, b.session))
	})
	for _, k := range keys {
		m := members[k]
		slices.SortStableFunc(m, func(a, b int32) int { return s.Nodes[a].OccurredAt.Compare(s.Nodes[b].OccurredAt) })
		for i := 1; i < len(m); i++ {
			s.Edges = append(s.Edges, Edge{m[i-1], m[i], entities.EdgeTemporal, 1})
			if i > 1 {
				s.Edges = append(s.Edges, Edge{m[0], m[i], entities.EdgeSameSession, 1})
			}
		}
	}
}

// overlaps links each node to the overlapEdges nodes with the highest Jaccard index of the
// entity sets.
func (s *Scene) overlaps() {
	mentions := map[graph.ID][]int32{}
	for i, d := range s.Nodes {
		for _, id := range d.Entities {
			mentions[id] = append(mentions[id], int32(i))
		}
	}
	drawn := map[[2]int32]bool{}
	shared := make([]int32, len(s.Nodes)) // entities in common with the current node
	var others []int32                    // nodes with any in common
	var best []Edge
	for i, d := range s.Nodes {
		others, best = others[:0], best[:0]
		for _, id := range d.Entities {
			if len(mentions[id]) > hubMentions {
				continue
			}
			for _, j := range mentions[id] {
				if j == int32(i) {
					continue
				}
				if shared[j] == 0 {
					others = append(others, j)
				}
				shared[j]++
			}
		}
		for _, j := range others {
			n := int(shared[j])
			shared[j] = 0
			w := float32(n) / float32(len(d.Entities)+len(s.Nodes[j].Entities)-n)
			best = append(best, Edge{min(int32(i), j), max(int32(i), j), entities.EdgeOverlap, w})
		}
		slices.SortFunc(best, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
		for _, x := range best[:min(overlapEdges, len(best))] {
			if !drawn[[2]int32{x.From, x.To}] {
				drawn[[2]int32{x.From, x.To}] = true
				s.Edges = append(s.Edges, x)
			}
		}
	}
}
