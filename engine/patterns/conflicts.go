package patterns

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Conflict is a contradiction of two patterns. Both are kept; the first one answers.
type Conflict struct {
	ID         graph.ID  // of the pair
	Patterns   []Pattern // two, the more confident first
	Since      time.Time // when the later of the two was derived
	Waits      bool      // safety-critical, and both hold: a person decides
	Kept       graph.ID  // the one that a person kept; empty: not decided
	ResolvedAt time.Time // zero: not decided
	ResolvedBy string    // the principal that decided, as in the audit; empty: not decided, or by an earlier version of the server
	Note       string    // of who decided
}

// ConflictsInput selects conflicts.
type ConflictsInput struct {
	Namespaces []string // empty: all that are granted
	Open       bool     // only those between two ACTIVE patterns that nobody decided; false: all
	First      int      // 1 to graph.MaxPage; 0: 50
}

// decision is the data of a note about a decided conflict.
type decision struct {
	Kept  graph.ID  `json:"kept"`
	Ended graph.ID  `json:"ended"`
	Note  string    `json:"note,omitempty"`
	By    string    `json:"by,omitempty"` // the principal as in the audit, because an erasure of a user leaves it
	At    time.Time `json:"at"`
}

// PatternConflicts returns the log of conflicts between patterns that the caller sees, the newest
// first. A conflict whose pattern was erased is not in it. Errors as for [Service.Patterns].
func (svc *Service) PatternConflicts(ctx context.Context, c workspace.Caller, in ConflictsInput) ([]Conflict, error) {
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, err
	}
	t, ids, err := svc.ids(ctx, c, in.Namespaces, func(d *index.Doc) bool {
		status := workspace.StateOf(d).Status
		return status != graph.Forgotten && (!in.Open || status == graph.Active)
	})
	if err != nil {
		return nil, err
	}
	var out []Conflict
	err = t.View(ctx, func(r graph.Reader) error {
		out = nil
		for _, id := range ids {
			edges, err := r.Edges(id, graph.Out, graph.Contradicts)
			if err != nil {
				return err
			}
			for _, edge := range edges {
				x, err := svc.conflict(r, c, edge)
				if err != nil {
					return err
				}
				if x == nil || in.Open && (x.Kept != "" || edge.Weight == 0 || x.Patterns[0].State.Status != graph.Active || x.Patterns[1].State.Status != graph.Active) {
					continue
				}
				out = append(out, *x)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	slices.SortFunc(out, func(a, b Conflict) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	return out[:min(first, len(out))], nil
}

// conflict reads one conflict; nil if one of the two is not visible or no pattern.
func (svc *Service) conflict(r graph.Reader, c workspace.Caller, edge graph.Edge) (*Conflict, error) {
	pair, err := graph.Undamaged(r, []graph.ID{edge.From, edge.To})
	if err != nil {
		return nil, err
	}
	for _, m := range pair {
		if m == nil || m.Pattern == nil || m.Status() == graph.Forgotten || !c.Sight().Memory(m) {
			return nil, nil
		}
	}
	x := &Conflict{Since: lifecycle.Later(pair[0].CreatedAt, pair[1].CreatedAt)}
	x.Waits = (pair[0].Pattern.SafetyCritical || pair[1].Pattern.SafetyCritical) && pair[0].Status() == graph.Active && pair[1].Status() == graph.Active
	if x.ID, err = conflictID(pair[0], pair[1]); err != nil {
		return nil, err
	}
	slices.SortFunc(pair, lifecycle.CompareConfidence)
	for _, m := range pair {
		p, err := svc.show(r, c, m)
		if err != nil {
			return nil, err
		}
		x.Patterns = append(x.Patterns, *p)
	}
	note, err := r.Note(graph.NoteConflict, x.ID)
	if known, err := graph.Found(err); err != nil || !known || note.Data == nil {
		return x, err
	}
	var d decision
	if err := json.Unmarshal(note.Data, &d); err != nil {
		return nil, errors.Join(graph.ErrIntegrity, err)
	}
	x.Kept, x.ResolvedAt, x.ResolvedBy, x.Note, x.Waits = d.Kept, d.At, d.By, d.Note, false
	return x, nil
}

// CheckNote returns what is wrong with the note of a decided conflict that comes from elsewhere, or nil.
func CheckNote(n *graph.Note) error {
	var d decision
	switch {
	case len(n.Memories) != 2 || !graph.ValidNamespace(n.Namespace):
		return errors.New("in Memories: a decided conflict names two memories, and their namespace")
	case n.Data == nil:
		return nil // one of them was erased
	case json.Unmarshal(n.Data, &d) != nil:
		return errors.New("in Data: it is no decision about two patterns")
	case d.Kept != n.Memories[0] || d.Ended != n.Memories[1]:
		return errors.New("in Data: kept and ended must be the memories in Memories")
	case len(d.Note) > workspace.MaxReason || len(d.By) > 2*graph.MaxName || d.At.IsZero():
		return fmt.Errorf("in Data: a decision has a time, a note of at most %d bytes, and a principal", workspace.MaxReason)
	}
	return nil
}

// conflictID returns the id of a pair of patterns, in either order.
func conflictID(a, b *graph.Memory) (graph.ID, error) {
	return graph.DerivedID(lifecycle.Later(a.CreatedAt, b.CreatedAt), "conflict", string(min(a.ID, b.ID)), string(max(a.ID, b.ID)))
}

// ResolvePattern decides a conflict: keep answers from now on, end becomes EXPIRED and is not found
// again. It returns keep. Errors: INVALID_REQUEST if the two do not contradict each other,
// VERSION_CONFLICT if one is not ACTIVE, FORBIDDEN if the grant of the caller is below the authority
// of end, or end belongs to nobody and the caller may not share.
func (svc *Service) ResolvePattern(ctx context.Context, c workspace.Caller, keep, end graph.ID, note string) (*Pattern, error) {
	switch {
	case keep == end:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "end", "must be another pattern than keep")
	case len(note) > workspace.MaxReason:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "note", "has %d bytes, more than %d", len(note), workspace.MaxReason)
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	err = svc.serial.RunExclusive(ctx, t, func(ctx context.Context) error {
		return t.Update(ctx, func(tx graph.Tx) error { return resolve(tx, c, keep, end, note, t.Now()) })
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.Pattern(ctx, c, keep)
}

// resolve is one run of the transaction.
func resolve(tx graph.Tx, c workspace.Caller, keep, end graph.ID, note string, now time.Time) error {
	if _, err := loadActive(tx, c, "keep", keep, now); err != nil {
		return err
	}
	lost, err := loadActive(tx, c, "end", end, now)
	if err != nil {
		return err
	}
	if c.Grant < lost.Authority {
		return graph.FieldError(graph.CodeForbidden, "end", "has authority %.2f, above the grant of %.2f", lost.Authority, c.Grant)
	}
	if c.MayWriteFor(lost.User) != nil {
		return graph.FieldError(graph.CodeForbidden, "end", "belongs to nobody: ending it requires the scope that writes what belongs to nobody")
	}
	contradicted := false
	for _, pair := range [][2]graph.ID{{keep, end}, {end, keep}} {
		edge, err := tx.Edge(pair[0], graph.Contradicts, pair[1])
		known, err := graph.Found(err)
		if err != nil {
			return err
		}
		if !known || edge.Weight == 0 {
			continue
		}
		contradicted = true
		edge.Weight, edge.At = 0, now // the edge stays as a record
		if err := tx.PutEdge(*edge); err != nil {
			return err
		}
	}
	if !contradicted {
		return graph.FieldError(graph.CodeInvalidRequest, "end", "does not contradict keep")
	}
	lost.SetState(now, func(s *graph.State) { s.Status = graph.Expired })
	lost.UpdatedAt = now
	workspace.Because(lost, note)
	if err := tx.PutMemory(lost, graph.EventExpired); err != nil {
		return err
	}
	if err := lifecycle.RecomputeConflicts(tx, lost, now); err != nil {
		return err
	}
	kept, err := tx.Memory(keep)
	if err != nil {
		return err
	}
	signal, err := lifecycle.ConflictSignal(tx, kept, kept, true)
	if err != nil {
		return err
	}
	if err := lifecycle.PutSignal(tx, kept, signal, now); err != nil {
		return err
	}
	kept.Pattern = kept.Pattern.Clone()
	kept.Pattern.ValidatedAt = now // who decided weighed what was said until now
	if err := tx.PutMemory(kept, graph.EventUpdated); err != nil {
		return err
	}
	id, err := conflictID(kept, lost)
	if err != nil {
		return err
	}
	data, err := json.Marshal(decision{Kept: keep, Ended: end, Note: note, By: c.Principal(), At: now})
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteConflict, ID: id, Namespace: kept.Namespace, Memories: []graph.ID{keep, end}, At: now, Data: data})
}

// loadActive reads an ACTIVE pattern that the caller sees.
func loadActive(r graph.Reader, c workspace.Caller, field string, id graph.ID, now time.Time) (*graph.Memory, error) {
	m, err := load(r, c, field, id)
	if err == nil && (m.Status() != graph.Active || lifecycle.IsExpired(m, now)) {
		why := "has ended"
		if m.Status() == graph.Superseded {
			why = "has a newer version"
		}
		err = graph.FieldError(graph.CodeVersionConflict, field, "is a pattern that %s", why)
	}
	return m, err
}
