package sleep

import (
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// groupNeighbours is the number of nearest memories that an episode may be grouped with.
const groupNeighbours = 24

// groupByMatter groups memories of equal trust on one matter, and returns the ids of each group
// with at least one fresh member. A summary that replaces its sources has the trust of each.
func (run *sleepRun) groupByMatter(ctx context.Context, all []*candidate, fresh map[graph.ID]bool) ([][]graph.ID, error) {
	vectors, err := run.vectors(ctx, all)
	if err != nil {
		return nil, err
	}
	items := make([]cluster.Episode, len(all))
	place := map[graph.ID]int{}
	for i, c := range all {
		items[i] = cluster.Episode{ID: c.ID, Vector: vectors[i], Entities: c.Entities, Owner: fmt.Sprintf("%s\x00%s\x00%v", c.Namespace, c.User, c.trust()), At: c.OccurredAt}
		place[c.ID] = i
	}
	near := make(cluster.NeighbourLists, len(all))
	for part := range slices.Chunk(all, neighbourBatch) {
		// One search serves consecutive memories of one circle.
		for from := 0; from < len(part); {
			to := from
			for to < len(part) && part[to].Namespace == part[from].Namespace && part[to].User == part[from].User {
				to++
			}
			if err := run.findNeighbours(ctx, part[from:to], items, place, fresh, near); err != nil {
				return nil, err
			}
			from = to
		}
	}
	var out [][]graph.ID
	for _, g := range cluster.Episodes(items, near, cluster.EpisodeDefaults()) {
		var ids []graph.ID
		any := false
		for _, i := range g.Members {
			ids = append(ids, all[i].ID)
			any = any || fresh[all[i].ID]
		}
		if any {
			out = append(out, ids)
		}
	}
	return out, nil
}

// findNeighbours finds the neighbours of the fresh memories among some memories of one
// circle.
func (run *sleepRun) findNeighbours(ctx context.Context, part []*candidate, items []cluster.Episode, place map[graph.ID]int, fresh map[graph.ID]bool, into cluster.NeighbourLists) error {
	var vectors [][]float32
	var at []int
	for _, c := range part {
		if fresh[c.ID] {
			if v := items[place[c.ID]].Vector; v != nil { // nil: erased in the meantime
				vectors, at = append(vectors, v), append(at, place[c.ID])
			}
		}
	}
	if len(vectors) == 0 {
		return nil
	}
	f := index.Filter{Namespaces: []string{part[0].Namespace}, Users: []string{part[0].User}, Statuses: []graph.Status{graph.Active}}
	run.svc.Foreground.Yield(ctx, workspace.YieldFor)
	near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, groupNeighbours, cluster.EpisodeDefaults().EntityCosine)
	if err != nil {
		return err
	}
	for i, found := range near {
		for _, x := range found {
			if p, known := place[x.Doc.ID]; known && p != at[i] {
				into[at[i]] = append(into[at[i]], int32(p))
				into[p] = append(into[p], int32(at[i]))
			}
		}
	}
	return nil
}
