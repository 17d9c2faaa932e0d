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

// namedMemory returns the memory with an external id that the sight shows, in its newest version that
// was recorded by an instant, if that is not zero; nil: there is none. held is false if its next version
// has another name. Where several owners gave the same name, because they do not see each other's memories, it
// is that of the user of the sight, else the one that was named first: nobody takes over a name that others use.
func namedMemory(r graph.Reader, sight graph.Sight, namespace, externalID string, by time.Time) (best *graph.Memory, held bool, err error) {
	q := graph.MemoryQuery{Namespaces: []string{namespace}, ExternalID: externalID, Descending: true}
	newest := map[string]*graph.Memory{} // by owner
	var owners []string                  // the one that gave the name last is first
	for {
		found, err := r.ListMemories(q)
		if err != nil {
			return nil, false, err
		}
		if len(found) == 0 {
			break
		}
		for _, m := range found {
			if !sight.Memory(m) || !by.IsZero() && m.RecordedAt.After(by) {
				continue
			}
			if newest[m.User] == nil {
				newest[m.User] = m
			}
			owners = append(slices.DeleteFunc(owners, func(o string) bool { return o == m.User }), m.User)
		}
		q.After = found[len(found)-1].ID
	}
	slices.Reverse(owners)
	slices.SortStableFunc(owners, func(a, b string) int {
		return cmp.Compare(ownRank(sight, a), ownRank(sight, b))
	})
	for _, o := range owners {
		m := newest[o]
		best = cmp.Or(best, m)
		if m.SupersededBy == "" {
			return m, true, nil
		}
		next, err := r.Memory(m.SupersededBy)
		if err != nil && !errors.Is(err, graph.ErrNotFound) {
			return nil, false, err
		}
		if err != nil || !sight.Memory(next) || next.ExternalID == "" || next.ExternalID == externalID {
			return m, true, nil
		}
	}
	return best, false, nil
}

// ownRank is 0 for the owners of the user that the sight is bound to, and for all if it is bound to none.
func ownRank(sight graph.Sight, owner string) int {
	if sight.User != "" && graph.UserOf(owner) != sight.User {
		return 1
	}
	return 0
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
	holder, err := externalHolder(s.Tx, d.sight, old.Namespace, successor.ExternalID)
	if err != nil || holder == nil || holder.Chain == old.Chain {
		return err
	}
	return heldError(old.User, holder)
}

// heldError is the error for an external id that another memory has, which the caller sees. It names
// that memory only for its owner.
func heldError(user string, holder *graph.Memory) *graph.Error {
	if holder.User != user {
		return graph.FieldError(graph.CodeVersionConflict, "externalId", "is taken in namespace %s by a memory of another user", holder.Namespace)
	}
	return graph.FieldError(graph.CodeVersionConflict, "externalId", "is that of memory %s, with other content: supersede it", holder.ID)
}

// MemoryByExternalID returns the newest version with an external id that existed at the read's
// instant, in any status. Where callers that do not see each other's memories gave the same name, it is
// the caller's own memory, or the one that was named first. MEMORY_NOT_FOUND if there is none that the caller may see; FORBIDDEN if
// consent withholds it.
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
