package kin

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Relation is one relation and those it was read with.
type Relation struct {
	View  *engine.RelationView
	group *relations
}

// relations is the relations that one read brought up.
type relations struct {
	src    Source
	caller engine.Caller
	access engine.Access
	views  []engine.RelationView
	loads  loads
}

// Relations makes the group of the relations, in their order. The memories that hang
// on them are read under the access.
func Relations(src Source, c engine.Caller, a engine.Access, views []engine.RelationView) []Relation {
	g := &relations{src: src, caller: c, access: a, views: views}
	list := make([]Relation, len(views))
	for i := range views {
		list[i] = Relation{View: &views[i], group: g}
	}
	return list
}

// Entity is an entity at either end of the relations, nil where it may not be seen.
func (r Relation) Entity(ctx context.Context, id graph.ID) (*engine.EntityView, error) {
	g := r.group
	found, err := once(&g.loads, "ends", func() (map[graph.ID]*engine.EntityView, error) {
		ends := map[graph.ID]bool{}
		for _, v := range g.views {
			ends[v.Source], ends[v.Target] = true, true
		}
		return entitiesByID(ctx, g.src, g.caller, slices.Sorted(maps.Keys(ends)))
	})
	return found[id], err
}

// Memories is the memories that say so, at most first of them.
func (r Relation) Memories(ctx context.Context, first int) ([]Member, error) {
	g := r.group
	found, err := once(&g.loads, fmt.Sprint("memories ", first), func() (map[graph.ID]Member, error) {
		wanted := map[graph.ID]bool{}
		for _, v := range g.views {
			for _, id := range v.Memories[:min(first, len(v.Memories))] {
				wanted[id] = true
			}
		}
		ids := slices.Sorted(maps.Keys(wanted))
		if len(ids) == 0 {
			return nil, nil
		}
		views, err := g.src.MemoriesByID(ctx, g.caller, ids, g.access)
		if err != nil {
			return nil, err
		}
		found := make(map[graph.ID]Member, len(ids))
		for i, m := range New(g.src, g.caller, views) {
			if m.View != nil {
				found[ids[i]] = m
			}
		}
		return found, nil
	})
	if err != nil {
		return nil, err
	}
	var answer []Member
	for _, id := range r.View.Memories[:min(first, len(r.View.Memories))] {
		if m, ok := found[id]; ok {
			answer = append(answer, m)
		}
	}
	return answer, nil
}
