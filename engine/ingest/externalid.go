package ingest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// externalIDError is the error for an external id that is no name.
func externalIDError() *graph.Error {
	return graph.FieldError(graph.CodeInvalidRequest, "externalId", "must be 1 to %d bytes of UTF-8", graph.MaxName)
}

// externalHolder returns the memory that has an external id in a namespace, of those that the sight
// shows; nil: none has. What it does not show takes no name away, since a refused one would tell that
// it exists.
func externalHolder(r graph.Reader, sight graph.Sight, namespace, externalID string) (*graph.Memory, error) {
	holder, held, err := namedMemory(r, sight, namespace, externalID, time.Time{})
	if err != nil || !held {
		return nil, err
	}
	return holder, nil
}

// namedPage is the number of memories that are read at once to find one with an external id: mostly the first one is it.
const namedPage = 8

// namedMemory returns the memory with an external id that the sight shows, in its newest version that
// was recorded by an instant, if that is not zero; nil: there is none. held is false if its next version
// has another name. Where several owners gave the same name, because they do not see each other's memories, it
// is that of the first of [own], else the one that was named first: nobody takes over a name that others use.
func namedMemory(r graph.Reader, sight graph.Sight, namespace, externalID string, by time.Time) (best *graph.Memory, held bool, err error) {
	q := graph.MemoryQuery{Namespaces: []string{namespace}, ExternalID: externalID, Limit: namedPage}
	shown := func(m *graph.Memory) bool { return sight.Memory(m) && (by.IsZero() || !m.RecordedAt.After(by)) }
	tried := map[string]bool{}
	try := func(owner string) error {
		if tried[owner] {
			return nil
		}
		tried[owner] = true
		of := q
		of.Users, of.Descending = []string{owner}, true
		m, err := firstNamed(r, of, shown)
		if err != nil || m == nil {
			return err
		}
		best = cmp.Or(best, m)
		if gaveUp, err := givesUp(r, sight, m); err != nil || gaveUp {
			return err
		}
		best, held = m, true
		return nil
	}
	for _, owner := range own(sight) {
		if err := try(owner); err != nil || held {
			return best, held, err
		}
	}
	for { // the owners in the order in which they gave the name
		m, err := firstNamed(r, q, func(m *graph.Memory) bool { return !tried[m.User] && shown(m) })
		if err != nil || m == nil {
			return best, false, err
		}
		if err := try(m.User); err != nil || held {
			return best, held, err
		}
		q.After = m.ID
	}
}

// own are the owners of what is the sight's own, in the order in which they are asked for a name. What its agent keeps private about its
// user comes first: other agents of the user do not see it, and may have given its name since. What the agent keeps private about nobody is
// that of a sight without a user; one with a user finds it after what belongs to that user.
func own(sight graph.Sight) (owners []string) {
	if sight.Agent != "" {
		owners = append(owners, graph.PrivateOwner(sight.User, sight.Agent))
	}
	if sight.User != "" {
		owners = append(owners, sight.User)
	}
	return owners
}

// firstNamed returns the first memory of a query that is shown; nil: there is none.
func firstNamed(r graph.Reader, q graph.MemoryQuery, shown func(*graph.Memory) bool) (*graph.Memory, error) {
	for {
		found, err := r.ListMemories(q)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		if i := slices.IndexFunc(found, shown); i >= 0 {
			return found[i], nil
		}
		q.After = found[len(found)-1].ID
	}
}

// givesUp reports whether the next version of a memory, as the sight shows it, has another external id.
func givesUp(r graph.Reader, sight graph.Sight, m *graph.Memory) (bool, error) {
	if m.SupersededBy == "" {
		return false, nil
	}
	next, err := r.Memory(m.SupersededBy)
	if known, err := graph.Found(err); err != nil || !known {
		return false, err
	}
	return sight.Memory(next) && next.ExternalID != "" && next.ExternalID != m.ExternalID, nil
}

// reinforces reports whether a draft strengthens a near duplicate instead of being stored. One
// with an external id never does: its caller must find it.
func (d *Draft) reinforces() bool {
	return d.in.OnDuplicate == Reinforce && d.Memory.ExternalID == ""
}

// answerHolder returns the result for a draft whose external id a memory has: that memory if it is
// of the same owner and says the same, else an error. It stores nothing.
func (s *WriteTx) answerHolder(d *Draft, holder *graph.Memory) (RememberResult, error) {
	if holder.User != d.Memory.User || holder.Content != d.Memory.Content {
		return RememberResult{Error: heldError(d.Memory.User, holder)}, nil
	}
	r := RememberResult{Memory: workspace.NewView(holder, workspace.Access{}, s.Now), Replayed: true}
	return r, s.KeepAnswer(d, holder.ID, r)
}

// mayName returns VERSION_CONFLICT if the successor of a version names an external id that a
// memory of another chain has.
func (s *WriteTx) mayName(d *Draft, old *graph.Memory) error {
	successor := d.Memory
	if successor.ExternalID == "" || successor.ExternalID == old.ExternalID {
		return nil
	}
	holder, err := externalHolder(s.Tx, d.Sight, old.Namespace, successor.ExternalID)
	if err != nil || holder == nil || holder.Chain == old.Chain {
		return err
	}
	return heldError(old.User, holder)
}

// heldError is the error of a write for an owner whose external id another memory has, which the caller sees. It names
// that memory only to its user.
func heldError(owner string, holder *graph.Memory) *graph.Error {
	switch {
	case graph.UserOf(holder.User) != graph.UserOf(owner):
		return graph.FieldError(graph.CodeVersionConflict, "externalId", "is taken in namespace %s by a memory of another user", holder.Namespace)
	case holder.User != owner:
		return graph.FieldError(graph.CodeVersionConflict, "externalId", "is that of memory %s, which does not have the same readers", holder.ID)
	}
	return graph.FieldError(graph.CodeVersionConflict, "externalId", "is that of memory %s, with other content: supersede it", holder.ID)
}

// MemoryByExternalID returns the newest version with an external id that existed at the read's
// instant, in any status. Where callers that do not see each other's memories gave the same name, it is
// the caller's own memory, first one that its agent keeps private, or the one that was named first.
// MEMORY_NOT_FOUND if there is none that the caller may see; FORBIDDEN if consent withholds it.
func (svc *Service) MemoryByExternalID(ctx context.Context, c workspace.Caller, namespace, externalID string, a workspace.Access) (*workspace.View, error) {
	if !graph.ValidNamespace(namespace) {
		return nil, graph.NamespaceError("namespace")
	}
	if externalID == "" || len(externalID) > graph.MaxName {
		return nil, externalIDError()
	}
	if _, err := c.AllowedNamespaces([]string{namespace}); err != nil {
		return nil, err
	}
	var id graph.ID
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		found, _, err := namedMemory(r, c.Sight(), namespace, externalID, a.AsOf.Recorded)
		if found != nil {
			id = found.ID
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if id == "" {
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "externalId", "no memory has it")
	}
	v, err := svc.Memory(ctx, c, id, a)
	if e := (*graph.Error)(nil); errors.As(err, &e) && e.Field == "id" {
		return nil, graph.FieldError(e.Code, "externalId", "%s", e.Message)
	}
	return v, err
}
