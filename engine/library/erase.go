package library

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// erasePage is the number of records that one transaction of an erasure reads.
const erasePage = 16

// EraseDocuments deletes the records of the documents in an erasure, because they name the
// document: those of a user, a namespace or the tenant, and those none of whose chunks is left.
func (svc *Service) EraseDocuments(ctx context.Context, t *workspace.Tenant, job workspace.Selection) error {
	if job.Subject != "" {
		return nil // chunks have no subject
	}
	byOwner := len(job.IDs) == 0 && len(job.Entities) == 0
	for after := graph.ID(""); ; {
		var page []*graph.Note
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if page, err = tx.Notes(graph.NoteDocument, after, false, erasePage); err != nil {
				return err
			}
			for _, n := range page {
				x, err := decodeRecord(n)
				if err != nil {
					return err
				}
				if !job.TakesOwner(n.Namespace, x.User) {
					continue
				}
				erased := byOwner
				if !byOwner {
					if erased, err = withoutChunks(tx, x, job.IDs); err != nil {
						return err
					}
				}
				if erased {
					if err := tx.DeleteNote(n.Kind, n.ID); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil || len(page) < erasePage {
			return err
		}
		after = page[len(page)-1].ID
	}
}

// withoutChunks reports whether a record names some of the erased memories, and no other one. No
// erased memories mean any.
func withoutChunks(r graph.Reader, x *record, erased []graph.ID) (bool, error) {
	ids := slices.Clone([]graph.ID(x.Current.Chunks))
	if x.Next != nil {
		ids = append(ids, x.Next.Chunks...)
	}
	for _, f := range x.Former {
		ids = append(ids, f.id)
	}
	if len(ids) == 0 || len(erased) > 0 && !slices.ContainsFunc(ids, func(id graph.ID) bool { _, found := slices.BinarySearch(erased, id); return found }) {
		return false, nil
	}
	for some := range slices.Chunk(ids, 100) {
		memories, err := r.Memories(some)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(memories, func(m *graph.Memory) bool { return m != nil && m.Status() != graph.Forgotten }) {
			return false, nil
		}
	}
	return true, nil
}
