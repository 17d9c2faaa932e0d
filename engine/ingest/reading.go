package ingest

import (
	"context"
	"errors"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// reading is a stored memory as the conflict scorer and the relation model read it.
type reading struct {
	analysis *conflict.Analysis
	said     *reader.Prepared
}

// readingsOf returns the readings of the candidate memories, by id. Those that are not
// cached are read from the store, in parallel. Memories that no longer exist have a nil
// reading.
func (svc *Service) readingsOf(ctx context.Context, t *tenant, candidates [][]index.Near) (map[graph.ID]*reading, error) {
	readings := map[graph.ID]*reading{}
	var known, missing []graph.ID
	var packed []conflict.Packed
	epoch := svc.Readings.Epoch()
	for _, near := range candidates {
		for _, n := range near {
			if _, seen := readings[n.Doc.ID]; seen {
				continue
			}
			readings[n.Doc.ID] = nil
			var x conflict.Packed
			said := svc.Said.Get(t.Scope.Tenant, n.Doc.ID)
			if said != nil && workspace.StateOf(n.Doc).Tier != graph.L0 {
				x = svc.Readings.Get(t.Scope.Tenant, n.Doc.ID)
			}
			if x == "" {
				missing = append(missing, n.Doc.ID)
				continue
			}
			known, packed = append(known, n.Doc.ID), append(packed, x)
			readings[n.Doc.ID] = &reading{said: said}
		}
	}
	unpacked := make([]conflict.Analysis, len(packed))
	workspace.ParallelChunks(len(packed), unpacksPerWorker, func(from, to int) {
		for i := from; i < to; i++ {
			unpacked[i] = packed[i].Analysis()
		}
	})
	for i, id := range known {
		readings[id].analysis = &unpacked[i]
	}
	stored := make([]*reading, len(missing))
	errs := make([]error, len(missing))
	workspace.ParallelChunks(len(missing), readsPerWorker, func(from, to int) {
		if from < to {
			errs[from] = svc.readStored(ctx, t, missing[from:to], stored[from:to], epoch)
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, id := range missing {
		readings[id] = stored[i]
	}
	return readings, nil
}

// readsPerWorker and unpacksPerWorker are the numbers of stored and of cached readings
// from which another goroutine pays off.
const readsPerWorker, unpacksPerWorker = 8, 128

// readStored reads memories from the store, analyses them and caches the result. An entry
// of out stays nil if the memory does not exist.
func (svc *Service) readStored(ctx context.Context, t *tenant, ids []graph.ID, out []*reading, epoch int) error {
	return t.View(ctx, func(r graph.Reader) error {
		found, err := graph.Undamaged(r, ids)
		if err != nil {
			return err
		}
		for i, m := range found {
			if m != nil && m.Status() != graph.Forgotten {
				x := conflict.Analyse(workspace.StatementOf(m))
				out[i] = &reading{&x, svc.Said.Read(t.Scope.Tenant, m)}
				svc.Readings.Keep(t.Scope.Tenant, m, &x, epoch)
			}
		}
		return nil
	})
}

// standsInSeries reports whether a neighbour of a draft is one of several ACTIVE statements that differ
// from the draft, and from each other, in one place only. What stands side by side in one form is about
// several things ("flight 3 landed", "flight 6 landed"), and the next such statement revises none.
func standsInSeries(d *Draft, n *Neighbour, near []Neighbour) bool {
	if !reader.OneForm(d.said, n.said) {
		return false
	}
	for i := range near {
		if k := &near[i]; k.ID != n.ID && k.said != nil && reader.OneForm(d.said, k.said) && reader.OneForm(n.said, k.said) {
			return true
		}
	}
	return false
}
