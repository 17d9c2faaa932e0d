package erasure

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// ForgetInput selects memories to erase. All selectors that are set must match. No selector
// is INVALID_REQUEST; Tenant alone selects everything.
type ForgetInput struct {
	IDs            []graph.ID
	User           string
	Subject        string
	Entity         string // id of an entity, or its name, which may name several
	Namespace      string
	Tenant         bool
	AllKeys        bool `json:",omitempty"` // with Tenant: also the API keys of the tenant that are bound to no user
	DryRun         bool
	IdempotencyKey string
}

// errErasureRunning says that another server runs an erasure.
var errErasureRunning = errors.New("engine: an erasure is in progress")

// Forget erases memories permanently from the store, the index, the feed and every list,
// together with the memories derived from them. Anyone can verify the receipt's hash. The
// receipt also counts the safety-critical memories that are kept in anonymised form.
func (svc *Service) Forget(ctx context.Context, c workspace.Caller, in ForgetInput) (*graph.Receipt, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	job, err := svc.newJob(c, in)
	if err != nil {
		return nil, err
	}
	if err := svc.findEntities(ctx, t, c, job, in.Entity); err != nil {
		return nil, err
	}
	t.erasing.Lock()
	defer t.erasing.Unlock()
	if in.DryRun {
		job.At = t.Now()
		if err := svc.findIndexed(ctx, t, job, in); err != nil {
			return nil, svc.PublicError(err)
		}
		return svc.dryRun(ctx, c.Sight(), t, job)
	}
	receipt, replayed, err := svc.startJob(ctx, c, t, job, in)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if replayed {
		return receipt, nil
	}
	receipt, err = svc.runJob(ctx, t, job)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	t.Recount()
	return receipt, t.Current(ctx)
}

// findIndexed sets what of a job the index finds. It is called after the instant of the job was set, so that the job takes all that was
// acknowledged before.
func (svc *Service) findIndexed(ctx context.Context, t *tenant, job *erasureJob, in ForgetInput) (err error) {
	if err := svc.findSaying(ctx, t, job, in.Entity); err != nil {
		return err
	}
	job.Private, err = svc.privateOwners(ctx, t, job.User)
	return err
}

// privateOwners returns the owners of what agents keep private about a user. It reads the index when
// that has everything that is in the store.
func (svc *Service) privateOwners(ctx context.Context, t *tenant, user string) ([]string, error) {
	if user == "" {
		return nil, nil
	}
	head, err := svc.Store.Head(ctx, t.Scope)
	if err != nil {
		return nil, err
	}
	if err := svc.Index.WaitFor(ctx, t.Scope, head); err != nil {
		return nil, err
	}
	owners := map[string]bool{}
	svc.Index.Docs(t.Scope.Whole(), func(d *index.Doc) bool {
		if of, agent := graph.SplitOwner(d.User); agent != "" && of == user {
			owners[d.User] = true
		}
		return true
	})
	return slices.Sorted(maps.Keys(owners)), nil
}

// startJob is beginForget once no other job is under way: a tenant has one job at a time. A job
// that failed, or that of another server, is finished first.
func (svc *Service) startJob(ctx context.Context, c workspace.Caller, t *tenant, job *erasureJob, in ForgetInput) (receipt *graph.Receipt, replayed bool, err error) {
	for {
		if err := svc.ResumeForget(ctx, t.Tenant); err != nil {
			return nil, false, err
		}
		job.At = t.Now()
		if err := svc.findIndexed(ctx, t, job, in); err != nil {
			return nil, false, err
		}
		receipt, replayed, err = svc.beginForget(ctx, c, t, job, in)
		if !errors.Is(err, errErasureRunning) {
			return receipt, replayed, err
		}
	}
}

// beginForget stores the pending receipt and the job, or returns the receipt of an earlier
// call with the same idempotency key.
func (svc *Service) beginForget(ctx context.Context, c workspace.Caller, t *tenant, job *erasureJob, in ForgetInput) (receipt *graph.Receipt, replayed bool, err error) {
	var input any = in
	if c.User != "" {
		input = []any{in, c.User} // so that what an earlier version recorded is found only by its user
	}
	key := c.Keyed("forget", in.IdempotencyKey, input)
	err = t.Update(ctx, func(tx graph.Tx) error {
		if earlier, err := key.Earlier(tx); err != nil {
			return err
		} else if replayed = earlier != nil; replayed {
			receipt, err = tx.Receipt(earlier.Result)
			return err
		}
		if under, err := readJob(tx); err != nil || under != nil {
			return errors.Join(err, errErasureRunning)
		}
		if shredding, err := readShredding(tx); err != nil || shredding != "" {
			return errors.Join(err, errErasureRunning)
		}
		if job.Receipt, err = svc.NewID(job.At); err != nil {
			return err
		}
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		receipt = &graph.Receipt{ID: job.Receipt, Status: graph.DeletionPending, Hash: newIDHash().hex(), RequestedAt: job.At, Owner: c.Owns(job.Receipt)}
		if key.Key != "" {
			if err := tx.PutRequest(graph.Request{Key: key.Key, Digest: key.Digest, Result: job.Receipt, At: job.At}); err != nil {
				return err
			}
		}
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
		if err := putProgress(tx, receipt.ID, job.At, svc.newProgress()); err != nil {
			return err
		}
		return tx.PutSetting(jobSetting, text)
	})
	return receipt, replayed, err
}

// runJob runs a job to its end and completes the receipt. A call after a crash resumes it.
func (svc *Service) runJob(ctx context.Context, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	// A decision that can't be read does not keep the memories.
	unread := svc.eraseDecisions(ctx, t, job)
	if unread != nil && !errors.Is(unread, graph.ErrIntegrity) {
		return nil, unread
	}
	for after := graph.ID(""); ; {
		var page []*graph.Memory
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if page, err = job.nextPage(tx, after); err != nil {
				return err
			}
			set := newErasureSet()
			for _, m := range page {
				if job.selects(m) {
					if err := set.addSelected(tx, m); err != nil {
						return err
					}
				}
			}
			if err := svc.eraseDecisionsOf(tx, t, job, set); err != nil && !errors.Is(err, graph.ErrIntegrity) {
				return err
			}
			return svc.eraseMemories(tx, job, set)
		})
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		after = job.lastOf(page, after)
	}
	// Those that were made since: the clocks of other servers may be behind.
	if unread = svc.eraseDecisions(ctx, t, job); unread != nil && !errors.Is(unread, graph.ErrIntegrity) {
		return nil, unread
	}
	if err := svc.sessions.EraseSessions(ctx, t.Tenant, job.Selection); err != nil {
		return nil, err
	}
	if err := svc.documents.EraseDocuments(ctx, t.Tenant, job.Selection); err != nil {
		return nil, err
	}
	if unread != nil {
		return nil, unread
	}
	svc.WaitForStaleHits()
	return svc.completeForget(ctx, t, job)
}

// completeForget erases what other parts hold, and completes the receipt.
func (svc *Service) completeForget(ctx context.Context, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	p := svc.newProgress()
	err := svc.eraseKeys(ctx, t, job, p)
	if err == nil {
		err = svc.eraseElsewhere(ctx, t, job, p)
	}
	if err != nil {
		return nil, errors.Join(err, t.Update(ctx, func(tx graph.Tx) error { return putProgress(tx, job.Receipt, job.At, p) }))
	}
	if err := svc.TidyLetters(ctx, t.Tenant); err != nil {
		return nil, err
	}
	if err := svc.endJob(ctx, t, job, p); err != nil {
		return nil, err
	}
	t.WakePending() // anonymised copies, and memories whose vector was cleared, have no vector yet
	svc.ForgetWords(t.Tenant)
	return svc.shred(ctx, t, job.Receipt)
}

// endJob hashes the sorted ids into the receipt and replaces the job, which may name a user, by
// the id of the receipt: its keys remain to be destroyed.
func (svc *Service) endJob(ctx context.Context, t *tenant, job *erasureJob, p *progress) error {
	return t.Update(ctx, func(tx graph.Tx) error {
		sum := newIDHash()
		for after := graph.ID(""); ; {
			ids, err := tx.ReceiptIDs(job.Receipt, after, graph.MaxPage)
			if err != nil {
				return err
			}
			for _, id := range ids {
				sum.add(id)
			}
			if len(ids) < graph.MaxPage {
				break
			}
			after = ids[len(ids)-1]
		}
		under, err := readJob(tx)
		if err != nil || under == nil || under.Receipt != job.Receipt { // another server has done it
			return err
		}
		receipt, err := tx.Receipt(job.Receipt)
		if err != nil {
			return err
		}
		receipt.Count, receipt.Hash = sum.n, sum.hex()
		if err := svc.feedback.EraseFeedback(tx, job.Selection); err != nil {
			return err
		}
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
		if err := tx.PutSetting(jobSetting, nil); err != nil {
			return err
		}
		if err := putProgress(tx, job.Receipt, job.At, p); err != nil {
			return err
		}
		return tx.PutSetting(shredSetting, []byte(job.Receipt))
	})
}

// shred ends the exports that began before, destroys the keys of what was erased, in the index too, and
// then says so in the receipt.
func (svc *Service) shred(ctx context.Context, t *tenant, id graph.ID) (receipt *graph.Receipt, err error) {
	if err := t.EndExports(ctx); err != nil {
		return nil, err
	}
	ended := t.Now()
	destroyed, err := graph.Shred(ctx, svc.Store, t.Scope)
	if err != nil {
		return nil, err
	}
	if _, err := graph.Shred(ctx, svc.Store, graph.ServerScope()); err != nil { // of API keys of the user
		return nil, err
	}
	key, err := svc.proofKey(ctx, t.Scope)
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	backups, err := svc.backupsNow(ctx, ended)
	if err != nil {
		return nil, err
	}
	err = t.Update(ctx, func(tx graph.Tx) error {
		if receipt, err = tx.Receipt(id); err != nil || receipt.Status == graph.DeletionComplete {
			return err
		}
		p, err := readProgress(tx, id)
		if err != nil {
			return err
		}
		receipt.Status, receipt.CompletedAt = graph.DeletionComplete, t.Now()
		if p == nil { // an earlier version began it: what comes before this was done
			p = svc.newProgress()
			for _, store := range []string{proof.Recess, proof.Map, proof.Ledger} {
				p.reach(store, proof.Complete, receipt.CompletedAt)
			}
		}
		p.reach(proof.Exports, proof.Complete, ended)
		p.reach(proof.Store, proof.Complete, receipt.CompletedAt)
		p.reach(proof.Index, proof.Complete, receipt.CompletedAt)
		p.reach(proof.Replicas, proof.BeyondUse, receipt.CompletedAt)
		p.backUp(backups, receipt.CompletedAt)
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
		if err := putProgress(tx, id, receipt.RequestedAt, p); err != nil {
			return err
		}
		if err := svc.logReceipt(tx, key, receipt, p, destroyed); err != nil {
			return err
		}
		return tx.PutSetting(shredSetting, nil)
	})
	if err != nil {
		return nil, err
	}
	svc.Log.Info("[RTBF] erased", "receipt", receipt.ID, "count", receipt.Count)
	return receipt, nil
}

// eraseElsewhere records the memories of a receipt in the ledger, and the owners of whom everything is erased, then erases them from the recess and
// from the saved map. p is how far it came.
func (svc *Service) eraseElsewhere(ctx context.Context, t *tenant, job *erasureJob, p *progress) error {
	if svc.Erasures != nil {
		err := eachErased(ctx, t, job.Receipt, func(ids []graph.ID) error { return svc.Erasures.Append(t.Scope, job.Receipt, job.At, ids) })
		if err == nil && job.byOwner() {
			err = svc.recordOwners(ctx, t, job)
		}
		if err != nil {
			return err
		}
		p.reach(proof.Ledger, proof.Complete, t.Now())
	}
	if svc.Recess != nil {
		err := eachErased(ctx, t, job.Receipt, func(ids []graph.ID) error { _, err := svc.Recess.Erase(ctx, t.Scope, ids); return err })
		if err != nil {
			return err
		}
		p.reach(proof.Recess, proof.Complete, t.Now())
	}
	if svc.Map == nil {
		return nil
	}
	if err := t.Current(ctx); err != nil { // a map that is drawn from now on is without them
		return err
	}
	err := eachErased(ctx, t, job.Receipt, func(ids []graph.ID) error { return svc.Map.Erase(ctx, t.Scope, ids) })
	if err == nil {
		p.reach(proof.Map, proof.Complete, t.Now())
	}
	return err
}

// eachErased calls do with the erased ids of a receipt, some at a time.
func eachErased(ctx context.Context, t *tenant, receipt graph.ID, do func([]graph.ID) error) error {
	for after := graph.ID(""); ; {
		var ids []graph.ID
		err := t.View(ctx, func(r graph.Reader) (err error) { ids, err = r.ReceiptIDs(receipt, after, graph.MaxPage); return err })
		if err == nil && len(ids) > 0 {
			err = do(ids)
		}
		if err != nil || len(ids) < graph.MaxPage {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// dryRun returns the receipt that the job would have, and erases nothing.
func (svc *Service) dryRun(ctx context.Context, sight graph.Sight, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	set := newErasureSet()
	err := t.View(ctx, func(r graph.Reader) error {
		for after := graph.ID(""); ; {
			page, err := job.nextPage(r, after)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, m := range page {
				if job.selects(m) {
					if err := set.addSelected(r, m); err != nil {
						return err
					}
				}
			}
			after = job.lastOf(page, after)
		}
	})
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(set.erased))
	forecast := &graph.Forecast{IDs: ids}
	kept := 0
	if err := svc.indexed(ctx, t); err != nil {
		return nil, err
	}
	err = t.View(ctx, func(r graph.Reader) error {
		kept, forecast.SafetyLost = 0, nil
		for _, id := range ids {
			m, err := r.Memory(id)
			if err != nil {
				return err
			}
			k, err := svc.anonymisedCopy(r, job, m)
			if err != nil {
				return err
			}
			if k != nil {
				kept++
			} else if (m.SafetyCritical || statesCare(m)) && m.Status() == graph.Active && !lifecycle.IsExpired(m, job.At) {
				forecast.SafetyLost = append(forecast.SafetyLost, id)
			}
		}
		forecast.Mentions, err = svc.mentionsLeft(t, r, sight, job, set.erased)
		return err
	})
	if err != nil {
		return nil, err
	}
	keys, err := svc.keysOf(ctx, t, job)
	if err != nil {
		return nil, err
	}
	forecast.APIKeys = len(keys)
	sum := newIDHash()
	for _, id := range ids {
		sum.add(id)
	}
	return &graph.Receipt{Status: graph.DeletionPending, Count: len(ids), Hash: sum.hex(), RequestedAt: job.At, Anonymised: kept, Forecast: forecast}, nil
}

// ResumeForget finishes an erasure that a crash interrupted.
func (svc *Service) ResumeForget(ctx context.Context, wt *workspace.Tenant) error {
	t := svc.tenants.Of(wt)
	var job *erasureJob
	var shredding graph.ID
	err := t.View(ctx, func(r graph.Reader) (err error) {
		if job, err = readJob(r); err == nil {
			shredding, err = readShredding(r)
		}
		return err
	})
	if err == nil && shredding != "" {
		_, err = svc.shred(ctx, t, shredding)
	}
	if err == nil && job != nil {
		_, err = svc.runJob(ctx, t, job)
	}
	return err
}
