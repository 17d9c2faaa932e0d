package workspace

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// Memories lists matching memories, by ascending id (descending on request).
func (ws *Space) Memories(ctx context.Context, c Caller, in ListInput) (*ListResult, error) {
	first, err := PageSize("first", in.First, 50)
	if err != nil {
		return nil, err
	}
	if in.After != "" && !in.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "is not a cursor of this list")
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, err
	}
	users, err := c.AllowedUsers(in.User)
	if err != nil {
		return nil, err
	}
	if in.Entity != "" && !in.Entity.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "entity", "must be a UUID")
	}
	statuses := in.Statuses
	if len(statuses) == 0 {
		statuses = []graph.Status{graph.Active}
		if !in.Access.AsOf.Valid.IsZero() {
			// The versions of a chain have disjoint intervals of valid time.
			statuses = append(statuses, graph.Superseded)
		}
	}
	q := graph.MemoryQuery{
		Undamaged:  true,
		Namespaces: spaces, Users: users, Session: in.Session, Project: in.Project, Subject: extract.Canonical(in.Subject),
		Types: in.Types, Tags: in.Tags, After: in.After, Descending: in.Descending, Limit: graph.MaxPage,
	}
	if in.Access.AsOf.IsZero() && !slices.Contains(statuses, graph.Expired) {
		// The stored status is the present one; expired times to live are checked below.
		q.Statuses = statuses
	}
	now := ws.Now()
	list := graph.Reader.ListMemories
	if in.Entity != "" {
		if list, err = ws.mentioning(ctx, c, in.Entity); err != nil {
			return nil, err
		}
	}
	result := &ListResult{}
	err = ws.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		for {
			part, err := list(r, q)
			if err != nil {
				return err
			}
			for _, m := range part {
				q.After = m.ID
				v := Visible(m, c, in.Access, now)
				if v == nil || !slices.Contains(statuses, v.State.Status) {
					continue
				}
				if len(result.Memories) == first {
					result.More = true
					return nil
				}
				result.Memories = append(result.Memories, v)
			}
			if len(part) < graph.MaxPage {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	})
	ws.Verify(ctx, c.Scope(), result.Memories...)
	return result, err
}
