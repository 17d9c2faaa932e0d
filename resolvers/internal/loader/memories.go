// Package loader loads data that belongs to memories in batches: the dataloader pattern.
//
// If a query selects the entities of a hundred memories, the first field to be resolved loads
// them for the whole [Batch] with one call, and the others wait for it. Loaded memories form a
// batch again, so each level of nesting costs one call. Nested reads use the access of the
// outer read.
package loader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Source loads the data.
type Source interface {
	MemoriesByID(ctx context.Context, c engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error)
	EntitiesByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.EntityView, error)
	Edges(ctx context.Context, c engine.Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]engine.EdgeView, error)
	Contesting(ctx context.Context, c engine.Caller, views []*engine.View) ([][]*engine.View, error)
	Standings(ctx context.Context, c engine.Caller, views []*engine.View) ([]engine.Standing, error)
	ClustersByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.Cluster, error)
	ClustersOfMemories(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.Cluster, error)
	Patterns(ctx context.Context, c engine.Caller, in engine.PatternInput) (*engine.PatternPage, error)
	PatternsByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.Pattern, error)
}

// Memory is one memory and its batch. The zero value is no memory.
type Memory struct {
	View  *engine.View
	Batch *Batch
}

// Batch is the memories of one read. It is safe for concurrent use and lives as long as its
// request.
type Batch struct {
	src    Source
	caller engine.Caller
	views  []*engine.View
	cache  sync.Map
}

// Memories makes a batch of the views and returns its memories in the same order. A nil view
// becomes the zero Memory.
func Memories(src Source, c engine.Caller, views []*engine.View) []Memory {
	b := &Batch{src: src, caller: c}
	members := make([]Memory, len(views))
	for i, v := range views {
		if v != nil {
			b.views = append(b.views, v)
			members[i] = Memory{View: v, Batch: b}
		}
	}
	return members
}

// Supersedes is the previous version; the zero Memory if there is none.
func (m Memory) Supersedes(ctx context.Context) (Memory, error) {
	return m.Batch.loadOne(ctx, "supersedes", m.View, func(v *engine.View) graph.ID { return v.Memory.Supersedes })
}

// SupersededBy is the next version; the zero Memory if there is none.
func (m Memory) SupersededBy(ctx context.Context) (Memory, error) {
	return m.Batch.loadOne(ctx, "supersededBy", m.View, func(v *engine.View) graph.ID { return v.Memory.SupersededBy })
}

// ConsolidatedInto is the memory into which this one was merged; the zero Memory if there is
// none.
func (m Memory) ConsolidatedInto(ctx context.Context) (Memory, error) {
	return m.Batch.loadOne(ctx, "consolidatedInto", m.View, func(v *engine.View) graph.ID { return v.Memory.Consolidated })
}

// DerivedFrom returns the sources of the memory, at most first of them.
func (m Memory) DerivedFrom(ctx context.Context, first int) ([]Memory, error) {
	b := m.Batch
	return loadMany(ctx, b, fmt.Sprint("derivedFrom ", first), m.View, func(v *engine.View) ([]graph.ID, error) {
		if v.State.Status == graph.Forgotten {
			return nil, nil
		}
		edges, err := b.src.Edges(ctx, b.caller, v.ID, graph.Out, graph.DerivedFrom)
		switch {
		case err != nil && graph.CodeOf(err) == graph.CodeMemoryNotFound:
			return nil, nil // erased after the outer read
		case err != nil:
			return nil, err
		}
		ids := make([]graph.ID, min(first, len(edges)))
		for i := range ids {
			ids[i] = edges[i].To
		}
		return ids, nil
	}, b.loadMemories)
}

// Entities returns the entities that the memory mentions, at most first of them.
func (m Memory) Entities(ctx context.Context, first int) ([]*engine.EntityView, error) {
	b := m.Batch
	return loadMany(ctx, b, fmt.Sprint("entities ", first), m.View, func(v *engine.View) ([]graph.ID, error) {
		return v.Memory.Entities[:min(first, len(v.Memory.Entities))], nil
	}, b.loadEntities)
}

// Promotion returns the progress of the memory to the next tier.
func (m Memory) Promotion(ctx context.Context) (engine.Standing, error) {
	b := m.Batch
	all, err := loadOnce(&b.cache, "standing", func() (map[*engine.View]engine.Standing, error) {
		found, err := b.src.Standings(ctx, b.caller, b.views)
		if err != nil {
			return nil, err
		}
		byView := make(map[*engine.View]engine.Standing, len(found))
		for i, s := range found {
			byView[b.views[i]] = s
		}
		return byView, nil
	})
	return all[m.View], err
}

// ContestedBy returns the ACTIVE memories that contradict the memory, the strongest conflict
// first. Those of the whole batch form a new batch.
func (m Memory) ContestedBy(ctx context.Context) ([]Memory, error) {
	b := m.Batch
	all, err := loadOnce(&b.cache, "contestedBy", func() (map[*engine.View][]Memory, error) {
		found, err := b.src.Contesting(ctx, b.caller, b.views)
		if err != nil {
			return nil, err
		}
		members := Memories(b.src, b.caller, slices.Concat(found...))
		byView := make(map[*engine.View][]Memory, len(found))
		for i, some := range found {
			byView[b.views[i]], members = members[:len(some)], members[len(some):]
		}
		return byView, nil
	})
	return all[m.View], err
}

// loadOne loads the memory to which each memory of the batch points, and returns the one of v.
func (b *Batch) loadOne(ctx context.Context, key string, v *engine.View, point func(*engine.View) graph.ID) (Memory, error) {
	found, err := loadMany(ctx, b, key, v, func(v *engine.View) ([]graph.ID, error) {
		if id := point(v); id != "" {
			return []graph.ID{id}, nil
		}
		return nil, nil
	}, b.loadMemories)
	if err != nil || len(found) == 0 {
		return Memory{}, err
	}
	return found[0], nil
}

// loadMany loads everything to which the memories of the batch point, each item once, and
// returns the items of v in order. Missing or hidden items are omitted.
func loadMany[T any](ctx context.Context, b *Batch, key string, v *engine.View, point func(*engine.View) ([]graph.ID, error), load func(context.Context, []graph.ID) (map[graph.ID]T, error)) ([]T, error) {
	type loaded struct {
		points map[graph.ID][]graph.ID
		found  map[graph.ID]T
	}
	l, err := loadOnce(&b.cache, key, func() (loaded, error) {
		l := loaded{points: make(map[graph.ID][]graph.ID, len(b.views))}
		wanted := map[graph.ID]bool{}
		for _, v := range b.views {
			ids, err := point(v)
			if err != nil {
				return l, err
			}
			l.points[v.ID] = ids
			for _, id := range ids {
				wanted[id] = true
			}
		}
		if len(wanted) == 0 {
			return l, nil
		}
		var err error
		l.found, err = load(ctx, slices.Sorted(maps.Keys(wanted)))
		return l, err
	})
	if err != nil {
		return nil, err
	}
	return inOrder(l.points[v.ID], l.found), nil
}

// loadMemories loads memories with the access of the batch. They form a new batch.
func (b *Batch) loadMemories(ctx context.Context, ids []graph.ID) (map[graph.ID]Memory, error) {
	return memoriesByID(ctx, b.src, b.caller, ids, b.views[0].Access)
}

func (b *Batch) loadEntities(ctx context.Context, ids []graph.ID) (map[graph.ID]*engine.EntityView, error) {
	return entitiesByID(ctx, b.src, b.caller, ids)
}

// memoriesByID loads memories, which form a batch. Missing or hidden ones are omitted.
func memoriesByID(ctx context.Context, src Source, c engine.Caller, ids []graph.ID, a engine.Access) (map[graph.ID]Memory, error) {
	views, err := src.MemoriesByID(ctx, c, ids, a)
	if err != nil {
		return nil, err
	}
	found := make(map[graph.ID]Memory, len(ids))
	for i, m := range Memories(src, c, views) {
		if m.View != nil {
			found[ids[i]] = m
		}
	}
	return found, nil
}

// entitiesByID loads entities. Missing or hidden ones are omitted.
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

// inOrder returns the items of the ids that were found.
func inOrder[T any](ids []graph.ID, found map[graph.ID]T) []T {
	var items []T
	for _, id := range ids {
		if item, ok := found[id]; ok {
			items = append(items, item)
		}
	}
	return items
}

// sorted returns the ids of a set in their order.
func sorted(set map[graph.ID]bool) []graph.ID { return slices.Sorted(maps.Keys(set)) }

// loadOnce runs fn for the first caller with the key; other callers wait for its result. The
// cache holds a function by key.
func loadOnce[T any](cache *sync.Map, key string, fn func() (T, error)) (T, error) {
	once, _ := cache.LoadOrStore(key, sync.OnceValues(fn))
	return once.(func() (T, error))()
}
