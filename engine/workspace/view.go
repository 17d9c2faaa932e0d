package workspace

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// LoadOwned reads a memory that the caller may change. MEMORY_NOT_FOUND if it does not exist,
// belongs to another user, or was erased.
func LoadOwned(r graph.Reader, c Caller, id graph.ID) (*graph.Memory, error) {
	m, err := graph.See(r, c.Sight()).Memory(id)
	if err != nil {
		return nil, NotFound(err)
	}
	if m.Status() == graph.Forgotten {
		return nil, NotFound(graph.ErrNotFound)
	}
	return m, nil
}

// Instant returns the transaction time of a read.
func (a Access) Instant(now time.Time) time.Time {
	if a.AsOf.Recorded.IsZero() {
		return now
	}
	return a.AsOf.Recorded
}

// Consents returns the consents that the read may see; nil: any.
func (a Access) Consents() []graph.Consent {
	switch {
	case !a.RequireConsent:
		return nil
	case a.IncludeImplicit:
		return []graph.Consent{graph.ConsentExplicit, graph.ConsentImplicit}
	}
	return []graph.Consent{graph.ConsentExplicit}
}

// permits reports whether the read may see memories with the consent.
func (a Access) permits(c graph.Consent) bool {
	return among(a.Consents(), c)
}

// stateAt returns the state at the read's instant. A read of the present sees the last state
// even if it was recorded a few milliseconds in the future (see Memory.SetState).
func stateAt(m *graph.Memory, a Access, now time.Time) (graph.State, bool) {
	if m.Status() == graph.Forgotten {
		return m.State(), true
	}
	t := a.Instant(now)
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

// NewView returns the memory as the read sees it, or nil if it did not exist at that instant.
func NewView(m *graph.Memory, a Access, now time.Time) *View {
	s, known := stateAt(m, a, now)
	if !known {
		return nil
	}
	if salience, day := lifecycle.CurrentSalience(m); day != m.SalienceDay {
		used := *m
		used.Salience, used.SalienceDay = salience, day
		m = &used
	}
	v := &View{Memory: m, State: s, Access: a}
	if s.Status == graph.Forgotten {
		v.Unavailable = graph.FieldError(graph.CodeMemoryNotFound, "id", "was erased")
		return v
	}
	v.Retention = decay.RetentionAt(DecayOf(m, s), a.Instant(now))
	return v
}

// Memory returns one memory by id. MEMORY_NOT_FOUND if it does not exist, or did not at the
// read's instant. FORBIDDEN if consent withholds it.
func (ws *Space) Memory(ctx context.Context, c Caller, id graph.ID, a Access) (*View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	now := ws.Now()
	var m *graph.Memory
	err := ws.Store.View(ctx, c.Scope(), func(r graph.Reader) (err error) { m, err = r.Memory(id); return err })
	if err != nil {
		return nil, NotFound(err)
	}
	v, err := viewNamed(m, a, now, "id")
	if err != nil {
		return nil, err
	}
	ws.Verify(ctx, c.Scope(), v)
	return v, nil
}

// viewNamed returns the view of a memory that an argument of a read names.
func viewNamed(m *graph.Memory, a Access, now time.Time, field string) (*View, error) {
	v := NewView(m, a, now)
	if v == nil {
		return nil, &graph.Error{Code: graph.CodeMemoryNotFound, Field: field, Message: "no memory has this id", Cause: graph.ErrNotFound}
	}
	if v.State.Status != graph.Forgotten && !a.permits(m.Consent) {
		return nil, graph.FieldError(graph.CodeForbidden, field, "was not written with the consent that this read requires")
	}
	return v, nil
}

// LoadNamed reads a memory that an argument of a read names. MEMORY_NOT_FOUND if it does not exist,
// did not at the read's instant, or was erased. FORBIDDEN if consent withholds it.
func LoadNamed(r graph.Reader, c Caller, id graph.ID, a Access, now time.Time, field string) (*graph.Memory, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, field, "must be a UUID")
	}
	m, err := LoadOwned(r, c, id)
	if graph.CodeOf(err) == graph.CodeMemoryNotFound {
		return nil, &graph.Error{Code: graph.CodeMemoryNotFound, Field: field, Message: "no memory has this id", Cause: err}
	}
	if err != nil {
		return nil, err
	}
	_, err = viewNamed(m, a, now, field)
	return m, err
}

// MemoriesByID returns memories in the order of ids. A memory is nil if it is missing, hidden,
// or did not exist at the read's instant.
func (ws *Space) MemoriesByID(ctx context.Context, c Caller, ids []graph.ID, a Access) ([]*View, error) {
	now := ws.Now()
	var found []*graph.Memory
	err := ws.Store.View(ctx, c.Scope(), func(r graph.Reader) (err error) { found, err = r.Memories(ids); return err })
	if err != nil {
		return nil, err
	}
	views := make([]*View, len(found))
	for i, m := range found {
		views[i] = Visible(m, c, a, now)
	}
	ws.Verify(ctx, c.Scope(), views...)
	return views, nil
}

// Docs returns the index entries that the caller may see in the requested namespaces, of all
// times, including every acknowledged write. They are read-only.
func (ws *Space) Docs(ctx context.Context, c Caller, namespaces []string) (*Tenant, []*index.Doc, error) {
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, nil, err
	}
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	var docs []*index.Doc
	ws.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if len(spaces) == 0 || slices.Contains(spaces, d.Namespace) {
			docs = append(docs, d)
		}
		return true
	})
	return t, docs, nil
}

// Visible returns the caller's view of a memory, or nil if it is hidden.
func Visible(m *graph.Memory, c Caller, a Access, now time.Time) *View {
	if m == nil || !c.Sight().Memory(m) {
		return nil
	}
	if m.Status() != graph.Forgotten && !a.permits(m.Consent) {
		return nil
	}
	return NewView(m, a, now)
}
