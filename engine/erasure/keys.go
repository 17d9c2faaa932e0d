package erasure

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// wholeUser reports whether the job erases all that is known of its user.
func (j *erasureJob) wholeUser() bool {
	return j.User != "" && len(j.IDs) == 0 && j.Subject == "" && len(j.Entities) == 0 && len(j.Namespaces) == 0
}

// wholeTenant reports whether the job erases all that is known of the tenant. The erasure of what an older copy brought back has ids.
func (j *erasureJob) wholeTenant() bool {
	return j.Everything && j.User == "" && len(j.IDs) == 0 && j.Subject == "" && len(j.Entities) == 0 && len(j.Namespaces) == 0 && len(j.Owners) == 0
}

// keysOf lists the API keys that a job deletes: those that are bound to its user; of a whole tenant those that are bound to any user, or all.
func (svc *Service) keysOf(ctx context.Context, t *tenant, job *erasureJob) ([]graph.ID, error) {
	tenant := job.wholeTenant()
	if !tenant && !job.wholeUser() {
		return nil, nil
	}
	return access.KeysOf(ctx, svc.Store, t.Scope.Tenant, func(k *access.Key) bool {
		if tenant {
			return job.AllKeys || k.User != ""
		}
		return k.User == job.User
	})
}

// eraseKeys deletes the API keys that a job deletes, since they name the users. The ledger has
// their ids first, in the scope of the server, so that an older copy of the store does not bring them back. p
// lists them for the proof; it is stored before they are gone.
func (svc *Service) eraseKeys(ctx context.Context, t *tenant, job *erasureJob, p *progress) error {
	if !job.wholeUser() && !job.wholeTenant() {
		return nil
	}
	err := t.View(ctx, func(r graph.Reader) error { // what an interrupted attempt deleted
		before, err := readProgress(r, job.Receipt)
		if before != nil {
			p.APIKeys = before.APIKeys
		}
		return err
	})
	if err != nil {
		return err
	}
	ids, err := svc.keysOf(ctx, t, job)
	if err != nil || len(ids) == 0 {
		return err
	}
	for _, id := range ids {
		p.APIKeys = append(p.APIKeys, access.PublicID(id))
	}
	slices.Sort(p.APIKeys)
	p.APIKeys = slices.Compact(p.APIKeys)
	if err := t.Update(ctx, func(tx graph.Tx) error { return putProgress(tx, job.Receipt, job.At, p) }); err != nil {
		return err
	}
	if svc.Erasures != nil {
		if err := svc.Erasures.Append(graph.ServerScope(), job.Receipt, job.At, ids); err != nil {
			return err
		}
	}
	_, err = access.DeleteKeys(ctx, svc.Store, ids)
	return err
}

// ReplayKeys deletes again the API keys that an erasure of their user deleted: an older copy of the store, or a
// restore, may have brought them back.
func (svc *Service) ReplayKeys(ctx context.Context) error {
	if svc.Erasures == nil {
		return nil
	}
	total := 0
	for ids := range slices.Chunk(svc.Erasures.IDs(graph.ServerScope()), workspace.MaxMany) {
		var back []graph.ID // a store that has none is not written
		err := svc.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
			back = nil
			for _, id := range ids {
				_, err := r.Note(graph.NoteAPIKey, id)
				known, err := graph.Found(err)
				if err != nil {
					return err
				}
				if known {
					back = append(back, id)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		n, err := access.DeleteKeys(ctx, svc.Store, back)
		if err != nil {
			return err
		}
		total += n
	}
	if total == 0 {
		return nil
	}
	svc.Log.Warn("[RTBF] API keys of erased users were back, from an older copy; they are deleted again", "count", total)
	_, err := graph.Shred(ctx, svc.Store, graph.ServerScope())
	return err
}
