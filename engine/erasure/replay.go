package erasure

import (
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Replay erases again whatever the store or the recess still has of memories that were erased
// before: an older copy of either, or an older export, may have brought them back. It also
// records in the ledger the erased memories of the store that the ledger lacks. It works in
// this order, and a call after an interruption completes it. ADR 75.
//
// Records of owners of whom everything was erased are deleted, also of those who had no memories, and decisions that an erasure deleted. What
// an owner keeps after the erasure of a part stays.
//
// Memories are erased as by Forget, with a receipt, together with those derived from them; no
// anonymised copies are kept. Tenant.Returned counts what was back. If the recess is unavailable, Replay logs that: the erasure is in
// force there, and its next use completes it.
func (svc *Service) Replay(ctx context.Context, wt *workspace.Tenant) error {
	t := svc.tenants.Of(wt)
	t.erasing.Lock()
	defer t.erasing.Unlock()
	return svc.replay(ctx, t)
}

// replay is Replay; the caller holds t.erasing.
func (svc *Service) replay(ctx context.Context, t *tenant) error {
	if svc.Erasures == nil {
		return nil
	}
	stubs, err := svc.stubs(ctx, t)
	if err != nil {
		return fmt.Errorf("list erased memories: %w", err)
	}
	recorded := svc.Erasures.IDs(t.Scope)
	if err := svc.Erasures.Append(t.Scope, "", t.Now(), stubs); err != nil {
		return err
	}
	if err := svc.replayInRecess(ctx, t, recorded); err != nil {
		return err
	}
	if svc.Map != nil { // an older copy of the saved map
		if err := svc.Map.Erase(ctx, t.Scope, svc.Erasures.IDs(t.Scope)); err != nil {
			return fmt.Errorf("erase from the saved map: %w", err)
		}
	}
	swept, _ := workspace.KnownErased(recorded, graph.Swept(svc.Store, t.Scope)) // the store itself removed them
	t.swept.Do(func() { t.Returned.Store.Add(int64(len(swept))) })
	if err := svc.takeOverOwners(ctx, t); err != nil {
		return fmt.Errorf("erase records of erased owners: %w", err)
	}
	returned, others, err := svc.returned(ctx, t, stubs, recorded)
	if err != nil {
		return err
	}
	if err := svc.replayDecisions(ctx, t, others); err != nil {
		return fmt.Errorf("erase decisions: %w", err)
	}
	if len(returned) == 0 {
		return nil
	}
	t.Returned.Store.Add(int64(len(returned)))
	svc.Log.Warn("[RTBF] erased memories were back, from an older copy or export; they are erased again", "tenant", t.Scope.Tenant, "count", len(returned))
	for ids := range slices.Chunk(returned, workspace.MaxMany) {
		if err := svc.eraseAgain(ctx, t, ids); err != nil {
			return err
		}
	}
	return nil
}

// takeOverOwners deletes the records of owners of whom everything was erased, unless the store has taken over what the ledger knows of these: a
// restored one has not.
func (svc *Service) takeOverOwners(ctx context.Context, t *tenant) error {
	setting, state := svc.Erasures.OwnersState(t.Scope)
	if state == "" {
		return nil
	}
	if known, err := svc.knownOwners(ctx, t, setting); err != nil || known == state {
		return err
	}
	if err := svc.eraseTraces(ctx, t); err != nil {
		return err
	}
	return t.Update(ctx, func(tx graph.Tx) error { return tx.PutSetting(setting, []byte(state)) })
}

// knownOwners reads the state that the store has taken over; empty: none.
func (svc *Service) knownOwners(ctx context.Context, t *tenant, setting string) (state string, err error) {
	if setting == "" {
		return "", nil
	}
	err = t.View(ctx, func(r graph.Reader) error {
		text, err := r.Setting(setting)
		_, err = graph.Found(err)
		state = string(text)
		return err
	})
	return state, err
}

// recordOwners records the owners of whom a job erases everything in the ledger, and that the store knows them if it knew all others.
func (svc *Service) recordOwners(ctx context.Context, t *tenant, job *erasureJob) error {
	setting, before := svc.Erasures.OwnersState(t.Scope)
	known, err := svc.knownOwners(ctx, t, setting)
	for _, owner := range job.erasedOwners() {
		if err == nil {
			err = svc.Erasures.EraseOwner(t.Scope, owner, job.Namespaces, job.At)
		}
	}
	if err != nil || known != before {
		return err
	}
	setting, state := svc.Erasures.OwnersState(t.Scope)
	if state == "" {
		return nil
	}
	return t.Update(ctx, func(tx graph.Tx) error { return tx.PutSetting(setting, []byte(state)) })
}

// replayInRecess erases from the recess what the ledger records. It counts what was recorded before and
// is there: an older copy of the recess.
func (svc *Service) replayInRecess(ctx context.Context, t *tenant, recorded []graph.ID) error {
	found, err := svc.eraseFromRecess(ctx, t.Scope, recorded)
	if err != nil {
		return err
	}
	if found > 0 {
		t.Returned.Recess.Add(int64(found))
		svc.Log.Warn("[RTBF] the recess had erased memories, from an older copy; they are erased again", "tenant", t.Scope.Tenant, "count", found)
	}
	_, fresh := workspace.KnownErased(recorded, svc.Erasures.IDs(t.Scope))
	_, err = svc.eraseFromRecess(ctx, t.Scope, fresh)
	return err
}

// stubs lists the FORGOTTEN memories of the store, ascending.
func (svc *Service) stubs(ctx context.Context, t *tenant) (ids []graph.ID, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		ids = nil
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Statuses: []graph.Status{graph.Forgotten}}) {
			if err != nil {
				return err
			}
			ids = append(ids, m.ID)
		}
		return nil
	})
	return ids, err
}

// returned lists the recorded memories that the store has with content, and the recorded ids of which it has no memory. stubs are ascending.
func (svc *Service) returned(ctx context.Context, t *tenant, stubs, recorded []graph.ID) (ids, others []graph.ID, err error) {
	suspects := slices.DeleteFunc(slices.Clone(recorded), func(id graph.ID) bool {
		_, erased := slices.BinarySearch(stubs, id)
		return erased
	})
	for some := range slices.Chunk(suspects, workspace.MaxMany) {
		var found []*graph.Memory
		err := t.View(ctx, func(r graph.Reader) (err error) { found, err = r.Memories(some); return err })
		if err != nil {
			return nil, nil, fmt.Errorf("look for erased memories: %w", err)
		}
		for i, m := range found {
			switch {
			case m == nil:
				others = append(others, some[i])
			case m.Status() != graph.Forgotten:
				ids = append(ids, m.ID)
			}
		}
	}
	return ids, others, nil
}

// eraseTraces deletes the records of those of whom everything was erased: conversations, feedback, refused facts and documents from
// before that erasure. It precedes the erasure of memories, with which a decision loses the name of its owner.
func (svc *Service) eraseTraces(ctx context.Context, t *tenant) error {
	erased := svc.Erasures.ErasedOwners(t.Scope)
	if erased == nil {
		return nil
	}
	count := 0
	for _, kind := range graph.OwnerNotes {
		var back []graph.ID
		err := t.View(ctx, func(r graph.Reader) error {
			back = nil
			for n, err := range graph.NotesBesideDamaged(r, kind, "", false, workspace.MaxBatch) {
				if graph.DamagedNote(err) != "" {
					continue // it can't be shown either
				}
				if err != nil {
					return err
				}
				if owner, known := n.Owner(); known && erased(owner, n.Namespace, n.At) {
					back = append(back, n.ID)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for ids := range slices.Chunk(back, workspace.MaxMany) {
			if err := t.Update(ctx, func(tx graph.Tx) error { return deleteNotes(tx, kind, ids) }); err != nil {
				return err
			}
		}
		count += len(back)
	}
	return svc.deletedAgain(ctx, t, count)
}

// eraseAgain erases memories with a receipt and without anonymised copies.
func (svc *Service) eraseAgain(ctx context.Context, t *tenant, ids []graph.ID) error {
	job := &erasureJob{Selection: workspace.Selection{IDs: ids}, Everything: true}
	if _, _, err := svc.startJob(ctx, workspace.Caller{}, t, job, ForgetInput{}); err != nil {
		return err
	}
	_, err := svc.runJob(ctx, t, job)
	return err
}

// eraseFromRecess erases memories from the recess and returns how many it had. A recess that is
// unavailable is no error.
func (svc *Service) eraseFromRecess(ctx context.Context, scope graph.Scope, ids []graph.ID) (found int, err error) {
	if svc.Recess == nil || len(ids) == 0 {
		return 0, nil
	}
	found, err = svc.Recess.Erase(ctx, scope, ids)
	if err != nil && graph.CodeOf(err) == graph.CodeUnavailable {
		svc.Log.Error("[RTBF] erased memories are not removed from the recess yet; its next use removes them", "tenant", scope.Tenant, "error", err)
		return found, nil
	}
	return found, err
}

// ReplayAbsent erases from the recess what the ledger records of tenants that the store does
// not have. has reports whether the store has a tenant.
func (svc *Service) ReplayAbsent(ctx context.Context, has func(graph.Tenant) bool) error {
	if svc.Erasures == nil {
		return nil
	}
	for _, name := range svc.Erasures.Tenants() {
		scope := graph.Scope{Tenant: name}
		if has(name) || scope.IsServer() {
			continue
		}
		found, err := svc.eraseFromRecess(ctx, scope, svc.Erasures.IDs(scope))
		if err != nil {
			return err
		}
		if found > 0 {
			svc.Returned.Recess.Add(int64(found))
			svc.Log.Warn("[RTBF] the recess had erased memories of a tenant that the store does not have; they are erased again", "tenant", name, "count", found)
		}
	}
	return nil
}
