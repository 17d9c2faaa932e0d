package workspace

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// mentioning returns a ListMemories that reads only the memories that mention the entity. The
// index provides their ids, which avoids a scan of all memories.
func (ws *Space) mentioning(ctx context.Context, c Caller, entity graph.ID) (func(graph.Reader, graph.MemoryQuery) ([]*graph.Memory, error), error) {
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	var ids []graph.ID
	ws.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if slices.Contains(d.Entities, entity) {
			ids = append(ids, d.ID)
		}
		return true
	})
	return func(r graph.Reader, q graph.MemoryQuery) ([]*graph.Memory, error) {
		rest := slices.Clone(ids)
		if q.Descending {
			slices.Reverse(rest)
		}
		if q.After != "" {
			rest = slices.DeleteFunc(rest, func(id graph.ID) bool { return id == q.After || id < q.After != q.Descending })
		}
		all, err := graph.Undamaged(r, rest)
		if err != nil {
			return nil, err
		}
		found := slices.DeleteFunc(all, func(m *graph.Memory) bool { return m == nil || !selects(q, m) })
		return found[:min(q.Limit, len(found))], nil
	}, nil
}

// selects reports whether the query matches the memory, without regard to paging.
func selects(q graph.MemoryQuery, m *graph.Memory) bool {
	return among(q.Namespaces, m.Namespace) && among(q.Users, m.User) && among(q.Types, m.Type) && among(q.Statuses, m.Status()) &&
		(q.Session == "" || q.Session == m.Session) && (q.Project == "" || q.Project == m.Project) && (q.Subject == "" || q.Subject == m.Subject) &&
		!slices.ContainsFunc(q.Tags, func(tag string) bool { return !slices.Contains(m.Tags, tag) })
}

// among reports whether x is in the list. An empty list contains everything.
func among[T comparable](list []T, x T) bool { return len(list) == 0 || slices.Contains(list, x) }
