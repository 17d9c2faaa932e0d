package erasure

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ForgetInput selects what to erase; what is set must all hold. Nothing set is
// INVALID_REQUEST; Tenant alone means everything.
type ForgetInput struct {
	IDs            []graph.ID
	User           string
	Subject        string
	Namespace      string
	Tenant         bool
	DryRun         bool
	IdempotencyKey string
}

const (
	pageSize   = 32           // memories a transaction erases
	jobSetting = "forget.job" // setting that holds the erasure under way
)

// errErasing says that an erasure is under way in another server.
var errErasureRunning = errors.New("engine: an erasure is under way")

// job is an erasure under way. It is stored until it is complete, so that a
// crash can't leave it half done.
type erasureJob struct {
	Receipt graph.ID `json:"receipt"`
	workspace.Selection
	Everything bool      `json:"everything,omitempty"` // of the tenant: nobody is left to be kept safe
	At         time.Time `json:"at"`
}

// sessionEraser erases what is kept about the conversations of a selection.
type sessionEraser interface {
	EraseSessions(ctx context.Context, t *tenant, s workspace.Selection) error
}

// feedbackEraser erases, in a transaction, the questions of a selection that feedback kept.
type feedbackEraser interface {
	EraseFeedback(tx graph.Tx, s workspace.Selection) error
}

// Forget erases memories for good: from the store, the index, the feed's readers and
// every list, together with what was derived from them. The receipt's hash can be
// verified by anyone, and says how many that are a matter of safety are kept in a form that
// names nobody.
func (svc *Service) Forget(ctx context.Context, c workspace.Caller, in ForgetInput) (*graph.Receipt, error) {
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	job, err := svc.newJob(c, in)
	if err != nil {
		return nil, err
	}
	t.erasing.Lock()
	defer t.erasing.Unlock()
	if in.DryRun {
		job.At = t.Now()
		return svc.dryRun(ctx, t, job)
	}
	var receipt *graph.Receipt
	var replayed bool
	for begun := false; !begun; {
		// There is room for one job: one that failed half way comes first, or that another
		// server is at.
		if err := svc.ResumeForget(ctx, t.Tenant); err != nil {
			return nil, svc.PublicError(err)
		}
		job.At = t.Now()
		receipt, replayed, err = svc.beginForget(ctx, t, job, in)
		if begun = !errors.Is(err, errErasureRunning); begun && err != nil {
			return nil, svc.PublicError(err)
		}
	}
	if replayed {
		return receipt, nil
	}
	receipt, err = svc.runJob(ctx, t, job)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return receipt, t.Current(ctx)
}

// erasureOf turns the selectors into a job that the caller may run.
func (svc *Service) newJob(c workspace.Caller, in ForgetInput) (*erasureJob, error) {
	if len(in.IDs) == 0 && in.User == "" && in.Subject == "" && in.Namespace == "" && !in.Tenant {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "input", "names nothing to forget: give ids, user, subject, namespace or tenant")
	}
	if len(in.IDs) > workspace.MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(in.IDs), workspace.MaxMany)
	}
	if len(in.IdempotencyKey) > workspace.MaxKey {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "idempotencyKey", "has %d bytes, more than %d", len(in.IdempotencyKey), workspace.MaxKey)
	}
	for _, id := range in.IDs {
		if !id.Valid() {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "ids", "each must be a UUID")
		}
	}
	var asked []string
	if in.Namespace != "" {
		asked = []string{in.Namespace}
	}
	spaces, err := c.AllowedNamespaces(asked)
	if err != nil {
		return nil, err
	}
	if _, err := c.AllowedUsers(in.User); err != nil {
		return nil, err
	}
	job := &erasureJob{Selection: workspace.Selection{IDs: slices.Clone(in.IDs), User: in.User, Subject: extract.Canonical(in.Subject), Namespaces: spaces}}
	if in.Subject != "" && job.Subject == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "subject", "names nothing")
	}
	job.Everything = in.Tenant && len(in.IDs) == 0 && in.User == "" && in.Subject == "" && in.Namespace == ""
	if c.User != "" {
		job.Owners = []string{c.User}
	}
	slices.Sort(job.IDs)
	job.IDs = slices.Compact(job.IDs)
	return job, nil
}

// takes reports whether the job erases the memory.
func (j *erasureJob) selects(m *graph.Memory) bool {
	switch {
	case m == nil || m.Status() == graph.Forgotten || j.Receipt != "" && m.Source == j.anonymisedBy():
		return false
	case len(j.IDs) > 0 && !slices.Contains(j.IDs, m.ID):
		return false
	case j.User != "" && m.User != j.User:
		return false
	case j.Subject != "" && m.Subject != j.Subject:
		return false
	case len(j.Namespaces) > 0 && !slices.Contains(j.Namespaces, m.Namespace):
		return false
	}
	return len(j.Owners) == 0 || slices.Contains(j.Owners, m.User)
}

// next lists memories that the job may take, behind after.
func (j *erasureJob) nextPage(r graph.Reader, after graph.ID) ([]*graph.Memory, error) {
	if len(j.IDs) > 0 {
		at, found := slices.BinarySearch(j.IDs, after)
		if found {
			at++
		}
		return r.Memories(j.IDs[at:min(at+pageSize, len(j.IDs))])
	}
	q := graph.MemoryQuery{Namespaces: j.Namespaces, Subject: j.Subject, After: after, Limit: pageSize,
		Statuses: slices.DeleteFunc(slices.Clone(graph.Statuses), func(s graph.Status) bool { return s == graph.Forgotten })}
	if j.User != "" {
		q.Users = []string{j.User}
	}
	return r.ListMemories(q)
}

// rehearse says what the job would erase, and erases nothing.
func (svc *Service) dryRun(ctx context.Context, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	set := newErasureSet()
	err := t.View(ctx, func(r graph.Reader) error {
		for after := graph.ID(""); ; {
			page, err := job.nextPage(r, after)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, m := range page {
				if job.selects(m) {
					if err := set.addWithDerived(r, m.ID); err != nil {
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
	kept := 0
	err = t.View(ctx, func(r graph.Reader) error {
		kept = 0
		for id := range set.erased {
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
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	ids := sleep.SortedIDs(set.erased)
	sum := newIDHash()
	for _, id := range ids {
		sum.add(id)
	}
	return &graph.Receipt{Status: graph.DeletionPending, Count: len(ids), Hash: sum.hex(), RequestedAt: job.At, Anonymised: kept}, nil
}

// last is the id that the next page starts behind.
func (j *erasureJob) lastOf(page []*graph.Memory, after graph.ID) graph.ID {
	if len(j.IDs) == 0 {
		return page[len(page)-1].ID
	}
	at, found := slices.BinarySearch(j.IDs, after)
	if found {
		at++
	}
	return j.IDs[at+len(page)-1]
}

// closure is how far an erasure goes.
type erasureSet struct {
	erased       map[graph.ID]bool // what is erased
	mergeTargets map[graph.ID]bool // what something erased was folded into as saying the same: it stands
}

func newErasureSet() erasureSet { return erasureSet{map[graph.ID]bool{}, map[graph.ID]bool{}} }

// from adds a memory and everything whose words derive from it. What was said by itself
// keeps its own words when sleep folds a twin into it, and is not taken. ADR 19.
func (x erasureSet) addWithDerived(r graph.Reader, id graph.ID) error {
	if x.erased[id] {
		return nil
	}
	x.erased[id] = true
	derived, err := r.Edges(id, graph.In, graph.DerivedFrom)
	if err != nil {
		return err
	}
	for _, edge := range derived {
		m, err := r.Memory(edge.From)
		if err != nil {
			return err
		}
		if !lifecycle.MadeOfOthers(m) {
			x.mergeTargets[m.ID] = true
			continue
		}
		if err := x.addWithDerived(r, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// beginForget writes the pending receipt and the job, or finds the receipt that the
// idempotency key made before.
func (svc *Service) beginForget(ctx context.Context, t *tenant, job *erasureJob, in ForgetInput) (receipt *graph.Receipt, replayed bool, err error) {
	key := ""
	if in.IdempotencyKey != "" {
		key = "forget:" + in.IdempotencyKey
	}
	err = t.Update(ctx, func(tx graph.Tx) error {
		if key != "" {
			switch done, err := tx.Request(key); {
			case err == nil && done.Digest != workspace.Digest(in):
				return graph.FieldError(graph.CodeInvalidRequest, "idempotencyKey", "was used for another write")
			case err == nil:
				receipt, err = tx.Receipt(done.Result)
				replayed = true
				return err
			case !errors.Is(err, graph.ErrNotFound):
				return err
			}
		}
		if under, err := readJob(tx); err != nil || under != nil {
			return errors.Join(err, errErasureRunning)
		}
		if job.Receipt, err = svc.NewID(job.At); err != nil {
			return err
		}
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		receipt, replayed = &graph.Receipt{ID: job.Receipt, Status: graph.DeletionPending, Hash: newIDHash().hex(), RequestedAt: job.At}, false
		if key != "" {
			if err := tx.PutRequest(graph.Request{Key: key, Digest: workspace.Digest(in), Result: job.Receipt, At: job.At}); err != nil {
				return err
			}
		}
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
		return tx.PutSetting(jobSetting, text)
	})
	return receipt, replayed, err
}

// completeForget hashes the sorted ids and closes the receipt.
func (svc *Service) completeForget(ctx context.Context, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	if err := svc.eraseEngrams(ctx, t, job.Receipt); err != nil {
		return nil, err
	}
	receipt := &graph.Receipt{ID: job.Receipt, Status: graph.DeletionComplete, RequestedAt: job.At, CompletedAt: t.Now()}
	err := t.Update(ctx, func(tx graph.Tx) error {
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
		before, err := tx.Receipt(job.Receipt)
		if err != nil {
			return err
		}
		receipt.Count, receipt.Hash, receipt.Anonymised = sum.n, sum.hex(), before.Anonymised
		if err := svc.feedback.EraseFeedback(tx, job.Selection); err != nil {
			return err
		}
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
		under, err := readJob(tx)
		if err != nil || under == nil || under.Receipt != job.Receipt { // another server has ended it
			return err
		}
		return tx.PutSetting(jobSetting, nil)
	})
	if err != nil {
		return nil, err
	}
	if err := svc.TidyLetters(ctx, t.Tenant); err != nil {
		svc.Log.Warn("[RTBF] letters without words were left for the next sleep", "error", err)
	}
	t.WakePending() // what is kept for safety's sake, and what lost a twin, have no vector yet
	svc.ForgetWords(t.Tenant)
	svc.Log.Info("[RTBF] erased", "receipt", receipt.ID, "count", receipt.Count)
	return receipt, nil
}

// eraseEngrams removes what was erased from the recess too.
func (svc *Service) eraseEngrams(ctx context.Context, t *tenant, receipt graph.ID) error {
	if svc.Recess == nil {
		return nil
	}
	for after := graph.ID(""); ; {
		var ids []graph.ID
		err := t.View(ctx, func(r graph.Reader) (err error) {
			ids, err = r.ReceiptIDs(receipt, after, graph.MaxPage)
			return err
		})
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			if err := svc.Recess.Erase(ctx, t.Scope, ids); err != nil {
				return err
			}
		}
		if len(ids) < graph.MaxPage {
			return nil
		}
		after = ids[len(ids)-1]
	}
}

// ResumeForget finishes an erasure that a crash interrupted.
func (svc *Service) ResumeForget(ctx context.Context, wt *workspace.Tenant) error {
	t := svc.tenants.Of(wt)
	var job *erasureJob
	err := t.View(ctx, func(r graph.Reader) (err error) { job, err = readJob(r); return err })
	if err != nil || job == nil {
		return err
	}
	_, err = svc.runJob(ctx, t, job)
	return err
}

// readErasure answers the erasure under way, or nil.
func readJob(r graph.Reader) (*erasureJob, error) {
	var job erasureJob
	if found, err := lifecycle.ReadSetting(r, jobSetting, &job); err != nil || !found {
		return nil, err
	}
	return &job, nil
}
