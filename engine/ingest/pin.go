package ingest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// MaxCoreTokens is the maximum number of tokens in the core memories of one user.
const MaxCoreTokens = 1500

// Pin makes a memory core: every prompt contains it. The error is LIMIT_EXCEEDED if the
// core of the user has no room for it, and FORBIDDEN for a caller that may not
// pin (mayPin).
func (svc *Service) Pin(ctx context.Context, c workspace.Caller, id graph.ID) (*workspace.View, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	// Pins are serial, because the room depends on many memories.
	t.core.Lock()
	defer t.core.Unlock()
	var v *workspace.View
	err = t.InSequence(ctx, workspace.CoreSequence, func(ctx context.Context, sequence *workspace.Sequence) error {
		if err := t.Current(ctx); err != nil {
			return err
		}
		v, err = svc.pin(ctx, c, t, id, sequence)
		return err
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return v, nil
}

// pin is one attempt to make a memory core.
func (svc *Service) pin(ctx context.Context, c workspace.Caller, t *tenant, id graph.ID, sequence *workspace.Sequence) (*workspace.View, error) {
	return svc.Change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if err := mayPin(c, m); err != nil {
			return "", err
		}
		if m.State().Core {
			return "", nil
		}
		if m.Status() != graph.Active {
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
		}
		if err := sequence.Advance(tx); err != nil {
			return "", err
		}
		used, err := svc.coreTokens(tx, t, m.User)
		if err != nil {
			return "", err
		}
		if err := checkCoreRoom(used, m.Content, "id"); err != nil {
			return "", err
		}
		m.SetState(now, func(s *graph.State) { s.Core = true })
		return graph.EventUpdated, nil
	})
}

// mayPin returns FORBIDDEN unless the caller is an administrator, or may curate and share and
// change the memory: what is core stands in every prompt.
func mayPin(c workspace.Caller, m *graph.Memory) error {
	if c.Admin {
		return nil
	}
	if c.May(access.MemoryCurate) && c.May(access.MemoryShare) {
		return mayChange(c, m)
	}
	return graph.FieldError(graph.CodeForbidden, "id", "pinning requires the scopes %s and %s", access.MemoryCurate, access.MemoryShare)
}

// Unpin removes a memory from the core. It is FORBIDDEN for a caller that may not pin.
func (svc *Service) Unpin(ctx context.Context, c workspace.Caller, id graph.ID) (*workspace.View, error) {
	return svc.Change(ctx, c, id, func(_ graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if err := mayPin(c, m); err != nil {
			return "", err
		}
		if !m.State().Core {
			return "", nil
		}
		m.SetState(now, func(s *graph.State) { s.Core = false })
		return graph.EventUpdated, nil
	})
}

// Core returns the core memories of the user and the shared ones, oldest first.
func (svc *Service) Core(ctx context.Context, c workspace.Caller, user string, namespaces []string) ([]*workspace.View, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, err
	}
	if _, err := c.AllowedUsers(user); err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	owner := cmp.Or(user, c.User)
	ids := svc.coreIDs(t, func(d *index.Doc) bool {
		return workspace.SameOwner(owner, d.User) && (len(spaces) == 0 || slices.Contains(spaces, d.Namespace))
	})
	views, err := svc.MemoriesByID(ctx, c, ids, workspace.Access{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(views, func(v *workspace.View) bool { return v == nil || !v.State.Core || v.State.Status != graph.Active }), nil
}

// coreIDs returns the ids of the core memories that keep accepts, ascending.
func (svc *Service) coreIDs(t *tenant, keep func(*index.Doc) bool) []graph.ID {
	var ids []graph.ID
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if s := d.History[len(d.History)-1]; s.Core && s.Status == graph.Active && keep(d) {
			ids = append(ids, d.ID)
		}
		return true
	})
	return ids
}

// coreTokens counts the tokens in the core of a user.
func (svc *Service) coreTokens(r graph.Reader, t *tenant, user string) (int, error) {
	pinned, err := graph.Undamaged(r, svc.coreIDs(t, func(d *index.Doc) bool { return d.User == user }))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, m := range pinned {
		if m != nil && m.State().Core && m.Status() == graph.Active {
			n += prompt.Count(m.Content)
		}
	}
	return n, nil
}

// checkCoreRoom returns an error if content does not fit into a core with used tokens.
func checkCoreRoom(used int, content, field string) error {
	if n := prompt.Count(content); used+n > MaxCoreTokens {
		return graph.FieldError(graph.CodeLimitExceeded, field, "needs %d tokens of core memory, and %d of %d are in use", n, used, MaxCoreTokens)
	}
	return nil
}

// reserveCore reserves room in the core for a new memory. It returns an error if the
// memory does not fit.
func (s *WriteTx) reserveCore(m *graph.Memory) *graph.Error {
	used, err := s.svc.coreTokens(s.Tx, s.t, m.User)
	if err != nil {
		return s.svc.ItemError(err)
	}
	if s.coreAdded == nil {
		s.coreAdded = map[string]int{}
	}
	if err := checkCoreRoom(used+s.coreAdded[m.User], m.Content, "core"); err != nil {
		return s.svc.ItemError(err)
	}
	s.coreAdded[m.User] += prompt.Count(m.Content)
	return nil
}
