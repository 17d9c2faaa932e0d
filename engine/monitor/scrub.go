package monitor

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// scrubStep is the number of changes of the feed whose memories one refresh reads: a store of
// 100,000 memories is read once in four hours.
const scrubStep = 512

// scrub reads the next memories of a tenant with their vectors, their engrams and their records in
// the index, and those that were damaged before; at the end of a round also the snapshot of the index.
// The store, the recess and the index check what they read.
func (svc *Service) scrub(ctx context.Context, w *watched, t *workspace.Tenant) error {
	changes, err := svc.Store.Changes(ctx, w.scope, w.scrubbed, scrubStep)
	if err != nil {
		return err
	}
	seen := map[graph.ID]bool{}
	var ids []graph.ID
	add := func(id graph.ID) {
		if !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
	}
	for id := range w.damaged {
		add(id)
	}
	for _, ch := range changes {
		if ch.Node == graph.NodeMemory {
			add(ch.ID)
		}
	}
	var engraved []*workspace.View
	err = t.View(ctx, func(r graph.Reader) error {
		engraved = nil
		for _, id := range ids {
			m, err := readChecked(r, id)
			switch {
			case errors.Is(err, graph.ErrIntegrity):
				if !w.damaged[id] {
					svc.Log.Error("[READ] a stored memory is damaged and is not served", "tenant", w.scope.Tenant, "id", id)
				}
				w.damaged[id] = true
				continue
			case err != nil:
				return err
			}
			delete(w.damaged, id)
			if m != nil && m.State().Tier == graph.L3 {
				engraved = append(engraved, workspace.NewView(m, workspace.Access{}, svc.Now()))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	svc.Verify(ctx, w.scope, engraved...)
	svc.Index.CheckVectors(w.scope, ids)
	if len(changes) < scrubStep {
		w.scrubbed, w.whole = 0, true
		return svc.Index.CheckSnapshot(w.scope)
	}
	w.scrubbed = changes[len(changes)-1].Cursor
	return nil
}

// readChecked reads a memory and its vector; nil if there is none. ErrIntegrity if one of them is
// damaged.
func readChecked(r graph.Reader, id graph.ID) (*graph.Memory, error) {
	m, err := r.Memory(id)
	if known, err := graph.Found(err); !known || err != nil {
		return nil, err
	}
	if m.EmbeddingModel != "" {
		_, err = r.Embedding(id)
		_, err = graph.Found(err)
	}
	return m, err
}

// damage is the reading of the records of a tenant with a wrong checksum.
func (svc *Service) damage(w *watched) alarm.Reading {
	engrams := 0
	for _, id := range svc.Damage.IDs() {
		if _, here := svc.Index.Doc(w.scope, id); here {
			engrams++
		}
	}
	r := alarm.Reading{Indicator: alarm.Checksum, Value: float64(len(w.damaged) + engrams)}
	if r.Value > 0 {
		r.Detail = fmt.Sprintf("%d memories, %d engrams", len(w.damaged), engrams)
	}
	return r
}
