package entities

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// relationPage is the number of relations that one read of the store lists.
const relationPage = 500

// Relations lists relations as of an instant, by ascending id, with their weights, and reports
// whether there are more. A relation is listed if the caller sees its two ends and the read sees a
// memory that states it. Its ValidTo is the last end of these memories, if all have ended.
func (svc *Service) Relations(ctx context.Context, c workspace.Caller, in RelationInput) ([]RelationView, bool, error) {
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, false, err
	}
	q, err := svc.newRelationQuery(ctx, c, in)
	if err != nil {
		return nil, false, err
	}
	var views []RelationView
	more := false
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		views, more = nil, false
		if err := q.checkEntity(r); err != nil {
			return err
		}
		shares := weights{}
		now := in.Access.Instant(svc.Now())
		for after := in.After; !more; {
			page, err := q.page(r, after)
			if err != nil || len(page) == 0 {
				return err
			}
			after = page[len(page)-1].ID
			for _, rel := range page {
				read, err := q.fits(r, rel)
				if err != nil {
					return err
				}
				if read == nil {
					continue
				}
				if len(views) == first {
					more = true
					break
				}
				weight, err := shares.of(r, rel, now)
				if err != nil {
					return err
				}
				read.Strength, read.StrengthAt = network.Strength(rel, now), now
				views = append(views, RelationView{Relation: read, Weight: weight})
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return views, more, err
}

// relationQuery is a validated RelationInput.
type relationQuery struct {
	svc        *Service
	c          workspace.Caller
	t          *workspace.Tenant
	in         RelationInput
	namespaces []string // empty: all
	users      []string // nil: all
	follows    steps
}

func (svc *Service) newRelationQuery(ctx context.Context, c workspace.Caller, in RelationInput) (*relationQuery, error) {
	q := &relationQuery{svc: svc, c: c, in: in}
	var err error
	if in.Entity != "" && !in.Entity.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "entity", "must be a UUID")
	}
	if err = graph.ValidateAfter(in.After); err != nil {
		return nil, err
	}
	if q.namespaces, err = c.AllowedNamespaces(in.Namespaces); err != nil {
		return nil, err
	}
	if _, err = c.AllowedUsers(in.User); err != nil {
		return nil, err
	}
	if in.User != "" {
		q.users = workspace.Owners(c.Reads(in.User))
	}
	if q.follows, err = newSteps(in.Predicates); err != nil {
		return nil, err
	}
	if len(q.follows.kinds) > 0 && len(in.Predicates) > 0 {
		at := slices.IndexFunc(in.Predicates, func(p string) bool { return slices.Contains(edgeKinds, p) })
		return nil, graph.FieldError(graph.CodeInvalidRequest, fmt.Sprintf("predicates[%d]", at), "is a kind of edge between memories, not the predicate of a relation")
	}
	if q.t, err = svc.Tenant(ctx, c.Scope()); err != nil {
		return nil, err
	}
	if in.Entity == "" {
		return q, q.t.Current(ctx) // the index lists them
	}
	return q, nil
}

// sees reports whether the query asks about an entity.
func (q *relationQuery) sees(x *graph.Entity) bool {
	return (len(q.namespaces) == 0 || slices.Contains(q.namespaces, x.Namespace)) &&
		(q.users == nil || slices.Contains(q.users, x.User))
}

// checkEntity returns MEMORY_NOT_FOUND if the entity is unknown or hidden.
func (q *relationQuery) checkEntity(r graph.Reader) error {
	if q.in.Entity == "" {
		return nil
	}
	_, err := r.Entity(q.in.Entity)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	if err != nil {
		return graph.FieldError(graph.CodeMemoryNotFound, "entity", "no entity has this id")
	}
	return nil
}

// page lists relations after the id, before they are filtered; none: there are no more.
func (q *relationQuery) page(r graph.Reader, after graph.ID) ([]*graph.Relation, error) {
	if q.in.Entity != "" {
		return r.Relations(q.in.Entity, q.in.Direction, after, relationPage)
	}
	for {
		ids := q.svc.Index.Relations(q.t.Scope, q.sees, after, relationPage)
		if len(ids) == 0 {
			return nil, nil
		}
		if ahead, ok := r.(graph.Expecter); ok {
			if err := ahead.Expect(graph.Expected{Relations: ids}); err != nil {
				return nil, err
			}
		}
		var page []*graph.Relation
		for _, id := range ids {
			rel, err := r.RelationByID(id)
			if known, err := graph.Found(err); err != nil {
				return nil, err
			} else if known {
				page = append(page, rel)
			}
		}
		if len(page) > 0 {
			return page, nil
		}
		after = ids[len(ids)-1] // all were deleted after the index listed them
	}
}

// fits returns a relation as the read sees it; nil: the query does not select it.
func (q *relationQuery) fits(r graph.Reader, rel *graph.Relation) (*graph.Relation, error) {
	if len(q.in.Predicates) > 0 && !q.follows.follows(rel.Predicate) {
		return nil, nil
	}
	for _, id := range [...]graph.ID{rel.Source, rel.Target} {
		x, err := r.Entity(id)
		if known, err := graph.Found(err); !known {
			return nil, err
		}
		if !q.sees(x) {
			return nil, nil
		}
	}
	return asRead(r, rel, q.c, q.in.Access, q.svc.Now())
}
