package loader

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Pattern is one pattern, with the memory that holds it, and its batch. The zero value is no
// pattern.
type Pattern struct {
	View *engine.Pattern
	Memory
	batch *patternBatch
}

// patternBatch is the patterns of one read. It is safe for concurrent use and lives as long as its
// request.
type patternBatch struct {
	src    Source
	caller engine.Caller
	views  []*engine.Pattern
	cache  sync.Map
}

// Patterns makes a batch of the views and returns its patterns in the same order. Their memories
// form a batch too. A nil view becomes the zero Pattern.
func Patterns(src Source, c engine.Caller, views []*engine.Pattern) []Pattern {
	b := &patternBatch{src: src, caller: c}
	holders := make([]*engine.View, len(views))
	for i, v := range views {
		if v != nil {
			b.views = append(b.views, v)
			holders[i] = v.View
		}
	}
	all := make([]Pattern, len(views))
	for i, m := range Memories(src, c, holders) {
		if views[i] != nil {
			all[i] = Pattern{View: views[i], Memory: m, batch: b}
		}
	}
	return all
}

// Clusters returns the clusters that the pattern was drawn from, as they are now. Those that are not
// visible are omitted.
func (p Pattern) Clusters(ctx context.Context) ([]Cluster, error) {
	b := p.batch
	found, err := loadOnce(&b.cache, "clusters", func() (map[graph.ID]Cluster, error) {
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			for _, id := range v.Memory.Pattern.Clusters {
				ids[id] = true
			}
		}
		if len(ids) == 0 {
			return nil, nil
		}
		return clustersByID(ctx, b.src, b.caller, sorted(ids))
	})
	return inOrder(p.View.Memory.Pattern.Clusters, found), err
}

// Conflicts returns the patterns that the pattern contradicts. Those of the whole batch form a new
// batch.
func (p Pattern) Conflicts(ctx context.Context) ([]Pattern, error) {
	b := p.batch
	found, err := loadOnce(&b.cache, "conflicts", func() (map[graph.ID]Pattern, error) {
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			for _, id := range v.Conflicts {
				ids[id] = true
			}
		}
		if len(ids) == 0 {
			return nil, nil
		}
		return patternsByID(ctx, b.src, b.caller, sorted(ids))
	})
	return inOrder(p.View.Conflicts, found), err
}

// Pattern is the pattern that the memory holds; the zero Pattern if it holds none. Those of the whole
// batch form a batch.
func (m Memory) Pattern(ctx context.Context) (Pattern, error) {
	b := m.Batch
	found, err := loadOnce(&b.cache, "pattern", func() (map[graph.ID]Pattern, error) {
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			if v.Memory.Pattern != nil {
				ids[v.ID] = true
			}
		}
		if len(ids) == 0 {
			return nil, nil
		}
		return patternsByID(ctx, b.src, b.caller, sorted(ids))
	})
	return found[m.View.ID], err
}

// Patterns returns the patterns that hold and were drawn from the cluster, the most confident first, at
// most first of them. Those of all clusters of the batch are read together and form a batch.
func (c Cluster) Patterns(ctx context.Context, first int) ([]Pattern, error) {
	b := c.batch
	all, err := loadOnce(&b.cache, "patterns", func() (map[graph.ID][]Pattern, error) {
		views, err := b.patterns(ctx)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(views, func(x, y *engine.Pattern) int {
			return cmp.Or(cmp.Compare(y.Memory.Pattern.Confidence, x.Memory.Pattern.Confidence), cmp.Compare(x.ID, y.ID))
		})
		of := map[graph.ID][]Pattern{}
		for _, p := range Patterns(b.src, b.caller, views) {
			for _, id := range p.View.Memory.Pattern.Clusters {
				of[id] = append(of[id], p)
			}
		}
		return of, nil
	})
	some := all[c.View.ID]
	return some[:min(first, len(some))], err
}

// patterns reads the patterns of the namespaces of the batch that were drawn from its clusters.
func (b *clusterBatch) patterns(ctx context.Context) (out []*engine.Pattern, err error) {
	in, ours := engine.PatternInput{First: graph.MaxPage}, map[graph.ID]bool{}
	for _, v := range b.views {
		ours[v.ID] = true
		if !slices.Contains(in.Namespaces, v.Owner.Namespace) {
			in.Namespaces = append(in.Namespaces, v.Owner.Namespace)
		}
	}
	for {
		page, err := b.src.Patterns(ctx, b.caller, in)
		if err != nil {
			return nil, err
		}
		for i := range page.Patterns {
			p := &page.Patterns[i]
			if slices.ContainsFunc(p.Memory.Pattern.Clusters, func(id graph.ID) bool { return ours[id] }) {
				out = append(out, p)
			}
			in.After = p.ID
		}
		if !page.More {
			return out, nil
		}
	}
}

// patternsByID loads patterns, which form a batch. Those that are not visible are omitted.
func patternsByID(ctx context.Context, src Source, c engine.Caller, ids []graph.ID) (map[graph.ID]Pattern, error) {
	views, err := src.PatternsByID(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[graph.ID]Pattern, len(ids))
	for i, p := range Patterns(src, c, views) {
		if p.View != nil {
			found[ids[i]] = p
		}
	}
	return found, nil
}
