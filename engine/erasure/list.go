package erasure

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ReceiptsInput selects receipts of erasures.
type ReceiptsInput struct {
	Status graph.DeletionStatus // empty: any
	First  int                  // at most so many, 1 to graph.MaxPage; 0: 20
	After  graph.ID             // the page starts after this receipt; empty: at the newest
}

// Receipts returns receipts, newest first: those of the caller's principal, and those of everybody to a
// caller with Admin, within its namespaces. more says that others follow. An erasure of an earlier version is listed if it
// has a proof.
func (svc *Service) Receipts(ctx context.Context, c workspace.Caller, in ReceiptsInput) (page []*graph.Receipt, more bool, err error) {
	if in.First, err = workspace.PageSize("first", in.First, 20); err != nil {
		return nil, false, err
	}
	// The notes of erasures belong to nobody. The receipts decide who sees them.
	err = svc.Store.View(ctx, c.Scope().Whole(), func(r graph.Reader) error {
		page, more = nil, false
		seen := graph.See(r, c.Sight())
		for after := in.After; ; {
			ids, err := erasures(r, after)
			if err != nil {
				return err
			}
			for _, id := range ids {
				receipt, err := seen.Receipt(id)
				if found, err := graph.Found(err); err != nil {
					return err
				} else if !found || !c.Admin && receipt.Owner != c.Owns(id) || in.Status != "" && receipt.Status != in.Status {
					continue
				}
				if more = len(page) == in.First; more {
					return nil
				}
				page = append(page, receipt)
			}
			if len(ids) == 0 {
				return nil
			}
			after = ids[len(ids)-1]
		}
	})
	return page, more, err
}

// erasures returns ids of receipts, descending, after the id after; none: there are no more. Before
// there were notes of erasures, only those with a proof had a note.
func erasures(r graph.Reader, after graph.ID) ([]graph.ID, error) {
	var ids []graph.ID
	oldest := graph.ID("") // below it, one of the lists may have more
	for _, kind := range []graph.NoteKind{graph.NoteErasure, graph.NoteProof} {
		notes, err := r.Notes(kind, after, true, graph.MaxPage)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			ids = append(ids, n.ID)
		}
		if len(notes) == graph.MaxPage {
			oldest = max(oldest, notes[len(notes)-1].ID)
		}
	}
	ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return id < oldest })
	graph.SortIDs(ids, true)
	return slices.Compact(ids), nil
}
