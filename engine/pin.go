package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// MaxCoreTokens is what the core memories of one user may hold together.
const MaxCoreTokens = 1500

// Pin makes a memory core: it is in every prompt. LIMIT_EXCEEDED where the user's
// core has no room for it.
func (e *Engine) Pin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	// One pin at a time: room is counted over many memories.
	t.core.Lock()
	defer t.core.Unlock()
	var v *View
	err = t.inTurn(ctx, coreTurn, func(ctx context.Context, turn *turn) error {
		if err := t.Current(ctx); err != nil {
			return err
		}
		v, err = e.pin(ctx, c, t, id, turn)
		return err
	})
	if err != nil {
		return nil, e.whole(err)
	}
	return v, nil
}

// pin is one try to make a memory core.
func (e *Engine) pin(ctx context.Context, c Caller, t *tenant, id graph.ID, turn *turn) (*View, error) {
	return e.change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if m.State().Core {
			return "", nil
		}
		if m.Status() != graph.Active {
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
		}
		if err := turn.take(tx); err != nil {
			return "", err
		}
		taken, err := e.coreTokens(tx, t, m.User)
		if err != nil {
			return "", err
		}
		if err := fits(taken, m.Content, "id"); err != nil {
			return "", err
		}
		m.SetState(now, func(s *graph.State) { s.Core = true })
		return graph.EventUpdated, nil
	})
}

// Unpin takes a memory out of the core.
func (e *Engine) Unpin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.change(ctx, c, id, func(_ graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if !m.State().Core {
			return "", nil
		}
		m.SetState(now, func(s *graph.State) { s.Core = false })
		return graph.EventUpdated, nil
	})
}

// Core answers the core memories of the user and of nobody, oldest first.
func (e *Engine) Core(ctx context.Context, c Caller, user string, namespaces []string) ([]*View, error) {
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	spaces, err := c.namespaces(namespaces)
	if err != nil {
		return nil, err
	}
	if _, err := c.users(user); err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	owner := cmp.Or(user, c.User)
	ids := e.coreIDs(t, func(d *index.Doc) bool {
		return inCircle(owner, d.User) && (len(spaces) == 0 || slices.Contains(spaces, d.Namespace))
	})
	views, err := e.MemoriesByID(ctx, c, ids, Access{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(views, func(v *View) bool { return v == nil || !v.State.Core || v.State.Status != graph.Active }), nil
}

// coreIDs are the ids of core memories that the filter takes, ascending.
func (e *Engine) coreIDs(t *tenant, keep func(*index.Doc) bool) []graph.ID {
	var ids []graph.ID
	e.index.Docs(t.scope, func(d *index.Doc) bool {
		if s := d.History[len(d.History)-1]; s.Core && s.Status == graph.Active && keep(d) {
			ids = append(ids, d.ID)
		}
		return true
	})
	return ids
}

// coreTokens counts the tokens that a user's core holds.
func (e *Engine) coreTokens(r graph.Reader, t *tenant, user string) (int, error) {
	pinned, err := r.Memories(e.coreIDs(t, func(d *index.Doc) bool { return d.User == user }))
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

func fits(taken int, content, field string) error {
	if n := prompt.Count(content); taken+n > MaxCoreTokens {
		return graph.FieldError(graph.CodeLimitExceeded, field, "needs %d tokens of core memory, %d of %d are taken", n, taken, MaxCoreTokens)
	}
	return nil
}

// roomForCore answers an error where a draft that asks to be core does not fit.
func (s *storing) roomForCore(m *graph.Memory) *graph.Error {
	taken, err := s.e.coreTokens(s.tx, s.t, m.User)
	if err != nil {
		return s.e.shown(err)
	}
	if s.core == nil {
		s.core = map[string]int{}
	}
	if err := fits(taken+s.core[m.User], m.Content, "core"); err != nil {
		return s.e.shown(err)
	}
	s.core[m.User] += prompt.Count(m.Content)
	return nil
}
