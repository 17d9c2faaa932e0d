package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Limits of what a MANAGER search says of the state of the work.
const (
	managerTurns     = 10
	managerTasks     = 20
	managerDecisions = 10
	decisionsRead    = 500 // newest memories in which decisions are looked for
	decisionsFor     = 90 * 24 * time.Hour
)

// Manager is the state of the work, for resuming it.
type Manager struct {
	Working   []*workspace.View // turns that are still in L0 and other WORKING memories, oldest first
	Tasks     []*workspace.View // open tasks: those that wait for none first, the due ones by date, then by priority, newest first
	BlockedBy [][]graph.ID      // for each of Tasks the open tasks that it has to wait for
	Decisions []*workspace.View // decisions of the last 90 days, newest first
}

// manager returns the state of the work within the filters of a search. The session limits the
// working memories only.
func (svc *Service) manager(ctx context.Context, c workspace.Caller, q *query, tasks []todo) (*Manager, error) {
	var working, recent []*index.Doc
	svc.Index.Docs(q.t.Scope, func(d *index.Doc) bool {
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(q.at, d.RecordedAt))
		f := &q.ask.Filter
		switch {
		case !known || s.Status != graph.Active, !q.filters(d):
		case s.Tier == graph.L0 || d.Type == graph.Working:
			if f.Session == "" || d.Session == f.Session {
				working = append(working, d)
			}
		case d.Type != graph.Document && d.SourceKind != graph.FromConsolidation && q.at.Sub(d.OccurredAt) <= decisionsFor:
			recent = append(recent, d)
		}
		return true
	})
	m := &Manager{}
	noTask := func(m *graph.Memory) bool { return !lifecycle.IsTask(m) }
	var err error
	if m.Working, err = svc.newest(ctx, c, q, working, managerTurns, noTask); err != nil {
		return nil, err
	}
	slices.Reverse(m.Working)
	for _, x := range tasks[:min(managerTasks, len(tasks))] {
		m.Tasks, m.BlockedBy = append(m.Tasks, x.view), append(m.BlockedBy, x.blockers)
	}
	m.Decisions, err = svc.newest(ctx, c, q, recent, managerDecisions, func(m *graph.Memory) bool { return distil.Decided(m.Content) })
	return m, err
}

// filters reports whether a memory is of the namespaces, users, project and consents of a search.
func (q *query) filters(d *index.Doc) bool {
	f := &q.ask.Filter
	return (len(f.Namespaces) == 0 || slices.Contains(f.Namespaces, d.Namespace)) && (f.Users == nil || slices.Contains(f.Users, d.User)) &&
		(f.Project == "" || d.Project == f.Project) && (f.Consents == nil || slices.Contains(f.Consents, d.Consent))
}

// newest returns at most n memories of docs that fit, newest first.
func (svc *Service) newest(ctx context.Context, c workspace.Caller, q *query, docs []*index.Doc, n int, fits func(*graph.Memory) bool) ([]*workspace.View, error) {
	slices.SortFunc(docs, func(a, b *index.Doc) int {
		return cmp.Or(b.OccurredAt.Compare(a.OccurredAt), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]graph.ID, min(len(docs), decisionsRead))
	for i := range ids {
		ids[i] = docs[i].ID
	}
	views, err := svc.MemoriesByID(ctx, c, ids, q.in.Access)
	if err != nil {
		return nil, err
	}
	views = slices.DeleteFunc(views, func(v *workspace.View) bool {
		return v == nil || v.Unavailable != nil || v.State.Status != graph.Active || !fits(v.Memory)
	})
	return views[:min(n, len(views))], nil
}
