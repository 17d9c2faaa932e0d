package entities

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Limits of a walk over edges.
const (
	DefaultDepth  = 2    // steps
	MaxDepth      = 6    // steps
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

// RelatedInput asks for the memories around a memory.
type RelatedInput struct {
	ID     graph.ID
	Depth  int // steps, 1 to 6; 0: 2
	Budget int // maximum number of memories, 1 to 5,000; 0: 5,000
	// Predicates are the edges to follow: kinds of edges as in EdgeView, and predicates of relations
	// between entities, as written or as in the table of the reader. Empty: all kinds but RELATION.
	Predicates []string
	Access     workspace.Access
}

// Related walks the graph breadth first from a memory.
func (svc *Service) Related(ctx context.Context, c workspace.Caller, in RelatedInput) (*RelatedResult, error) {
	w, err := svc.newWalk(ctx, c, in)
	if err != nil {
		return nil, err
	}
	result := &RelatedResult{}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		start, err := w.start(r, in.ID, "id")
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
				result.Memories = append(result.Memories, workspace.NewView(m, in.Access, w.now))
				result.Paths = append(result.Paths, w.path(in.ID, m.ID))
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

// PathInput asks for a path between two memories.
type PathInput struct {
	From, To   graph.ID
	Depth      int      // maximum number of edges, 1 to 6; 0: 6
	Predicates []string // as in RelatedInput
	Access     workspace.Access
}

// Path returns a shortest path between two memories, both included. The result is empty if there
// is none.
func (svc *Service) Path(ctx context.Context, c workspace.Caller, in PathInput) (*RelatedResult, error) {
	w, err := svc.newWalk(ctx, c, RelatedInput{Depth: cmp.Or(in.Depth, MaxDepth), Predicates: in.Predicates, Access: in.Access})
	if err != nil {
		return nil, err
	}
	result := &RelatedResult{}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		start, err := w.start(r, in.From, "from")
		if err != nil {
			return err
		}
		goal, err := workspace.LoadNamed(r, c, in.To, in.Access, w.now, "to")
		if err != nil {
			return err
		}
		reached := map[graph.ID]*graph.Memory{in.From: start}
		for level := []*graph.Memory{start}; len(level) > 0 && w.depth > 0 && reached[goal.ID] == nil; w.depth-- {
			var next []*graph.Memory
			for _, m := range level {
				found, _, err := w.step(r, m)
				if err != nil {
					return err
				}
				for _, n := range found {
					reached[n.ID] = n
				}
				next = append(next, found...)
			}
			level = next
		}
		if reached[goal.ID] == nil {
			return nil
		}
		path := w.path(in.From, goal.ID)
		for _, id := range path.IDs {
			result.Memories = append(result.Memories, workspace.NewView(reached[id], in.Access, w.now))
		}
		result.Edges, result.Paths = path.Edges, []RelatedPath{path}
		return nil
	})
	if err != nil {
		return nil, err
	}
	svc.Verify(ctx, c.Scope(), result.Memories...)
	result.Truncated = w.full
	return result, nil
}

// walk is a bounded breadth-first walk.
type walk struct {
	ctx     context.Context
	c       workspace.Caller
	a       workspace.Access
	now     time.Time
	depth   int
	budget  int
	follows steps
	reached map[graph.ID]EdgeView // through which edge; the start through none
	full    bool
}

func (svc *Service) newWalk(ctx context.Context, c workspace.Caller, in RelatedInput) (*walk, error) {
	depth, budget := cmp.Or(in.Depth, DefaultDepth), cmp.Or(in.Budget, defaultBudget)
	if depth < 1 || depth > MaxDepth {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "depth", "must be 1 to %d", MaxDepth)
	}
	if budget < 1 || budget > defaultBudget {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "budget", "must be 1 to %d", defaultBudget)
	}
	follows, err := newSteps(in.Predicates)
	if err != nil {
		return nil, err
	}
	return &walk{ctx: ctx, c: c, a: in.Access, now: svc.Now(), depth: depth, budget: budget, follows: follows, reached: map[graph.ID]EdgeView{}}, nil
}

// start reads the memory from which the walk begins, which the argument field names.
func (w *walk) start(r graph.Reader, id graph.ID, field string) (*graph.Memory, error) {
	m, err := workspace.LoadNamed(r, w.c, id, w.a, w.now, field)
	if err != nil {
		return nil, err
	}
	w.reached[id] = EdgeView{}
	return m, nil
}

// step returns the neighbours of m that were not reached yet, and all edges of m.
func (w *walk) step(r graph.Reader, m *graph.Memory) ([]*graph.Memory, []EdgeView, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, nil, err
	}
	edges, err := w.edges(r, m)
	if err != nil {
		return nil, nil, err
	}
	through := map[graph.ID]EdgeView{}
	var ids []graph.ID
	for _, x := range edges {
		id := x.otherEnd(m.ID)
		_, seen := w.reached[id]
		if _, listed := through[id]; !seen && !listed {
			through[id] = x
			ids = append(ids, id)
		}
	}
	var next []*graph.Memory
	for part := range slices.Chunk(ids, graph.MaxPage) {
		found, err := graph.Undamaged(r, part)
		if err != nil {
			return nil, nil, err
		}
		for _, n := range found {
			if n == nil || n.Status() == graph.Forgotten || workspace.Visible(n, w.c, w.a, w.now) == nil {
				continue
			}
			if w.budget == 0 {
				w.full = true
				return next, edges, nil
			}
			w.budget--
			w.reached[n.ID] = through[n.ID]
			next = append(next, n)
		}
	}
	return next, edges, nil
}

// path returns the way on which the walk reached a memory.
func (w *walk) path(from, to graph.ID) RelatedPath {
	p := RelatedPath{IDs: []graph.ID{to}}
	for id := to; id != from; {
		x := w.reached[id]
		id = x.otherEnd(id)
		p.IDs, p.Edges = append(p.IDs, id), append(p.Edges, x)
	}
	slices.Reverse(p.IDs)
	slices.Reverse(p.Edges)
	return p
}

// within removes duplicate edges and edges with an end that was not reached.
func (w *walk) within(edges []EdgeView) []EdgeView {
	once := map[EdgeView]bool{}
	return slices.DeleteFunc(edges, func(x EdgeView) bool {
		_, from := w.reached[x.From]
		_, to := w.reached[x.To]
		if once[x] || !from || !to {
			return true
		}
		once[x] = true
		return false
	})
}
