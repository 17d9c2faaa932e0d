package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Expire dismisses a memory: it becomes EXPIRED now. An expired memory is returned
// unchanged. Only an ACTIVE or ARCHIVED memory can expire. It is FORBIDDEN if the memory is
// safety-critical, if the grant is below its authority, and for a caller without Admin if it is
// core or said by SYSTEM.
func (svc *Service) Expire(ctx context.Context, c workspace.Caller, id graph.ID) (*workspace.View, error) {
	return svc.Change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		switch m.Status() {
		case graph.Expired:
			return "", nil
		case graph.Active, graph.Archived:
			if err := mayEnd(c, m); err != nil {
				return "", err
			}
			if m.SafetyCritical {
				return "", safetyError("id")
			}
			m.SetState(now, func(s *graph.State) { s.Status = graph.Expired })
			return graph.EventExpired, lifecycle.RecomputeConflicts(tx, m, now)
		}
		return "", graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
	})
}

// runExpiry stores the end of each time to live, until Close. Reads don't depend on it: a
// memory whose time to live has ended reads as EXPIRED. If other servers write to the
// store too, runExpiry also wakes the embedding of pending memories.
func (svc *Service) runExpiry(t *tenant) {
	svc.Every(svc.Sweep, func() {
		if err := svc.sweepExpired(audit.As(svc.Ctx, "sweepExpired"), t); err != nil && !errors.Is(err, context.Canceled) {
			svc.Log.Warn("[WRITE] expiry sweep failed; will retry", "error", err)
		}
		if !svc.Exclusive() {
			t.WakePending() // another server may have left pending memories
		}
	})
}

// sweepExpired sets every ACTIVE memory whose time to live has ended to EXPIRED, as of
// that end. An unconfirmed task that was mentioned again becomes an episode instead.
func (svc *Service) sweepExpired(ctx context.Context, t *tenant) error {
	for {
		now := t.Now()
		var n, critical int
		err := t.Update(ctx, func(tx graph.Tx) error {
			due, err := tx.ListMemories(graph.MemoryQuery{Statuses: []graph.Status{graph.Active}, Undamaged: true, ExpiresBy: now, Limit: workspace.MaxBatch})
			if err != nil {
				return err
			}
			n, critical = len(due), 0
			rules := workspace.PolicyCache{}
			for _, m := range due {
				if lifecycle.IsOpenTask(m) {
					p, err := rules.In(tx, m.Namespace)
					if err != nil {
						return err
					}
					if lifecycle.EndWorking(m, p, m.ExpiresAt, now) {
						if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
							return err
						}
						continue
					}
				} else {
					m.SetState(m.ExpiresAt, func(s *graph.State) { s.Status = graph.Expired })
					m.UpdatedAt = now
				}
				if m.SafetyCritical {
					critical++
				}
				if err := tx.PutMemory(m, graph.EventExpired); err != nil {
					return err
				}
				if err := lifecycle.RecomputeConflicts(tx, m, now); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil && critical > 0 {
			svc.Log.Warn("[WRITE] the time to live of safety-critical memories has ended; the next sleep report names them", "memories", critical)
		}
		if err != nil || n < workspace.MaxBatch {
			return err
		}
	}
}
