package monitor

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// govern puts the restrictions of all active alarms in force, and takes back those of alarms that
// have ended.
func (svc *Service) govern() {
	rules := workspace.Rules{ReadsHalted: map[graph.Tenant]bool{}}
	svc.mu.Lock()
	for _, w := range svc.scopes {
		for _, a := range w.state.Active {
			switch a.Action {
			case alarm.RaiseEta:
				rules.EtaFactor = alarm.EtaFactor
			case alarm.RaiseQuorum:
				rules.LeastQuorum = alarm.RaisedQuorum
			case alarm.HaltReads:
				rules.ReadsHalted[w.scope.Tenant] = true
			case alarm.HaltWrites:
				rules.WritesHalted = true
			case alarm.Fallback:
				rules.EmbedderAvoided = models.BreakerOf(svc.Embedder) != nil // the built-in model has no faster one
			}
		}
	}
	svc.Guards.Set(rules) // while mu is held, so that later rules are not replaced by earlier ones
	svc.mu.Unlock()
}

// act carries out the actions of the active alarms of a scope that are work. Failed work is tried
// again at the next refresh.
func (svc *Service) act(ctx context.Context, w *watched, now time.Time) {
	svc.mu.Lock()
	active := slices.Clone(w.state.Active)
	svc.mu.Unlock()
	for _, a := range active {
		switch a.Action {
		case alarm.Sparsify:
			svc.actSparsify(ctx, w, now)
		case alarm.BlockDamaged:
			svc.actRestore(ctx, w)
		case alarm.RebuildIndex:
			svc.actRebuild(ctx, w)
		}
	}
}

func (svc *Service) actSparsify(ctx context.Context, w *watched, now time.Time) {
	t, err := svc.Tenant(ctx, w.scope)
	if err == nil {
		var dropped int
		if dropped, err = svc.sparsify(ctx, t, now); dropped > 0 {
			svc.Log.Info("[ALARM] relations were dropped", "tenant", w.scope.Tenant, "relations", dropped)
		}
	}
	if err != nil {
		svc.Log.Warn("[ALARM] relations could not be dropped; will retry", "tenant", w.scope.Tenant, "error", err)
		return
	}
	w.deep = time.Time{} // the next refresh counts again
}

// actRestore restores damaged memories from a backup, and damaged engrams from the store.
func (svc *Service) actRestore(ctx context.Context, w *watched) {
	svc.restoreEngrams(ctx, w)
	if svc.options.Restorer == nil || len(w.damaged) == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(w.damaged))
	n, err := svc.options.Restorer.Restore(ctx, w.scope, ids)
	if err != nil {
		svc.Log.Warn("[ALARM] damaged memories could not be restored; will retry", "tenant", w.scope.Tenant, "memories", len(ids), "restored", n, "error", err)
	}
	if n > 0 {
		svc.Log.Info("[ALARM] damaged memories were restored from the backup", "tenant", w.scope.Tenant, "restored", n, "damaged", len(ids))
	}
}

// restoreEngrams engraves memories again whose engrams are damaged. The store has all of them.
func (svc *Service) restoreEngrams(ctx context.Context, w *watched) {
	for _, id := range svc.Damage.IDs(w.scope.Tenant) {
		if _, here := svc.Index.Doc(w.scope, id); !here || w.damaged[id] {
			continue
		}
		restored, err := svc.engraveAgain(ctx, w.scope, id)
		switch {
		case err != nil:
			svc.Log.Warn("[ENGRAM] a damaged engram could not be restored; will retry", "tenant", w.scope.Tenant, "id", id, "error", err)
		case restored:
			svc.Log.Info("[ENGRAM] a damaged engram was restored from the store", "tenant", w.scope.Tenant, "id", id)
		}
	}
}

// engraveAgain engraves a memory, and reports whether its engram can be read then.
func (svc *Service) engraveAgain(ctx context.Context, scope graph.Scope, id graph.ID) (bool, error) {
	var m *graph.Memory
	var vector []float32
	err := svc.Store.View(ctx, scope, func(r graph.Reader) (err error) {
		if m, err = r.Memory(id); err != nil || m.State().Tier != graph.L3 {
			return err
		}
		vector, err = r.Embedding(id)
		_, err = graph.Found(err)
		return err
	})
	if known, err := graph.Found(err); !known || err != nil || m.State().Tier != graph.L3 || m.Status() == graph.Forgotten {
		return false, err
	}
	if err := svc.Recess.Engrave(ctx, scope, m, vector, m.State().From); err != nil {
		return false, err
	}
	view := workspace.NewView(m, workspace.Access{}, svc.Now())
	return svc.Verify(ctx, scope, view) && view.Unavailable == nil, nil
}

// actRebuild makes damaged files of the index again.
func (svc *Service) actRebuild(ctx context.Context, w *watched) {
	damage := svc.Index.Damage(w.scope)
	if damage.Count() == 0 {
		return
	}
	if err := svc.Index.Rebuild(ctx, w.scope); err != nil {
		svc.Log.Warn("[ALARM] the index could not be rebuilt; will retry", "tenant", w.scope.Tenant, "damaged", damage.String(), "error", err)
		return
	}
	svc.Log.Info("[ALARM] damaged files of the index were made again", "tenant", w.scope.Tenant, "damaged", damage.String())
}
