package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// contextTasks is the largest number of open tasks in a context.
const contextTasks = 10

// todo is an open task with what its order depends on.
type todo struct {
	view     *workspace.View
	due      time.Time  // zero: unknown
	blockers []graph.ID // open tasks that it has to wait for
}

// todos returns the open tasks that fit, first things first: those that wait for none before
// those that do, the due ones by their date, then by priority, newest first.
func (svc *Service) todos(ctx context.Context, c workspace.Caller, t *tenant, at time.Time, access workspace.Access, fits func(*index.Doc) bool) ([]todo, error) {
	open, err := svc.sessions.OpenTasks(ctx, c, t.Tenant, at)
	if err != nil {
		return nil, err
	}
	var ids []graph.ID
	due := map[graph.ID]time.Time{}
	for _, x := range open {
		if fits(x.Doc) {
			ids = append(ids, x.Doc.ID)
			due[x.Doc.ID] = x.Due
		}
	}
	views, err := svc.MemoriesByID(ctx, c, ids, access)
	if err != nil {
		return nil, err
	}
	var all []todo
	for _, v := range views {
		if v != nil && v.Unavailable == nil && v.State.Status == graph.Active {
			all = append(all, todo{v, due[v.ID], workspace.Blockers(v.ID, v.Namespace, v.User, v.Project, v.Content, open)})
		}
	}
	slices.SortFunc(all, func(a, b todo) int {
		if a, b := len(a.blockers) > 0, len(b.blockers) > 0; a != b {
			if b {
				return -1
			}
			return 1
		}
		if a, b := a.due.IsZero(), b.due.IsZero(); a != b {
			if b {
				return -1
			}
			return 1
		}
		priority := func(x todo) int { return slices.Index(graph.Priorities, x.view.Priority) }
		return cmp.Or(a.due.Compare(b.due), cmp.Compare(priority(b), priority(a)), cmp.Compare(b.view.ID, a.view.ID))
	})
	return all, nil
}

// lead puts the open tasks among the hits of a MANAGER search first, in their order. Without a
// question, those that pass the filters are among the hits, at most as many as half of them.
func (q *query) lead(ranked []scored, tasks []todo) []scored {
	from := ranked
	if q.in.Query == "" {
		from = q.kept
	}
	var first []scored
	for _, x := range tasks {
		i := slices.IndexFunc(from, func(s scored) bool { return s.Doc.ID == x.view.ID })
		if i >= 0 && (q.in.Query != "" || len(first) < (q.in.TopK+1)/2) {
			first = append(first, from[i])
		}
	}
	rest := slices.DeleteFunc(slices.Clone(ranked), func(s scored) bool {
		return slices.ContainsFunc(first, func(f scored) bool { return f.Doc.ID == s.Doc.ID })
	})
	all := append(first, rest...)
	return all[:min(q.in.TopK, len(all))]
}

// todos returns the items of the open tasks of the owner, of the project if one is given, or of no
// project. They are in no other layer.
func (g *gathering) todos(ctx context.Context) ([]prompt.Item, error) {
	spaces, err := g.c.AllowedNamespaces(g.in.Namespaces)
	if err != nil {
		return nil, err
	}
	at := g.in.Access.Instant(g.t.Now())
	all, err := g.svc.todos(ctx, g.c, g.t, at, g.in.Access, func(d *index.Doc) bool {
		return workspace.SameOwner(g.owner(), d.User) && (len(spaces) == 0 || slices.Contains(spaces, d.Namespace)) &&
			(g.in.Project == "" || d.Project == "" || d.Project == g.in.Project)
	})
	if err != nil {
		return nil, err
	}
	var items []prompt.Item
	for _, x := range all[:min(contextTasks, len(all))] {
		g.taken[x.view.ID] = true
		g.tasks = append(g.tasks, x.view)
		item := g.item(x.view, 0, "an open task")
		item.Mark = "open task"
		if !x.due.IsZero() {
			if item.Mark += ", due "; x.due.Before(at) {
				item.Mark = "open task, was due "
			}
			item.Mark += dueText(x.due)
		}
		if len(x.blockers) > 0 {
			item.Mark += ", waits for another one"
		}
		items = append(items, item)
	}
	return items, nil
}

// dueText is a day, or a minute for an instant that is not the end of a day.
func dueText(due time.Time) string {
	if end := due.Add(time.Millisecond); end.Equal(end.Truncate(24 * time.Hour)) {
		return due.Format(time.DateOnly)
	}
	return due.Format("2006-01-02 15:04")
}
