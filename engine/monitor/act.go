package monitor

import (
	"context"
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
	svc.mu.Unlock()
	svc.Guards.Set(rules)
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

func (svc *Service) actRestore(ctx context.Context, w *watched) {
	if svc.options.Restorer == nil || len(w.damaged) == 0 {
		return
	}
	ids := make([]graph.ID, 0, len(w.damaged))
	for id := range w.damaged {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	n, err := svc.options.Restorer.Restore(ctx, w.scope, ids)
	if err != nil {
		svc.Log.Warn("[ALARM] damaged memories could not be restored; will retry", "tenant", w.scope.Tenant, "memories", len(ids), "error", err)
		return
	}
	svc.Log.Info("[ALARM] damaged memories were restored", "tenant", w.scope.Tenant, "restored", n, "damaged", len(ids))
}
