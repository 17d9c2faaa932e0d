package erasure

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Withdrawal is the result of withdrawing a source.
type Withdrawal struct {
	Withdrawn []graph.ID // memories of the source: ARCHIVED
	Descended []graph.ID // derived from them: ARCHIVED
	Rebuilt   []graph.ID // summaries derived again from the remaining sources; empty in a dry run
	Restored  []graph.ID // merged into or superseded by a withdrawn memory, and now ACTIVE again

	SafetyCritical []graph.ID // of those withdrawn and derived
}

// WithdrawSource withdraws the memories of a bad source and everything derived from them,
// in a namespace or, if it is empty, in all that the caller sees. The source's memories and
// their derivatives become ARCHIVED with the reason. Summaries are derived again from the
// remaining sources. Memories that were merged into the withdrawn ones, or superseded by
// the source, become ACTIVE again. A memory that only had evidence of the source stays,
// without that evidence. Nothing is erased.
//
// Each memory of the source is one transaction with its derivatives. A call after an
// interruption resumes the withdrawal. FORBIDDEN if the source was bound with more
// authority than the caller's grant, SLEEP_RUNNING during a sleep.
func (svc *Service) WithdrawSource(ctx context.Context, c workspace.Caller, source, namespace, reason string, dryRun bool) (*Withdrawal, error) {
	switch {
	case source == "" || len(source) > 2*graph.MaxName || !utf8.ValidString(source):
		return nil, graph.FieldError(graph.CodeInvalidRequest, "source", "must be 1 to %d bytes of UTF-8", 2*graph.MaxName)
	case len(reason) > workspace.MaxReason:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "reason", "has %d bytes, more than %d", len(reason), workspace.MaxReason)
	}
	var asked []string
	if namespace != "" {
		asked = []string{namespace}
	}
	spaces, err := c.AllowedNamespaces(asked)
	if err != nil {
		return nil, workspace.Renamed(err, "namespace")
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	w := &withdrawal{svc: svc, t: t, c: c, source: source, namespaces: spaces, reason: "source withdrawn", outcomes: map[graph.ID]outcome{}, critical: map[graph.ID]bool{}}
	if reason != "" {
		w.reason += ": " + reason
	}
	if dryRun {
		return w.dryRun(ctx)
	}
	release, err := svc.sleep.KeepAwake(t.Tenant)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := w.run(ctx); err != nil {
		return nil, svc.PublicError(err)
	}
	return w.result(), t.Current(ctx)
}

// outcome is the effect of a withdrawal on a memory.
type outcome int

const (
	outcomeWithdrawn outcome = iota + 1
	outcomeDescended
	outcomeRestored
	outcomeRebuilt
)

// withdrawal is a running withdrawal.
type withdrawal struct {
	svc        *Service
	t          *tenant
	c          workspace.Caller
	source     string
	namespaces []string // empty: all
	reason     string
	outcomes   map[graph.ID]outcome
	critical   map[graph.ID]bool // what is archived and safety-critical
}

// matchesSource reports whether a memory comes from the source.
func (w *withdrawal) matchesSource(m *graph.Memory) bool {
	return m.Source == w.source && m.SourceKind != graph.FromConsolidation && w.authorised(m)
}

// authorised reports whether the withdrawal may change a memory.
func (w *withdrawal) authorised(m *graph.Memory) bool {
	return w.c.Sight().Memory(m) && (len(w.namespaces) == 0 || slices.Contains(w.namespaces, m.Namespace))
}

// findSource returns the ids of the source's memories, in order.
func (w *withdrawal) findSource(ctx context.Context) ([]graph.ID, error) {
	var ids []graph.ID
	err := w.t.View(ctx, func(r graph.Reader) error {
		ids = nil
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Namespaces: w.namespaces, Statuses: []graph.Status{graph.Active, graph.Consolidated}}) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if !w.matchesSource(m) {
				continue
			}
			if w.c.Grant < m.Authority {
				return graph.FieldError(graph.CodeForbidden, "source", "has authority %.2f, above the grant of %.2f", m.Authority, w.c.Grant)
			}
			ids = append(ids, m.ID)
		}
		return nil
	})
	return ids, err
}

// dryRun returns the result of the withdrawal, and changes nothing.
func (w *withdrawal) dryRun(ctx context.Context) (*Withdrawal, error) {
	ids, err := w.findSource(ctx)
	if err != nil {
		return nil, w.svc.PublicError(err)
	}
	err = w.t.View(ctx, func(r graph.Reader) error {
		clear(w.outcomes)
		for _, id := range ids {
			m, err := r.Memory(id)
			if err != nil {
				return err
			}
			effects, err := w.consequences(r, m)
			if err != nil {
				return err
			}
			if err := w.noteCritical(r, m, effects); err != nil {
				return err
			}
			w.record(id, effects)
		}
		return nil
	})
	if err != nil {
		return nil, w.svc.PublicError(err)
	}
	return w.result(), nil
}

// run withdraws the memories of the source one by one, then rebuilds derived memories.
func (w *withdrawal) run(ctx context.Context) error {
	ids, err := w.findSource(ctx)
	if err != nil {
		return err
	}
	var again []sleep.Rebuild
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		effects, err := w.withdrawMemory(ctx, id)
		if err != nil {
			return err
		}
		if effects != nil {
			w.record(id, effects)
			again = append(again, effects.rebuilds...)
		}
	}
	if len(ids) > 0 {
		w.svc.Log.Info("[WRITE] a source was withdrawn", "memories", len(ids), "remade", len(again))
	}
	if len(w.critical) > 0 {
		w.svc.Log.Warn("[WRITE] the withdrawn memories include safety-critical ones", "memories", len(w.critical))
	}
	return w.rebuild(ctx, again)
}

// withdrawMemory withdraws one memory with its consequences; nil if it is already
// withdrawn.
func (w *withdrawal) withdrawMemory(ctx context.Context, id graph.ID) (effects *consequences, err error) {
	return effects, w.svc.serial.RunExclusive(ctx, w.t.Tenant, func(ctx context.Context) error {
		if err := w.withdrawEngrams(ctx, id); err != nil {
			return err
		}
		now := w.t.Now()
		return w.t.Update(ctx, func(tx graph.Tx) error {
			effects = nil
			m, err := tx.Memory(id)
			if err != nil || !lifecycle.Believed(m) || !w.matchesSource(m) {
				return err
			}
			if effects, err = w.consequences(tx, m); err != nil {
				return err
			}
			if err := w.noteCritical(tx, m, effects); err != nil {
				return err
			}
			for _, x := range append([]graph.ID{id}, effects.descended...) {
				if err := w.archive(tx, x, now); err != nil {
					return err
				}
			}
			for _, x := range effects.restored {
				if err := w.reactivate(tx, x, now); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// withdrawEngrams withdraws the engravings of a memory and of its derivatives, before their
// rows change: an engram without an L3 row is harmless, an L3 row without an engram is not.
func (w *withdrawal) withdrawEngrams(ctx context.Context, id graph.ID) error {
	var engrams []graph.ID
	err := w.t.View(ctx, func(r graph.Reader) error {
		engrams = nil
		m, err := r.Memory(id)
		if err != nil || !lifecycle.Believed(m) {
			return err
		}
		effects, err := w.consequences(r, m)
		if err != nil {
			return err
		}
		all, err := r.Memories(append([]graph.ID{id}, effects.descended...))
		for _, x := range all {
			if x != nil && x.State().Tier == graph.L3 {
				engrams = append(engrams, x.ID)
			}
		}
		return err
	})
	if err != nil || len(engrams) == 0 {
		return err
	}
	if w.svc.Recess == nil {
		return graph.Errorf(graph.CodeUnavailable, "the recess is not open; its engravings can't be withdrawn")
	}
	return w.svc.Recess.Withdraw(ctx, w.t.Scope, engrams)
}

// archive archives a memory, and removes what only it stated from the schema.
func (w *withdrawal) archive(tx graph.Tx, id graph.ID, now time.Time) error {
	m, err := tx.Memory(id)
	if err != nil {
		return err
	}
	m.SetState(now, func(s *graph.State) {
		s.Status, s.Core = graph.Archived, false
		if s.Tier == graph.L3 {
			s.Tier = graph.L2
		}
	})
	m.UpdatedAt = now
	workspace.Because(m, w.reason)
	if err := tx.PutMemory(m, graph.EventArchived); err != nil {
		return err
	}
	for _, entity := range m.Entities {
		if err := removeEvidence(tx, entity, m.ID); err != nil {
			return err
		}
	}
	return lifecycle.RecomputeConflicts(tx, m, now)
}

// removeEvidence removes a memory from the evidence of an entity's relations, and deletes
// relations without other evidence.
func removeEvidence(tx graph.Tx, entity, memory graph.ID) error {
	for r, err := range graph.AllRelations(tx, entity) {
		if err != nil {
			return err
		}
		i := slices.Index(r.Memories, memory)
		if i < 0 {
			continue
		}
		if r.Memories = slices.Delete(r.Memories, i, i+1); len(r.Memories) > 0 {
			err = tx.PutRelation(r)
		} else {
			err = tx.DeleteRelation(r.Source, r.Predicate, r.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reactivate makes a memory ACTIVE again that was merged into a withdrawn one or superseded
// by it.
func (w *withdrawal) reactivate(tx graph.Tx, id graph.ID, now time.Time) error {
	m, err := tx.Memory(id)
	if err != nil {
		return err
	}
	return lifecycle.Reactivate(tx, m, now)
}

// rebuild derives memories again, as a sleep would. Memories that this merges again no
// longer count as restored. If a memory can't be derived, its sources stay as they are.
func (w *withdrawal) rebuild(ctx context.Context, all []sleep.Rebuild) error {
	for _, again := range all {
		did, err := w.svc.sleep.Rebuild(ctx, w.t.Tenant, again, w.reason)
		if err != nil {
			return err
		}
		for _, s := range did {
			w.outcomes[s.To] = outcomeRebuilt
			for _, folded := range s.From {
				if w.outcomes[folded] == outcomeRestored {
					delete(w.outcomes, folded)
				}
			}
		}
	}
	return nil
}

// noteCritical notes which of a memory of the source and its derivatives are safety-critical: they end
// without the gate.
func (w *withdrawal) noteCritical(r graph.Reader, m *graph.Memory, effects *consequences) error {
	found, err := r.Memories(effects.descended)
	for _, x := range append(found, m) {
		if x != nil && x.SafetyCritical {
			w.critical[x.ID] = true
		}
	}
	return err
}

// record records the outcomes of withdrawing one memory.
func (w *withdrawal) record(id graph.ID, effects *consequences) {
	for _, r := range effects.restored {
		if w.outcomes[r] == 0 {
			w.outcomes[r] = outcomeRestored
		}
	}
	for _, d := range effects.descended {
		w.outcomes[d] = outcomeDescended
	}
	w.outcomes[id] = outcomeWithdrawn
}

func (w *withdrawal) result() *Withdrawal {
	out := &Withdrawal{SafetyCritical: slices.Sorted(maps.Keys(w.critical))}
	for _, id := range slices.Sorted(maps.Keys(w.outcomes)) {
		switch w.outcomes[id] {
		case outcomeWithdrawn:
			out.Withdrawn = append(out.Withdrawn, id)
		case outcomeDescended:
			out.Descended = append(out.Descended, id)
		case outcomeRestored:
			out.Restored = append(out.Restored, id)
		case outcomeRebuilt:
			out.Rebuilt = append(out.Rebuilt, id)
		}
	}
	return out
}
