package erasure

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// pageSize is the number of memories that one transaction of an erasure reads.
const pageSize = 32

// Settings of a running erasure.
const (
	jobSetting   = "forget.job"   // the job, until everything it selects is deleted
	shredSetting = "forget.shred" // then the id of its receipt, until the keys are destroyed
)

// erasureJob is a running erasure. It is stored until it is complete, so that an erasure
// interrupted by a crash is resumed.
type erasureJob struct {
	Receipt graph.ID `json:"receipt"`
	workspace.Selection
	Saying     []graph.ID `json:"saying,omitempty"`     // memories that say the name of an entity of the job, ascending
	Names      []string   `json:"names,omitempty"`      // of the entities
	Private    []string   `json:"private,omitempty"`    // owners of what agents keep private about the user
	Everything bool       `json:"everything,omitempty"` // the whole tenant: no anonymised copies are kept
	AllKeys    bool       `json:"allKeys,omitempty"`    // of the whole tenant: also API keys that are bound to no user
	Shares     bool       `json:"shares,omitempty"`     // who erases may write what belongs to nobody: anonymised copies are kept
	At         time.Time  `json:"at"`
}

// byOwner reports whether the job erases everything that belongs to its owners in its namespaces.
func (j *erasureJob) byOwner() bool {
	return len(j.IDs) == 0 && j.Subject == "" && len(j.Entities) == 0
}

// erasedOwners are the owners of whom a job by owner erases everything, as the ledger names them: its user, empty for everybody, or that of its
// caller without what the caller does not see.
func (j *erasureJob) erasedOwners() []string {
	switch {
	case j.Seen:
	case j.User == "" && len(j.Owners) > 0: // an earlier version began it
		return slices.Clone(j.Owners)
	default:
		return []string{j.User}
	}
	var owners []string
	for _, user := range j.Owners {
		owners = append(owners, graph.PrivateOwner(user, ""))
		if j.Agent != "" {
			owners = append(owners, graph.PrivateOwner(user, j.Agent))
		}
	}
	return owners
}

// newJob converts the selectors into a job, and checks that the caller may run it.
func (svc *Service) newJob(c workspace.Caller, in ForgetInput) (*erasureJob, error) {
	if len(in.IDs) == 0 && in.User == "" && in.Subject == "" && in.Entity == "" && in.Namespace == "" && !in.Tenant {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "input", "selects nothing to forget: give ids, user, subject, entity, namespace or tenant")
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
	// Others than administrators forget what belongs to the user of their credential.
	switch {
	case c.Admin:
	case in.Tenant:
		return nil, graph.FieldError(graph.CodeForbidden, "tenant", "requires the scope %s", access.MemoryAdmin)
	case c.User == "" || c.Narrowed:
		return nil, graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to no user: forgetting for others requires the scope %s", access.MemoryAdmin)
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
	job.Everything = in.Tenant && len(in.IDs) == 0 && in.User == "" && in.Subject == "" && in.Entity == "" && in.Namespace == ""
	job.AllKeys = job.Everything && in.AllKeys
	job.Shares = c.May(access.MemoryShare)
	if c.User != "" {
		job.Owners = []string{c.User}
	}
	// An erasure of the whole user takes what agents keep private. One of a part would tell whether there
	// is such a part, unless its caller sees it: an administrator without a user.
	if whole := in.User != "" && len(in.IDs) == 0 && in.Subject == "" && in.Entity == ""; !whole && (!c.Admin || c.User != "") {
		job.Seen, job.Agent = true, c.Agent
	}
	slices.Sort(job.IDs)
	job.IDs = slices.Compact(job.IDs)
	return job, nil
}

// selects reports whether the job erases the memory.
func (j *erasureJob) selects(m *graph.Memory) bool {
	if !j.mayErase(m) {
		return false
	}
	if len(j.Entities) == 0 || slices.ContainsFunc(m.Entities, func(id graph.ID) bool { return slices.Contains(j.Entities, id) }) {
		return true
	}
	_, said := slices.BinarySearch(j.Saying, m.ID)
	return said
}

// names reports whether a text is or says the name of an entity of the job.
func (j *erasureJob) names(text string) bool {
	return slices.ContainsFunc(j.Names, func(name string) bool { return text == extract.Canonical(name) || says(text, name) })
}

// mayErase reports whether the other selectors of the job than the entities select a memory.
func (j *erasureJob) mayErase(m *graph.Memory) bool {
	switch {
	case m == nil || m.Status() == graph.Forgotten || j.Receipt != "" && m.Source == j.anonymisedBy():
		return false
	case len(j.IDs) > 0 && !slices.Contains(j.IDs, m.ID):
		return false
	case j.Subject != "" && m.Subject != j.Subject:
		return false
	}
	return j.TakesOwner(m.Namespace, m.User)
}

// nextPage lists the next memories that the job may erase, after the id after.
func (j *erasureJob) nextPage(r graph.Reader, after graph.ID) ([]*graph.Memory, error) {
	if len(j.IDs) > 0 {
		at, found := slices.BinarySearch(j.IDs, after)
		if found {
			at++
		}
		return r.Memories(j.IDs[at:min(at+pageSize, len(j.IDs))])
	}
	if len(j.Entities) > 0 {
		return j.nextMentions(r, after)
	}
	q := graph.MemoryQuery{Namespaces: j.Namespaces, Subject: j.Subject, After: after, Limit: pageSize,
		Statuses: slices.DeleteFunc(slices.Clone(graph.Statuses), func(s graph.Status) bool { return s == graph.Forgotten })}
	if j.User != "" {
		q.Users = append([]string{j.User}, j.Private...)
	}
	return r.ListMemories(q)
}

// lastOf returns the id after which the next page starts.
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

// readJob returns the running erasure, or nil.
func readJob(r graph.Reader) (*erasureJob, error) {
	var job erasureJob
	if found, err := lifecycle.ReadSetting(r, jobSetting, &job); err != nil || !found {
		return nil, err
	}
	return &job, nil
}

// readShredding returns the receipt of an erasure whose keys remain to be destroyed; empty: none.
func readShredding(r graph.Reader) (graph.ID, error) {
	id, err := r.Setting(shredSetting)
	_, err = graph.Found(err)
	return graph.ID(id), err
}
