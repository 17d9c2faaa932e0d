package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// listPageSize is how many nodes one page of a listing holds.
const listPageSize = 500

// load loads a tenant from its snapshot, or else from a listing of the store, and then applies
// the feed up to now.
func (t *tenant) load(ctx context.Context) error {
	from, restored := t.restoreSnapshot(ctx)
	if !restored {
		head, err := t.store.Head(ctx, t.scope)
		if err != nil {
			return fmt.Errorf("read the head of the feed: %w", err)
		}
		if err := t.listMemories(ctx); err != nil {
			return err
		}
		from = head // changes during the listing are applied again with the feed
	}
	if err := t.reloadMemories(ctx, t.missingVectors); err != nil {
		return err
	}
	t.missingVectors = nil
	t.advanceCursor(from, 0)
	return t.catchUp(ctx)
}

// reloadMemories loads memories from the store again.
func (t *tenant) reloadMemories(ctx context.Context, ids []graph.ID) error {
	for part := range slices.Chunk(ids, listPageSize) {
		b := &changeBatch{memories: part}
		if err := t.store.View(ctx, t.scope, b.read(t)); err != nil {
			return fmt.Errorf("reload memories: %w", err)
		}
		if err := t.applyBatch(b); err != nil {
			return err
		}
	}
	return nil
}

// listMemories reads every memory, entity and relation of the store.
func (t *tenant) listMemories(ctx context.Context) error {
	var after graph.ID
	for {
		var page []loadedMemory
		err := t.store.View(ctx, t.scope, func(r graph.Reader) error {
			ms, err := r.ListMemories(graph.MemoryQuery{After: after, Limit: listPageSize, Undamaged: true})
			if err != nil {
				return err
			}
			page = make([]loadedMemory, len(ms))
			for i, m := range ms {
				if page[i], err = t.readWithVector(r, m); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("list memories: %w", err)
		}
		if len(page) == 0 {
			break
		}
		ids := make([]graph.ID, len(page))
		for i := range page {
			ids[i] = page[i].memory.ID
		}
		t.writePrepared(ids, t.prepareAll(page))
		after = ids[len(ids)-1]
	}
	return t.listEntities(ctx)
}

// listEntities reads every entity with the relations that start at it.
func (t *tenant) listEntities(ctx context.Context) error {
	var after graph.ID
	for {
		var entities []*graph.Entity
		var relations []*graph.Relation
		err := t.store.View(ctx, t.scope, func(r graph.Reader) (err error) {
			relations = relations[:0]
			entities, err = r.ListEntities(graph.EntityQuery{After: after, Limit: listPageSize})
			if err != nil {
				return err
			}
			for _, e := range entities {
				for from := graph.ID(""); ; {
					rs, err := r.Relations(e.ID, graph.Out, from, graph.MaxPage)
					if err != nil {
						return err
					}
					relations = append(relations, rs...)
					if len(rs) < graph.MaxPage {
						break
					}
					from = rs[len(rs)-1].ID
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("list entities: %w", err)
		}
		if len(entities) == 0 {
			return nil
		}
		after = entities[len(entities)-1].ID
		for _, e := range entities {
			t.putEntity(t.preparers[0].analyser, e)
		}
		for _, r := range relations {
			t.entities.putRelation(newRelation(r))
		}
	}
}
