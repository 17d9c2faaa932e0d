package ingest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Conflict is a pair of ACTIVE memories that contradict each other.
type Conflict struct {
	Later, Earlier *workspace.View
	Score          float64 // [0,1]
	At             time.Time
}

// Conflicts lists unresolved conflicts between ACTIVE memories, strongest first. It
// returns at most first conflicts (0: 50).
func (svc *Service) Conflicts(ctx context.Context, c workspace.Caller, namespaces []string, first int) ([]Conflict, error) {
	first, err := workspace.PageSize("first", first, 50)
	if err != nil {
		return nil, err
	}
	t, docs, err := svc.Docs(ctx, c, namespaces)
	if err != nil {
		return nil, err
	}
	now := svc.Now()
	var ids []graph.ID
	for _, d := range docs {
		// Of two memories in conflict, the one with less authority always has a signal.
		if d.Conflict > 0 {
			ids = append(ids, d.ID)
		}
	}
	var edges []graph.Edge
	views := map[graph.ID]*workspace.View{}
	err = t.View(ctx, func(r graph.Reader) error {
		edges = nil
		clear(views)
		seen := map[[2]graph.ID]bool{}
		for _, id := range ids {
			contradictions, err := r.Edges(id, graph.Both, graph.Contradicts)
			if err != nil {
				return err
			}
			for _, edge := range contradictions {
				if k := [2]graph.ID{edge.From, edge.To}; edge.Weight > 0 && !seen[k] {
					seen[k] = true
					edges = append(edges, edge)
				}
			}
		}
		slices.SortFunc(edges, func(a, b graph.Edge) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), b.At.Compare(a.At), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
		pairs := 0
		for _, edge := range edges {
			found, err := graph.Undamaged(r, []graph.ID{edge.From, edge.To})
			if err != nil {
				return err
			}
			active := 0
			for _, m := range found {
				if v := workspace.Visible(m, c, workspace.Access{}, now); v != nil && v.State.Status == graph.Active {
					views[m.ID] = v
					active++
				}
			}
			if active == 2 {
				if pairs++; pairs == first {
					break
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []Conflict
	for _, edge := range edges {
		x := Conflict{Later: views[edge.From], Earlier: views[edge.To], Score: edge.Weight, At: edge.At}
		if x.Later != nil && x.Earlier != nil && len(out) < first {
			svc.Verify(ctx, t.Scope, x.Later, x.Earlier)
			out = append(out, x)
		}
	}
	return out, nil
}

// ResolveConflict ends a conflict manually and returns both memories. If keep names one of
// the two, it supersedes the other. If keep is empty, both stay and the conflict is
// dismissed. The grant must reach the authority of the superseded memory, or of both if
// both stay; otherwise the error is FORBIDDEN. It is also FORBIDDEN to supersede a
// safety-critical memory, and a memory with consent by one without. VERSION_CONFLICT means that one is no
// longer ACTIVE, INVALID_REQUEST that the two are not in conflict.
func (svc *Service) ResolveConflict(ctx context.Context, c workspace.Caller, a, b, keep graph.ID, reason string) ([]*workspace.View, error) {
	switch {
	case !a.Valid():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "a", "must be a UUID")
	case !b.Valid() || a == b:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "b", "must be the UUID of another memory")
	case keep != "" && keep != a && keep != b:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "keep", "must be a or b")
	case len(reason) > workspace.MaxReason:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "reason", "has %d bytes, more than %d", len(reason), workspace.MaxReason)
	}
	return svc.changeBeliefs(ctx, c, func(s *WriteTx) ([]*graph.Memory, error) {
		pair, err := s.resolve(c, [2]graph.ID{a, b}, keep, reason)
		return pair[:], err
	})
}

// changeBeliefs runs a change of beliefs in one transaction of the writer, and returns the
// memories that the change returns as they are then.
func (svc *Service) changeBeliefs(ctx context.Context, c workspace.Caller, change func(*WriteTx) ([]*graph.Memory, error)) ([]*workspace.View, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	var views []*workspace.View
	err = svc.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
		now := t.Now()
		return t.Update(ctx, func(tx graph.Tx) error {
			changed, err := change(&WriteTx{svc: svc, t: t, Tx: tx, Now: now})
			if err != nil {
				return err
			}
			views = nil
			for _, m := range changed {
				views = append(views, workspace.NewView(m, workspace.Access{}, now))
			}
			return nil
		})
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return views, nil
}

// resolve is one run of the transaction.
func (s *WriteTx) resolve(c workspace.Caller, ids [2]graph.ID, keep graph.ID, reason string) (pair [2]*graph.Memory, err error) {
	for i, field := range []string{"a", "b"} {
		m, err := workspace.LoadOwned(s.Tx, c, ids[i])
		if err == nil && ids[i] != keep {
			err = s.mayReplace(c, m)
		}
		if err == nil && (m.Status() != graph.Active || lifecycle.IsExpired(m, s.Now)) {
			err = graph.FieldError(graph.CodeVersionConflict, "id", "is no longer ACTIVE")
		}
		if err != nil {
			return pair, workspace.Renamed(err, field)
		}
		pair[i] = m
	}
	edges, err := s.edgesBetween(ids)
	if err != nil {
		return pair, err
	}
	if len(edges) == 0 {
		return pair, graph.FieldError(graph.CodeInvalidRequest, "b", "does not contradict a")
	}
	if keep == "" {
		err = s.dismissConflict(pair, edges)
	} else {
		kept, other := pair[0], pair[1]
		if keep == other.ID {
			kept, other = other, kept
		}
		switch {
		case !mayReplaceConsent(kept, other):
			err = graph.FieldError(graph.CodeForbidden, "keep", "was written without consent, and the other memory was not")
		case other.SafetyCritical:
			err = safetyError("keep")
		default:
			err = s.supersedeBy(other, kept, reason)
		}
	}
	if err != nil {
		return pair, err
	}
	for i, id := range ids { // RecomputeConflicts may have changed them
		if pair[i], err = s.Tx.Memory(id); err != nil {
			return pair, err
		}
	}
	return pair, nil
}

// edgesBetween returns the edges that record a contradiction between two memories.
func (s *WriteTx) edgesBetween(ids [2]graph.ID) ([]graph.Edge, error) {
	var found []graph.Edge
	for i := range ids {
		edge, err := s.Tx.Edge(ids[i], graph.Contradicts, ids[1-i])
		known, err := graph.Found(err)
		if err != nil {
			return nil, err
		}
		if known && edge.Weight > 0 {
			found = append(found, *edge)
		}
	}
	return found, nil
}

// dismissConflict keeps both memories. The edge stays with weight 0, as a record of the
// review.
func (s *WriteTx) dismissConflict(pair [2]*graph.Memory, edges []graph.Edge) error {
	for _, edge := range edges {
		edge.Weight, edge.At = 0, s.Now
		if err := s.Tx.PutEdge(edge); err != nil {
			return err
		}
	}
	for _, m := range pair {
		signal, err := lifecycle.ConflictSignal(s.Tx, m, m, true)
		if err != nil {
			return err
		}
		if err := lifecycle.PutSignal(s.Tx, m, signal, s.Now); err != nil {
			return err
		}
	}
	return nil
}

// supersedeBy marks other as superseded by kept, an existing memory. Each stays in its own
// chain.
func (s *WriteTx) supersedeBy(other, kept *graph.Memory, reason string) error {
	other.SetState(s.Now, func(st *graph.State) {
		st.Status, st.Core = graph.Superseded, false
		if st.ValidTo.IsZero() || st.ValidTo.After(s.Now) {
			st.ValidTo = lifecycle.Later(s.Now, other.ValidFrom.Add(time.Millisecond))
		}
	})
	other.SupersededBy, other.UpdatedAt = kept.ID, s.Now
	workspace.Because(other, reason)
	if err := s.Tx.PutMemory(other, graph.EventSuperseded); err != nil {
		return err
	}
	return lifecycle.RecomputeConflicts(s.Tx, other, s.Now)
}
