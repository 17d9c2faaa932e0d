package entities

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Entities lists entities by ascending id and reports whether there are more.
func (svc *Service) Entities(ctx context.Context, c workspace.Caller, in EntityInput) ([]EntityView, bool, error) {
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, false, err
	}
	users, err := c.AllowedUsers(in.User)
	if err != nil {
		return nil, false, err
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, false, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, false, err
	}
	var found []*graph.Entity
	q := graph.EntityQuery{Namespaces: spaces, Users: users, Types: in.Types, NamePrefix: extract.Canonical(in.Name), After: in.After}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		for len(found) <= first { // one more than asked for tells whether there are more
			q.Limit = min(first+1-len(found), graph.MaxPage)
			part, err := r.ListEntities(q)
			if found = append(found, part...); err != nil || len(part) < q.Limit {
				return err
			}
			q.After = part[len(part)-1].ID
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	more := len(found) > first
	views := make([]EntityView, min(first, len(found)))
	for i := range views {
		views[i] = svc.entityView(c, found[i])
	}
	return views, more, nil
}

// EntitiesByID returns entities in the order of ids. A missing or hidden entity is nil.
func (svc *Service) EntitiesByID(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*EntityView, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	// The index counts the mentions.
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	views := make([]*EntityView, len(ids))
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		for i, id := range ids {
			x, err := r.Entity(id)
			if errors.Is(err, graph.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			v := svc.entityView(c, x)
			views[i] = &v
		}
		return nil
	})
	return views, err
}

func (svc *Service) entityView(c workspace.Caller, x *graph.Entity) EntityView {
	n, _, last := svc.Index.Mentions(c.Scope(), x.ID)
	if last.IsZero() {
		last = x.FirstSeen
	}
	return EntityView{Entity: x, MentionCount: n, LastSeen: last}
}

// holds reports whether a relation was true at the valid instant. The zero time matches every
// relation.
func holds(r *graph.Relation, valid time.Time) bool {
	return valid.IsZero() || !r.ValidFrom.After(valid) && (r.ValidTo.IsZero() || r.ValidTo.After(valid))
}

// weights caches, for each source, the share of each relation in the total strength of the
// source's outgoing relations.
type weights map[graph.ID]map[graph.ID]float64

func (w weights) of(r graph.Reader, rel *graph.Relation, now time.Time) (float64, error) {
	if w[rel.Source] == nil {
		all, err := r.Relations(rel.Source, graph.Out, "", graph.MaxPage)
		if err != nil {
			return 0, err
		}
		w[rel.Source] = make(map[graph.ID]float64, len(all))
		for i, share := range network.Weights(all, now) {
			w[rel.Source][all[i].ID] = share
		}
	}
	return w[rel.Source][rel.ID], nil
}
