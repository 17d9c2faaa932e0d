package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// instant is the recorded instant a read stands at.
func (a Access) instant(now time.Time) time.Time {
	if a.AsOf.Recorded.IsZero() {
		return now
	}
	return a.AsOf.Recorded
}

// consents are the consents the read may see; nil means any.
func (a Access) consents() []graph.Consent {
	switch {
	case !a.RequireConsent:
		return nil
	case a.IncludeImplicit:
		return []graph.Consent{graph.ConsentExplicit, graph.ConsentImplicit}
	}
	return []graph.Consent{graph.ConsentExplicit}
}

// permits reports whether the read may see what was written under the consent.
func (a Access) permits(c graph.Consent) bool {
	allowed := a.consents()
	for _, x := range allowed {
		if x == c {
			return true
		}
	}
	return allowed == nil
}

// stateAt is the state a read at the instant sees. A present read sees the last
// state even where it was recorded a few milliseconds ahead (see Memory.SetState).
func stateAt(m *graph.Memory, a Access, now time.Time) (graph.State, bool) {
	if m.Status() == graph.Forgotten {
		return m.State(), true
	}
	t := a.instant(now)
	if a.AsOf.Recorded.IsZero() && t.Before(m.State().From) {
		t = m.State().From
	}
	s, known := m.StateAt(t)
	if !known {
		return s, false
	}
	if v := a.AsOf.Valid; !v.IsZero() && (m.ValidFrom.After(v) || (!s.ValidTo.IsZero() && !s.ValidTo.After(v))) {
		return s, false
	}
	return s, true
}

// view is the memory as the read sees it: nil where it did not exist then.
func view(m *graph.Memory, a Access, now time.Time) *View {
	s, known := stateAt(m, a, now)
	if !known {
		return nil
	}
	v := &View{Memory: m, State: s, Access: a}
	if s.Status == graph.Forgotten {
		v.Unavailable = graph.FieldError(graph.CodeMemoryNotFound, "id", "was erased")
		return v
	}
	v.Retention = decay.RetentionAt(decayOf(m, s), a.instant(now))
	return v
}

// decayOf is what the decay curve asks of a memory.
func decayOf(m *graph.Memory, s graph.State) decay.Memory {
	return decay.Memory{
		Class: m.DecayClass, K: m.DecayK,
		CreatedAt: m.CreatedAt, AnchorAt: m.AnchorAt,
		Usage: m.Usage.Count, Days: m.Usage.Days, LastUse: m.Usage.Last,
		Important: m.Important, Confidence: m.Confidence,
		Permanent: s.Core || m.SafetyCritical || s.Tier == graph.L3,
	}
}

// Memory answers one memory by id. MEMORY_NOT_FOUND where there is none, or was
// none at the read's instant; FORBIDDEN where consent withholds it.
func (e *Engine) Memory(ctx context.Context, c Caller, id graph.ID, a Access) (*View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	now := e.Now()
	var m *graph.Memory
	err := e.store.View(ctx, c.scope(), func(r graph.Reader) (err error) { m, err = r.Memory(id); return err })
	if err != nil {
		return nil, missing(err)
	}
	if !c.sees(m.Namespace, m.User) {
		return nil, missing(graph.ErrNotFound)
	}
	v := view(m, a, now)
	if v == nil {
		return nil, missing(graph.ErrNotFound)
	}
	if v.State.Status != graph.Forgotten && !a.permits(m.Consent) {
		return nil, graph.FieldError(graph.CodeForbidden, "id", "was not written with the consent that this read requires")
	}
	e.verified(ctx, c.scope(), v)
	return v, nil
}

// MemoriesByID answers memories in the order of ids; what is missing, hidden or
// was not there at the read's instant is nil.
func (e *Engine) MemoriesByID(ctx context.Context, c Caller, ids []graph.ID, a Access) ([]*View, error) {
	now := e.Now()
	var found []*graph.Memory
	err := e.store.View(ctx, c.scope(), func(r graph.Reader) (err error) { found, err = r.Memories(ids); return err })
	if err != nil {
		return nil, err
	}
	views := make([]*View, len(found))
	for i, m := range found {
		views[i] = visible(m, c, a, now)
	}
	e.verified(ctx, c.scope(), views...)
	return views, nil
}

// docs are the memories in the namespaces asked for that the caller may see, of every
// time, with every write that was acknowledged; read-only.
func (e *Engine) docs(ctx context.Context, c Caller, namespaces []string) (*tenant, []*index.Doc, error) {
	spaces, err := c.namespaces(namespaces)
	if err != nil {
		return nil, nil, err
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	var docs []*index.Doc
	e.index.Docs(t.scope, func(d *index.Doc) bool {
		if c.sees(d.Namespace, d.User) && (len(spaces) == 0 || slices.Contains(spaces, d.Namespace)) {
			docs = append(docs, d)
		}
		return true
	})
	return t, docs, nil
}

// visible is the view of a memory for the caller, or nil where it may not be seen.
func visible(m *graph.Memory, c Caller, a Access, now time.Time) *View {
	if m == nil || !c.sees(m.Namespace, m.User) {
		return nil
	}
	if m.Status() != graph.Forgotten && !a.permits(m.Consent) {
		return nil
	}
	return view(m, a, now)
}

// missing turns a store's ErrNotFound into the error for people.
func missing(err error) error {
	if errors.Is(err, graph.ErrNotFound) {
		return &graph.Error{Code: graph.CodeMemoryNotFound, Field: "id", Message: "no memory has this id", Cause: err}
	}
	return err
}
