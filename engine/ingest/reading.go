package ingest

import (
	"context"
	"errors"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// analysesOf returns the analyses of the candidate memories, by id. Those that are not
// cached are read from the store, in parallel. Memories that no longer exist have a nil
// analysis.
func (svc *Service) analysesOf(ctx context.Context, t *tenant, candidates [][]index.Near) (map[graph.ID]*conflict.Analysis, error) {
	analyses := map[graph.ID]*conflict.Analysis{}
	var known, missing []graph.ID
	var packed []conflict.Packed
	epoch := svc.Readings.Epoch()
	for _, near := range candidates {
		for _, n := range near {
			if _, seen := analyses[n.Doc.ID]; seen {
				continue
			}
			analyses[n.Doc.ID] = nil
			var x conflict.Packed
			if workspace.StateOf(n.Doc).Tier != graph.L0 {
				x = svc.Readings.Get(n.Doc.ID)
			}
			if x == "" {
				missing = append(missing, n.Doc.ID)
			} else {
				known, packed = append(known, n.Doc.ID), append(packed, x)
			}
		}
	}
	unpacked := make([]conflict.Analysis, len(packed))
	workspace.ParallelChunks(len(packed), unpacksPerWorker, func(from, to int) {
		for i := from; i < to; i++ {
			unpacked[i] = packed[i].Analysis()
		}
	})
	for i, id := range known {
		analyses[id] = &unpacked[i]
	}
	stored := make([]*conflict.Analysis, len(missing))
	errs := make([]error, len(missing))
	workspace.ParallelChunks(len(missing), readsPerWorker, func(from, to int) {
		if from < to {
			errs[from] = svc.analyseStored(ctx, t, missing[from:to], stored[from:to], epoch)
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, id := range missing {
		analyses[id] = stored[i]
	}
	return analyses, nil
}

// readsPerWorker and unpacksPerWorker are the numbers of stored and of cached analyses
// from which another goroutine pays off.
const readsPerWorker, unpacksPerWorker = 8, 128

// analyseStored reads memories from the store, analyses them and caches the result. An
// entry of out stays nil if the memory does not exist.
func (svc *Service) analyseStored(ctx context.Context, t *tenant, ids []graph.ID, out []*conflict.Analysis, epoch int) error {
	return t.View(ctx, func(r graph.Reader) error {
		found, err := r.Memories(ids)
		if err != nil {
			return err
		}
		for i, m := range found {
			if m != nil && m.Status() != graph.Forgotten {
				x := conflict.Analyse(workspace.StatementOf(m))
				out[i] = &x
				svc.Readings.Keep(m, &x, epoch)
			}
		}
		return nil
	})
}
