// Package kin loads what hangs on memories for all memories of one read at once.
//
// A list of a hundred memories whose entities are asked for costs one call, not a
// hundred: the first that is asked loads for its whole [Group], the others wait. What
// was loaded so forms a group again, so that each level of nesting costs one call.
// Nested reads obey the access of the read that they hang on.
package kin

import (
	"context"
	"fmt"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Source is where kin are loaded from.
type Source interface {
	MemoriesByID(ctx context.Context, c engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error)
	EntitiesByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.EntityView, error)
	Edges(ctx context.Context, c engine.Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]engine.EdgeView, error)
	Standings(ctx context.Context, c engine.Caller, views []*engine.View) ([]engine.Standing, error)
}

// Member is one memory and the group it was read with. The zero Member is no memory.
type Member struct {
	View  *engine.View
	Group *Group
}

// Group is the memories that one read brought up. It is safe for concurrent use and
// lives no longer than its request.
type Group struct {
	src    Source
	caller engine.Caller
	views  []*engine.View
	loads  loads
}

// New makes the group of the views, in their order; a nil view is a Member without a
// memory.
func New(src Source, c engine.Caller, views []*engine.View) []Member {
	g := &Group{src: src, caller: c}
	members := make([]Member, len(views))
	for i, v := range views {
		if v != nil {
			g.views = append(g.views, v)
			members[i] = Member{View: v, Group: g}
		}
	}
	return members
}

// Supersedes is the version before, or no memory.
func (m Member) Supersedes(ctx context.Context) (Member, error) {
	return m.Group.one(ctx, "supersedes", m.View, func(v *engine.View) graph.ID { return v.Memory.Supersedes })
}

// SupersededBy is the version behind, or no memory.
func (m Member) SupersededBy(ctx context.Context) (Member, error) {
	return m.Group.one(ctx, "supersededBy", m.View, func(v *engine.View) graph.ID { return v.Memory.SupersededBy })
}

// ConsolidatedInto is the memory that this one was folded into, or no memory.
func (m Member) ConsolidatedInto(ctx context.Context) (Member, error) {
	return m.Group.one(ctx, "consolidatedInto", m.View, func(v *engine.View) graph.ID { return v.Memory.Consolidated })
}

// DerivedFrom is the sources of the memory, at most first of them.
func (m Member) DerivedFrom(ctx context.Context, first int) ([]Member, error) {
	g := m.Group
	return many(ctx, g, fmt.Sprint("derivedFrom ", first), m.View, func(v *engine.View) ([]graph.ID, error) {
		if v.State.Status == graph.Forgotten {
			return nil, nil
		}
		edges, err := g.src.Edges(ctx, g.caller, v.ID, graph.Out, graph.DerivedFrom)
		switch {
		case err != nil && graph.CodeOf(err) == graph.CodeMemoryNotFound:
			return nil, nil // erased since it was read
		case err != nil:
			return nil, err
		}
		ids := make([]graph.ID, min(first, len(edges)))
		for i := range ids {
			ids[i] = edges[i].To
		}
		return ids, nil
	}, g.members)
}

// Entities is the entities that the memory mentions, at most first of them.
func (m Member) Entities(ctx context.Context, first int) ([]*engine.EntityView, error) {
	g := m.Group
	return many(ctx, g, fmt.Sprint("entities ", first), m.View, func(v *engine.View) ([]graph.ID, error) {
		return v.Memory.Entities[:min(first, len(v.Memory.Entities))], nil
	}, g.entities)
}

// Standing is how far the memory is on its way to the next tier.
func (m Member) Standing(ctx context.Context) (engine.Standing, error) {
	g := m.Group
	all, err := once(&g.loads, "standing", func() (map[*engine.View]engine.Standing, error) {
		found, err := g.src.Standings(ctx, g.caller, g.views)
		if err != nil {
			return nil, err
		}
		byView := make(map[*engine.View]engine.Standing, len(found))
		for i, s := range found {
			byView[g.views[i]] = s
		}
		return byView, nil
	})
	return all[m.View], err
}

// one loads the memory that each of the group points at, and answers that of v.
func (g *Group) one(ctx context.Context, key string, v *engine.View, point func(*engine.View) graph.ID) (Member, error) {
	found, err := many(ctx, g, key, v, func(v *engine.View) ([]graph.ID, error) {
		if id := point(v); id != "" {
			return []graph.ID{id}, nil
		}
		return nil, nil
	}, g.members)
	if err != nil || len(found) == 0 {
		return Member{}, err
	}
	return found[0], nil
}

// many loads what each of the group points at, each thing once, and answers that of v
// in order. What is missing or hidden is left out.
func many[T any](ctx context.Context, g *Group, key string, v *engine.View, point func(*engine.View) ([]graph.ID, error), load func(context.Context, []graph.ID) (map[graph.ID]T, error)) ([]T, error) {
	type loaded struct {
		points map[graph.ID][]graph.ID
		found  map[graph.ID]T
	}
	l, err := once(&g.loads, key, func() (loaded, error) {
		l := loaded{points: make(map[graph.ID][]graph.ID, len(g.views))}
		var wanted []graph.ID
		seen := map[graph.ID]bool{}
		for _, v := range g.views {
			ids, err := point(v)
			if err != nil {
				return l, err
			}
			l.points[v.ID] = ids
			for _, id := range ids {
				if !seen[id] {
					seen[id] = true
					wanted = append(wanted, id)
				}
			}
		}
		if len(wanted) == 0 {
			return l, nil
		}
		var err error
		l.found, err = load(ctx, wanted)
		return l, err
	})
	if err != nil {
		return nil, err
	}
	var answer []T
	for _, id := range l.points[v.ID] {
		if t, ok := l.found[id]; ok {
			answer = append(answer, t)
		}
	}
	return answer, nil
}

// members loads memories under the access of the group; together they are a group again.
func (g *Group) members(ctx context.Context, ids []graph.ID) (map[graph.ID]Member, error) {
	views, err := g.src.MemoriesByID(ctx, g.caller, ids, g.views[0].Access)
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
}

func (g *Group) entities(ctx context.Context, ids []graph.ID) (map[graph.ID]*engine.EntityView, error) {
	return entitiesByID(ctx, g.src, g.caller, ids)
}

func entitiesByID(ctx context.Context, src Source, c engine.Caller, ids []graph.ID) (map[graph.ID]*engine.EntityView, error) {
	views, err := src.EntitiesByID(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[graph.ID]*engine.EntityView, len(ids))
	for i, v := range views {
		if v != nil {
			found[ids[i]] = v
		}
	}
	return found, nil
}

// loads remembers what was loaded under a key.
type loads struct {
	mu    sync.Mutex
	byKey map[string]*load
}

type load struct {
	once  sync.Once
	value any
	err   error
}

// once runs fn for the first that asks for the key; the others wait for its answer.
func once[T any](l *loads, key string, fn func() (T, error)) (T, error) {
	l.mu.Lock()
	if l.byKey == nil {
		l.byKey = map[string]*load{}
	}
	one := l.byKey[key]
	if one == nil {
		one = &load{}
		l.byKey[key] = one
	}
	l.mu.Unlock()
	one.once.Do(func() { one.value, one.err = fn() })
	value, _ := one.value.(T)
	return value, one.err
}
