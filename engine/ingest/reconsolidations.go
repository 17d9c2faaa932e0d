package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Reconsolidation is a stored decision of the gate. After the erasure of a memory that it
// concerns, only id, time and namespace are left.
type Reconsolidation struct {
	ID        graph.ID
	At        time.Time
	Namespace string
	Memories  []graph.ID // the deciding belief first, then its successor or evidence
	Erased    bool

	Decision             gate.Decision // empty if Erased, like all fields below
	Fact, Subject        string
	Evidence             []Evidence
	Quorum, Required     float64
	Conflict, Similarity float64
	States               []string // states that the belief passed through: stable, labile, re-stabilised
	Judge                *workspace.Judgement
}

// Reconsolidations lists decisions of the gate, newest first, after the id after, at most
// first (0: 20). It reports whether there are more. With a memory, it lists only decisions
// that concern that memory. A caller bound to a user gets only decisions on memories that
// it may see.
func (svc *Service) Reconsolidations(ctx context.Context, c workspace.Caller, namespaces []string, memory graph.ID, first int, after graph.ID) ([]Reconsolidation, bool, error) {
	if memory != "" && !memory.Valid() {
		return nil, false, graph.FieldError(graph.CodeInvalidRequest, "memory", "must be a UUID")
	}
	first, err := workspace.PageSize("first", first, 20)
	if err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, false, err
	}
	var out []Reconsolidation
	more := false
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		for n, err := range graph.AllNotes(r, graph.NoteDecision, after, true) {
			if err != nil {
				return err
			}
			if len(spaces) > 0 && !slices.Contains(spaces, n.Namespace) || memory != "" && !slices.Contains(n.Memories, memory) {
				continue
			}
			if more = len(out) == first; more {
				return nil
			}
			d, err := reconsolidation(n)
			if err != nil {
				return err
			}
			out = append(out, d)
		}
		return ctx.Err()
	})
	return out, more, err
}

// CheckNote returns what is wrong with the note of a decision that comes from elsewhere, or nil.
func CheckNote(n *graph.Note) error {
	d, err := reconsolidation(n)
	if d.Erased && len(n.Memories) > 0 {
		return nil
	}
	unit := []float64{d.Conflict, d.Required}
	if d.Judge != nil {
		unit = append(unit, d.Judge.Rules, d.Judge.Said, d.Judge.Score)
	}
	for _, e := range d.Evidence {
		unit = append(unit, e.Weight, e.Confidence)
	}
	switch {
	case err != nil || d.Erased:
		return errors.New("in Data: it is no decision of the gate")
	case !graph.ValidNamespace(n.Namespace):
		return errors.New("in Namespace: a decision has one")
	case !slices.Contains(gate.Decisions, d.Decision):
		return fmt.Errorf("in Data: decision must be one of %v", gate.Decisions)
	case d.Fact == "" || len(d.Fact) > graph.MaxContent:
		return fmt.Errorf("in Data: fact must have 1 to %d bytes", graph.MaxContent)
	case len(d.Evidence) > maxEvidence:
		return fmt.Errorf("in Data: evidence has %d items, more than %d", len(d.Evidence), maxEvidence)
	case slices.ContainsFunc(unit, func(v float64) bool { return !graph.InUnit(v) }) || d.Quorum < 0 || d.Similarity < 0:
		return errors.New("in Data: a number is outside its range")
	}
	return nil
}

// reconsolidation decodes a stored decision.
func reconsolidation(n *graph.Note) (Reconsolidation, error) {
	d := Reconsolidation{ID: n.ID, At: n.At, Namespace: n.Namespace, Memories: n.Memories, Erased: n.Data == nil}
	if d.Erased {
		return d, nil
	}
	var v verdict
	if err := json.Unmarshal(n.Data, &v); err != nil {
		return d, errors.Join(graph.ErrIntegrity, err)
	}
	d.Decision, d.Fact, d.Subject, d.Evidence = v.Decision, v.Fact, v.Subject, v.Evidence
	d.Quorum, d.Required, d.Conflict, d.Similarity, d.States = v.Quorum, v.Required, v.Conflict, v.Similarity, v.States
	d.Judge = v.Judge
	return d, nil
}

// erasePage is the number of decisions that one transaction of an erasure reads.
const erasePage = 64

// EraseDecisions deletes, in a transaction, decisions about facts of the owners of a selection of which no memory was written; if the
// selection has entities, those in which a text names one. Those about a memory lose their content with it. It reads a page of decisions after
// an id, and returns the last id of the page and whether there may be more. record is called with the ids before they are deleted.
func (svc *Service) EraseDecisions(tx graph.Tx, job workspace.Selection, names func(text string) bool, record func([]graph.ID) error, after graph.ID) (last graph.ID, more bool, err error) {
	if len(job.IDs) > 0 {
		return after, false, nil
	}
	page, err := tx.Notes(graph.NoteDecision, after, false, erasePage)
	if err != nil || len(page) == 0 {
		return after, false, err
	}
	if err := eraseDecisions(tx, job, names, record, page); err != nil {
		return after, false, err
	}
	return page[len(page)-1].ID, len(page) == erasePage, nil
}

// EraseDecisionsOf is EraseDecisions for the decisions about memories. One that can't be read keeps none of the others; the error is then
// graph.ErrIntegrity.
func (svc *Service) EraseDecisionsOf(tx graph.Tx, memories []graph.ID, job workspace.Selection, names func(text string) bool, record func([]graph.ID) error) error {
	if len(job.IDs) > 0 {
		return nil
	}
	var damaged error
	for _, id := range memories {
		about, err := tx.NotesOf(id, graph.NoteDecision)
		if err == nil {
			err = eraseDecisions(tx, job, names, record, about)
		}
		if err != nil && !errors.Is(err, graph.ErrIntegrity) {
			return err
		}
		damaged = cmp.Or(damaged, err)
	}
	return damaged
}

func eraseDecisions(tx graph.Tx, job workspace.Selection, names func(text string) bool, record func([]graph.ID) error, some []*graph.Note) error {
	var gone []graph.ID
	var damaged error
	for _, n := range some {
		var v verdict
		if n.Data != nil && json.Unmarshal(n.Data, &v) != nil {
			damaged = fmt.Errorf("%w: the decision %s can't be read", graph.ErrIntegrity, n.ID)
			continue
		}
		if n.Data == nil || v.wrote(n) || !job.TakesOwner(n.Namespace, v.User) || job.Subject != "" && v.Subject != job.Subject ||
			len(job.Entities) > 0 && !v.has(names) {
			continue
		}
		gone = append(gone, n.ID)
	}
	if err := record(gone); err != nil {
		return err
	}
	for _, id := range gone {
		if err := tx.DeleteNote(graph.NoteDecision, id); err != nil {
			return err
		}
	}
	return damaged
}

// wrote reports whether the decision wrote a memory with the fact. n is its note.
func (v *verdict) wrote(n *graph.Note) bool {
	return v.Decision != gate.Rejected && (v.Decision != gate.Merged || len(n.Memories) > 1)
}

// has reports whether the fact, its subject or a source of its evidence is such a text.
func (v *verdict) has(such func(text string) bool) bool {
	return such(v.Fact) || such(v.Subject) || slices.ContainsFunc(v.Evidence, func(e Evidence) bool { return such(e.Source) })
}
