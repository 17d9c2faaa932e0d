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

// Relation is one relation and its batch.
type Relation struct {
	View  *engine.RelationView
	batch *relationBatch
}

// relationBatch is the relations of one read.
type relationBatch struct {
	src    Source
	caller engine.Caller
	access engine.Access
	views  []engine.RelationView
	cache  sync.Map
}

// Relations makes a batch of the relations and returns them in the same order. Their memories
// are read with the given access.
func Relations(src Source, c engine.Caller, a engine.Access, views []engine.RelationView) []Relation {
	b := &relationBatch{src: src, caller: c, access: a, views: views}
	list := make([]Relation, len(views))
	for i := range views {
		list[i] = Relation{View: &views[i], batch: b}
	}
	return list
}

// Entity returns the entity at either end of a relation; nil if it is not visible.
func (r Relation) Entity(ctx context.Context, id graph.ID) (*engine.EntityView, error) {
	b := r.batch
	found, err := loadOnce(&b.cache, "ends", func() (map[graph.ID]*engine.EntityView, error) {
		ends := map[graph.ID]bool{}
		for _, v := range b.views {
			ends[v.Source], ends[v.Target] = true, true
		}
		return entitiesByID(ctx, b.src, b.caller, slices.Sorted(maps.Keys(ends)))
	})
	return found[id], err
}

// Memories returns the memories that state the relation, at most first of them.
func (r Relation) Memories(ctx context.Context, first int) ([]Memory, error) {
	b := r.batch
	found, err := loadOnce(&b.cache, fmt.Sprint("memories ", first), func() (map[graph.ID]Memory, error) {
		wanted := map[graph.ID]bool{}
		for _, v := range b.views {
			for _, id := range v.Memories[:min(first, len(v.Memories))] {
				wanted[id] = true
			}
		}
		ids := slices.Sorted(maps.Keys(wanted))
		if len(ids) == 0 {
			return nil, nil
		}
		return memoriesByID(ctx, b.src, b.caller, ids, b.access)
	})
	return inOrder(r.View.Memories[:min(first, len(r.View.Memories))], found), err
}
