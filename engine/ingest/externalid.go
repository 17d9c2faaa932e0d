package ingest

import (
	"context"
	"errors"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// externalIDError is the error for an external id that is no name.
func externalIDError() *graph.Error {
	return graph.FieldError(graph.CodeInvalidRequest, "externalId", "must be 1 to %d bytes of UTF-8", graph.MaxName)
}

// externalHolder returns the newest memory of a namespace that has an external id; nil: none has. A
// memory whose next version names another external id has given its own up.
func externalHolder(r graph.Reader, namespace, externalID string) (*graph.Memory, error) {
	found, err := r.ListMemories(graph.MemoryQuery{Namespaces: []string{namespace}, ExternalID: externalID, Descending: true, Limit: 1})
	if err != nil || len(found) == 0 || found[0].SupersededBy == "" {
		return first(found), err
	}
	next, err := r.Memory(found[0].SupersededBy)
	if err != nil || next.ExternalID == "" || next.ExternalID == externalID {
		return found[0], err
	}
	return nil, nil
}

// first returns the first memory; nil: there is none.
func first(memories []*graph.Memory) *graph.Memory {
	if len(memories) == 0 {
		return nil
	}
	return memories[0]
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
func (s *WriteTx) mayName(successor, old *graph.Memory) error {
	if successor.ExternalID == "" || successor.ExternalID == old.ExternalID {
		return nil
	}
	holder, err := externalHolder(s.Tx, old.Namespace, successor.ExternalID)
	if err != nil || holder == nil || holder.Chain == old.Chain {
		return err
	}
	return heldError(old.User, holder)
}

// heldError is the error for an external id that another memory has. It names that memory only
// to its owner.
func heldError(user string, holder *graph.Memory) *graph.Error {
	if holder.User != user {
		return graph.FieldError(graph.CodeVersionConflict, "externalId", "is taken in namespace %s by a memory of another user", holder.Namespace)
	}
	return graph.FieldError(graph.CodeVersionConflict, "externalId", "is that of memory %s, with other content: supersede it", holder.ID)
}

// MemoryByExternalID returns the newest version with an external id that existed at the read's
// instant, in any status. MEMORY_NOT_FOUND if there is none that the caller may see; FORBIDDEN if
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
		q := graph.MemoryQuery{Namespaces: []string{namespace}, ExternalID: externalID, Descending: true}
		for {
			found, err := r.ListMemories(q)
			if err != nil || len(found) == 0 {
				return err
			}
			for _, m := range found {
				if a.AsOf.Recorded.IsZero() || !m.RecordedAt.After(a.AsOf.Recorded) {
					id = m.ID
					return nil
				}
			}
			q.After = found[len(found)-1].ID
		}
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
