package patterns

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Service answers the verbs of patterns.
type Service struct {
	*workspace.Space
	clusters  Clusters
	extractor Extractor
	serial    Serial
}

// Extractor stores the patterns of one cluster at once.
type Extractor interface {
	// ExtractPattern returns the ids of the patterns that it stored or found again, and the candidates
	// that it refused.
	ExtractPattern(ctx context.Context, c workspace.Caller, cluster graph.ID) (made []graph.ID, refused []pattern.Refused, err error)
}

// Serial runs jobs one at a time per tenant, between its writes.
type Serial interface {
	// RunExclusive runs job while nothing else is written, and returns its error.
	RunExclusive(ctx context.Context, t *workspace.Tenant, job func(ctx context.Context) error) error
}

// New creates the service.
func New(ws *workspace.Space, clusters Clusters, e Extractor, serial Serial) *Service {
	return &Service{Space: ws, clusters: clusters, extractor: e, serial: serial}
}

// Status is what became of a pattern.
type Status string

// The statuses.
const (
	Current    Status = "CURRENT"
	Contested  Status = "CONTESTED"  // it contradicts another one, and a person decides
	Superseded Status = "SUPERSEDED" // by a later version
	Ended      Status = "ENDED"      // withdrawn, rolled back, expired, or it lost a conflict
)

// Pattern is a pattern as a caller sees it.
type Pattern struct {
	*workspace.View            // the memory that holds it; its Pattern is not nil
	Status          Status     // see Status
	Conflicts       []graph.ID // ACTIVE patterns that it contradicts, the more confident first; only those that are visible
}

// Input selects patterns.
type Input struct {
	Namespaces []string            // empty: all that are granted
	User       string              // of this user and of nobody; empty: any
	Kinds      []graph.PatternKind // empty: all
	First      int                 // 1 to graph.MaxPage; 0: 50
	After      graph.ID            // exclusive; empty: from the first
}

// Page is a part of the list of patterns.
type Page struct {
	Patterns []Pattern
	More     bool
}

// Patterns lists the ACTIVE patterns that the caller sees, the newest last. Errors:
// INVALID_REQUEST with the field, FORBIDDEN for a namespace or a user that is not granted.
func (svc *Service) Patterns(ctx context.Context, c workspace.Caller, in Input) (*Page, error) {
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, err
	}
	if in.After != "" && !in.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "is not a cursor of this list")
	}
	for _, k := range in.Kinds {
		if !k.Valid() {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "kinds", "is not a kind of pattern")
		}
	}
	users, err := c.AllowedUsers(in.User)
	if err != nil {
		return nil, err
	}
	if len(users) == 1 {
		users = append(users, "") // what belongs to nobody is for every user
	}
	t, ids, err := svc.ids(ctx, c, in.Namespaces, func(d *index.Doc) bool {
		return workspace.StateOf(d).Status == graph.Active && d.ID > in.After &&
			(len(users) == 0 || slices.Contains(users, d.User)) && (len(in.Kinds) == 0 || slices.Contains(in.Kinds, d.Pattern))
	})
	if err != nil {
		return nil, err
	}
	page := &Page{}
	err = t.View(ctx, func(r graph.Reader) error {
		page.Patterns, page.More = nil, false
		for part := range slices.Chunk(ids, graph.MaxPage) {
			found, err := graph.Undamaged(r, part)
			if err != nil {
				return err
			}
			for _, m := range found {
				if m == nil || m.Pattern == nil || m.Status() != graph.Active {
					continue
				}
				if len(page.Patterns) == first {
					page.More = true
					return nil
				}
				p, err := svc.show(r, c, m)
				if err != nil {
					return err
				}
				page.Patterns = append(page.Patterns, *p)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return page, nil
}

// ids returns the ids of patterns in namespaces that the index has and keep wants, ascending.
func (svc *Service) ids(ctx context.Context, c workspace.Caller, namespaces []string, keep func(*index.Doc) bool) (*workspace.Tenant, []graph.ID, error) {
	t, docs, err := svc.Docs(ctx, c, namespaces)
	if err != nil {
		return nil, nil, err
	}
	var ids []graph.ID
	for _, d := range docs {
		if d.Pattern != "" && c.SeesDoc(d) && keep(d) {
			ids = append(ids, d.ID)
		}
	}
	slices.Sort(ids)
	return t, ids, nil
}

// Pattern returns a pattern in any status. MEMORY_NOT_FOUND if the caller sees no memory with the id,
// INVALID_REQUEST if it is no pattern.
func (svc *Service) Pattern(ctx context.Context, c workspace.Caller, id graph.ID) (*Pattern, error) {
	var p *Pattern
	err := svc.view(ctx, c, func(r graph.Reader) error {
		m, err := load(r, c, "id", id)
		if err != nil {
			return err
		}
		p, err = svc.show(r, c, m)
		return err
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return p, nil
}

// PatternsByID returns patterns in the order of ids, in any status; nil for a memory that is no
// pattern, was erased, or that the caller does not see.
func (svc *Service) PatternsByID(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*Pattern, error) {
	out := make([]*Pattern, len(ids))
	err := svc.view(ctx, c, func(r graph.Reader) error {
		clear(out)
		found, err := graph.Undamaged(r, ids)
		if err != nil {
			return err
		}
		for i, m := range found {
			if m == nil || m.Pattern == nil || m.Status() == graph.Forgotten {
				continue
			}
			if out[i], err = svc.show(r, c, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// PatternsOfCluster lists the ACTIVE patterns drawn from a cluster that the caller sees, the most
// confident first, at most first (0: 50).
func (svc *Service) PatternsOfCluster(ctx context.Context, c workspace.Caller, cluster graph.ID, first int) ([]Pattern, error) {
	first, err := workspace.PageSize("first", first, 50)
	if err != nil {
		return nil, err
	}
	if !cluster.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "cluster", "must be a UUID")
	}
	t, ids, err := svc.ids(ctx, c, nil, func(d *index.Doc) bool { return workspace.StateOf(d).Status == graph.Active })
	if err != nil {
		return nil, err
	}
	var out []Pattern
	err = t.View(ctx, func(r graph.Reader) error {
		out = nil
		var some []*graph.Memory
		for part := range slices.Chunk(ids, graph.MaxPage) {
			found, err := graph.Undamaged(r, part)
			if err != nil {
				return err
			}
			for _, m := range found {
				if m != nil && m.Pattern != nil && m.Status() == graph.Active && slices.Contains(m.Pattern.Clusters, cluster) {
					some = append(some, m)
				}
			}
		}
		slices.SortFunc(some, lifecycle.CompareConfidence)
		for _, m := range some[:min(first, len(some))] {
			p, err := svc.show(r, c, m)
			if err != nil {
				return err
			}
			out = append(out, *p)
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// view reads what the caller sees.
func (svc *Service) view(ctx context.Context, c workspace.Caller, fn func(graph.Reader) error) error {
	return svc.Store.View(ctx, c.Scope(), fn)
}

// load reads a pattern that the caller sees. field names the argument with the id.
func load(r graph.Reader, c workspace.Caller, field string, id graph.ID) (*graph.Memory, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, field, "must be a UUID")
	}
	m, err := workspace.LoadOwned(r, c, id)
	if err != nil {
		return nil, workspace.Renamed(err, field)
	}
	if m.Pattern == nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, field, "is no pattern")
	}
	return m, nil
}

// show returns a pattern with its status and its conflicts.
func (svc *Service) show(r graph.Reader, c workspace.Caller, m *graph.Memory) (*Pattern, error) {
	p := &Pattern{View: workspace.NewView(m, workspace.Access{}, svc.Now()), Status: Ended}
	switch {
	case m.Status() == graph.Active && !lifecycle.IsExpired(m, svc.Now()):
		p.Status = Current
	case m.Status() == graph.Superseded:
		p.Status = Superseded
	}
	against, err := opponents(r, c, m)
	if err != nil || p.Status != Current {
		return p, err
	}
	for _, x := range against {
		p.Conflicts = append(p.Conflicts, x.ID)
		if x.Pattern.SafetyCritical || m.Pattern.SafetyCritical {
			p.Status = Contested
		}
	}
	return p, nil
}

// opponents returns the ACTIVE patterns that contradict m and are visible, the more confident first,
// ties by id.
func opponents(r graph.Reader, c workspace.Caller, m *graph.Memory) ([]*graph.Memory, error) {
	edges, err := r.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return nil, err
	}
	var out []*graph.Memory
	for _, edge := range edges {
		if edge.Weight == 0 {
			continue
		}
		found, err := graph.Undamaged(r, []graph.ID{lifecycle.OtherEnd(edge, m.ID)})
		if err != nil {
			return nil, err
		}
		if x := found[0]; x != nil && x.Pattern != nil && x.Status() == graph.Active && c.Sight().Memory(x) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, lifecycle.CompareConfidence)
	return out, nil
}

// Sources returns the sources of a pattern that the caller sees, by id, at most first (0: 50).
// Erased ones are omitted.
func (svc *Service) Sources(ctx context.Context, c workspace.Caller, id graph.ID, first int) ([]*workspace.View, error) {
	first, err := workspace.PageSize("first", first, 50)
	if err != nil {
		return nil, err
	}
	var out []*workspace.View
	err = svc.view(ctx, c, func(r graph.Reader) error {
		m, err := load(r, c, "id", id)
		if err != nil {
			return err
		}
		sources, err := sourcesOf(r, c, m.ID)
		out = views(sources[:min(first, len(sources))], svc.Now())
		return err
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	svc.Verify(ctx, c.Scope(), out...)
	return out, nil
}

// sourcesOf reads the sources of a pattern that are visible and not erased, by id.
func sourcesOf(r graph.Reader, c workspace.Caller, id graph.ID) ([]*graph.Memory, error) {
	edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(edges))
	for i, e := range edges {
		ids[i] = e.To
	}
	slices.Sort(ids)
	found, err := graph.Undamaged(r, ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool {
		return m == nil || m.Status() == graph.Forgotten || !c.Sight().Memory(m)
	}), err
}

func views(all []*graph.Memory, now time.Time) []*workspace.View {
	out := make([]*workspace.View, len(all))
	for i, m := range all {
		out[i] = workspace.NewView(m, workspace.Access{}, now)
	}
	return out
}
