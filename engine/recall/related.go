package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Limits of a graph walk.
const (
	defaultDepth  = 2
	maxDepth      = 6
	defaultBudget = 5000 // nodes
	overlapLimit  = 8    // ENTITY_OVERLAP edges per node, strongest first
	mentionLimit  = 64   // memories per entity that overlap is computed for
	sessionLimit  = 64   // memories of a session that session edges are derived from
)

// Edges returns the edges of a memory. Without kinds it returns the stored edges, SUPERSEDES
// and the edges derived on read (SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP). With kinds it
// returns stored edges of these kinds only.
func (svc *Service) Edges(ctx context.Context, c workspace.Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]EdgeView, error) {
	var edges []EdgeView
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		m, err := workspace.LoadOwned(r, c, id)
		if err != nil {
			return err
		}
		edges, err = edgesOf(r, m, dir, kinds...)
		return err
	})
	return edges, err
}

// Related walks the graph breadth first from a memory. Depth is 1 to 6 (0: 2), and budget is
// the maximum number of nodes, 1 to 5,000 (0: 5,000).
func (svc *Service) Related(ctx context.Context, c workspace.Caller, id graph.ID, depth, budget int, a workspace.Access) (*RelatedResult, error) {
	w, err := svc.newWalk(ctx, c, depth, budget, a)
	if err != nil {
		return nil, err
	}
	result := &RelatedResult{}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		start, err := w.start(r, id)
		if err != nil {
			return err
		}
		for level := []*graph.Memory{start}; len(level) > 0 && w.depth > 0; w.depth-- {
			var next []*graph.Memory
			for _, m := range level {
				found, edges, err := w.step(r, m)
				if err != nil {
					return err
				}
				result.Edges = append(result.Edges, edges...)
				next = append(next, found...)
			}
			slices.SortFunc(next, func(a, b *graph.Memory) int { return cmp.Compare(a.ID, b.ID) })
			for _, m := range next {
				result.Memories = append(result.Memories, workspace.NewView(m, a, w.now))
			}
			level = next
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	svc.Verify(ctx, c.Scope(), result.Memories...)
	result.Truncated = w.full
	result.Edges = w.within(result.Edges)
	return result, nil
}

// Path returns a shortest path between two memories, ends included, of at most depth edges (0:
// 6). The result is empty if there is none.
func (svc *Service) Path(ctx context.Context, c workspace.Caller, from, to graph.ID, depth int, a workspace.Access) (*RelatedResult, error) {
	if depth == 0 {
		depth = maxDepth
	}
	w, err := svc.newWalk(ctx, c, depth, 0, a)
	if err != nil {
		return nil, err
	}
	result := &RelatedResult{}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		start, err := w.start(r, from)
		if err != nil {
			return err
		}
		goal, err := workspace.LoadOwned(r, c, to)
		if err != nil {
			return err
		}
		if from == to {
			result.Memories = []*workspace.View{workspace.NewView(start, a, w.now)}
			return nil
		}
		back := map[graph.ID]EdgeView{} // edge through which each memory was reached
		memories := map[graph.ID]*graph.Memory{from: start}
		for level := []*graph.Memory{start}; len(level) > 0 && w.depth > 0; w.depth-- {
			var next []*graph.Memory
			for _, m := range level {
				found, edges, err := w.step(r, m)
				if err != nil {
					return err
				}
				for _, n := range found {
					memories[n.ID] = n
					for _, x := range edges {
						if x.From == n.ID || x.To == n.ID {
							back[n.ID] = x
							break
						}
					}
				}
				next = append(next, found...)
			}
			if memories[goal.ID] != nil {
				result.Memories, result.Edges = retrace(from, goal.ID, back, memories, a, w.now)
				return nil
			}
			level = next
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	svc.Verify(ctx, c.Scope(), result.Memories...)
	result.Truncated = w.full
	return result, nil
}

// retrace builds the path by following the edges from the goal to the start.
func retrace(from, to graph.ID, back map[graph.ID]EdgeView, memories map[graph.ID]*graph.Memory, a workspace.Access, now time.Time) (views []*workspace.View, edges []EdgeView) {
	for id := to; id != from; {
		x := back[id]
		views, edges = append(views, workspace.NewView(memories[id], a, now)), append(edges, x)
		if x.From == id {
			id = x.To
		} else {
			id = x.From
		}
	}
	views = append(views, workspace.NewView(memories[from], a, now))
	slices.Reverse(views)
	slices.Reverse(edges)
	return views, edges
}

// walk is a bounded breadth-first walk.
type walk struct {
	ctx    context.Context
	c      workspace.Caller
	a      workspace.Access
	now    time.Time
	depth  int
	budget int
	seen   map[graph.ID]bool
	full   bool
}

func (svc *Service) newWalk(ctx context.Context, c workspace.Caller, depth, budget int, a workspace.Access) (*walk, error) {
	if depth == 0 {
		depth = defaultDepth
	}
	if budget == 0 {
		budget = defaultBudget
	}
	if depth < 1 || depth > maxDepth {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "depth", "must be 1 to %d", maxDepth)
	}
	if budget < 1 || budget > defaultBudget {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "budget", "must be 1 to %d", defaultBudget)
	}
	return &walk{ctx: ctx, c: c, a: a, now: svc.Now(), depth: depth, budget: budget, seen: map[graph.ID]bool{}}, nil
}

func (w *walk) start(r graph.Reader, id graph.ID) (*graph.Memory, error) {
	m, err := workspace.LoadOwned(r, w.c, id)
	if err != nil {
		return nil, err
	}
	if workspace.Visible(m, w.c, w.a, w.now) == nil {
		return nil, workspace.NotFound(graph.ErrNotFound)
	}
	w.seen[id] = true
	return m, nil
}

// step returns the unseen neighbours of m and all edges of m.
func (w *walk) step(r graph.Reader, m *graph.Memory) ([]*graph.Memory, []EdgeView, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, nil, err
	}
	edges, err := edgesOf(r, m, graph.Both)
	if err != nil {
		return nil, nil, err
	}
	var ids []graph.ID
	for _, x := range edges {
		id := x.To
		if id == m.ID {
			id = x.From
		}
		if w.seen[id] {
			continue
		}
		if w.budget == 0 {
			w.full = true
			break
		}
		w.budget--
		w.seen[id] = true
		ids = append(ids, id)
	}
	found, err := r.Memories(ids)
	if err != nil {
		return nil, nil, err
	}
	found = slices.DeleteFunc(found, func(n *graph.Memory) bool {
		hidden := n == nil || n.Status() == graph.Forgotten || workspace.Visible(n, w.c, w.a, w.now) == nil
		if hidden && n != nil {
			delete(w.seen, n.ID)
		}
		return hidden
	})
	return found, edges, nil
}

// within removes duplicate edges and edges with an unseen end.
func (w *walk) within(edges []EdgeView) []EdgeView {
	once := map[EdgeView]bool{}
	return slices.DeleteFunc(edges, func(x EdgeView) bool {
		if once[x] || !w.seen[x.From] || !w.seen[x.To] {
			return true
		}
		once[x] = true
		return false
	})
}
