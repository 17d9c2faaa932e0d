package monitor

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

// scrubStep is the number of changes of the feed whose memories one refresh reads: a store of
// 100,000 memories is read once in four hours.
const scrubStep = 512

// scrub reads the next memories of a tenant with their vectors, their engrams and their records in
// the index, the next entities, relations and notes, and what was damaged before; at the end of a round
// also the snapshot of the index. The store, the recess and the index check what they read.
func (svc *Service) scrub(ctx context.Context, w *watched, t *workspace.Tenant) error {
	changes, end, err := svc.nextChanges(ctx, w)
	if err != nil {
		return err
	}
	seen := map[graph.ID]bool{}
	var ids []graph.ID
	add := func(id graph.ID) {
		if !seen[id] {
			seen[id], ids = true, append(ids, id)
		}
	}
	for id := range w.damaged {
		add(id)
	}
	rows := maps.Clone(w.damagedRows)
	for _, ch := range changes {
		row, ok := ch.Row()
		switch {
		case !ok:
		case row.Kind == graph.RowMemory:
			if ch.Node == graph.NodeMemory {
				add(ch.ID)
			}
		default:
			rows[row] = true
		}
	}
	var engraved []*workspace.View
	err = t.View(ctx, func(r graph.Reader) error {
		engraved = nil
		for _, id := range ids {
			m, err := readChecked(r, id)
			switch {
			case errors.Is(err, graph.ErrIntegrity):
				if !w.damaged[id] {
					svc.Log.Error("[READ] a stored memory is damaged and is not served", "tenant", w.scope.Tenant, "id", id)
				}
				w.damaged[id] = true
				continue
			case err != nil:
				return err
			}
			delete(w.damaged, id)
			if m == nil {
				delete(w.damagedRows, graph.Row{Kind: edgesOf, ID: id})
			} else {
				_, err = r.Edges(id, graph.Both)
				if err := svc.judge(w, graph.Row{Kind: edgesOf, ID: id}, err); err != nil {
					return err
				}
			}
			if m != nil && m.State().Tier == graph.L3 {
				engraved = append(engraved, workspace.NewView(m, workspace.Access{}, svc.Now()))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if err := errors.Join(svc.scrubRows(ctx, w, t, rows), svc.scrubNotes(ctx, w, t)); err != nil {
		return err
	}
	svc.Verify(ctx, w.scope, engraved...)
	svc.Index.CheckVectors(w.scope, ids)
	if end {
		w.scrubbed, w.feedRead = 0, true
		return svc.Index.CheckSnapshot(w.scope)
	}
	if len(changes) > 0 {
		w.scrubbed = changes[len(changes)-1].Cursor
	}
	return nil
}

// Kinds of damaged rows that no commit names.
const (
	ofFeed  graph.RowKind = "FEED"
	edgesOf graph.RowKind = "EDGES" // of the memory with the ID
)

// feedTries is the number of reads of the feed in one refresh. They suffice to pass any damage: what is skipped doubles.
const feedTries = 80

// nextChanges reads the next changes of the feed, at most scrubStep, and passes over those that are damaged. end: they are the last ones.
func (svc *Service) nextChanges(ctx context.Context, w *watched) (changes []graph.Change, end bool, err error) {
	if w.scrubbed == 0 {
		w.feedDamaged = false
	}
	limit, skip := scrubStep, graph.Cursor(0)
	for after, tries := w.scrubbed, 0; !end && len(changes) < scrubStep && tries < feedTries; tries++ {
		from := after + skip
		if from < after {
			from = ^graph.Cursor(0)
		}
		found, err := svc.Store.Changes(ctx, w.scope, from, limit)
		switch {
		case errors.Is(err, graph.ErrIntegrity):
			w.feedDamaged = true
			if err := svc.judge(w, graph.Row{Kind: ofFeed}, err); err != nil {
				return nil, false, err
			}
			if limit > 1 {
				limit = max(1, limit/8)
				continue
			}
			skip = 2*skip + 1
		case err != nil:
			return nil, false, err
		default:
			end = len(found) < limit
			changes = append(changes, found...)
			if !end {
				after, skip = found[len(found)-1].Cursor, 0
				limit = min(8*limit, scrubStep-len(changes))
			}
		}
	}
	if end && !w.feedDamaged {
		return changes, end, svc.judge(w, graph.Row{Kind: ofFeed}, nil)
	}
	return changes, end, nil
}

// scrubRows reads entities and relations, and notes that were damaged before.
func (svc *Service) scrubRows(ctx context.Context, w *watched, t *workspace.Tenant, rows map[graph.Row]bool) error {
	return t.View(ctx, func(r graph.Reader) error {
		for row := range rows {
			var err error
			switch {
			case row.Kind == graph.RowEntity:
				_, err = r.Entity(row.ID)
			case row.Kind == graph.RowRelation:
				_, err = r.RelationByID(row.ID)
			default:
				continue // scrubNotes reads notes, scrub the feed and edges
			}
			if err := svc.judge(w, row, err); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// scrubNotes reads the next notes. A page of notes with a damaged one can't be read, and the rest of
// their kind is not known, so a kind of notes counts as one row.
func (svc *Service) scrubNotes(ctx context.Context, w *watched, t *workspace.Tenant) error {
	return t.View(ctx, func(r graph.Reader) error {
		at, after := w.notesOf, w.notesAfter
		for left := scrubStep; left > 0 && at < len(graph.NoteKinds); {
			notes, err := r.Notes(graph.NoteKinds[at], after, false, min(left, graph.MaxPage))
			whole := err == nil && len(notes) < min(left, graph.MaxPage)
			row := graph.Row{Kind: graph.RowNote, Name: string(graph.NoteKinds[at])}
			if whole || err != nil {
				if err := svc.judge(w, row, err); err != nil {
					return err
				}
				at, after = at+1, ""
			} else {
				after = notes[len(notes)-1].ID
			}
			left -= len(notes)
		}
		if at == len(graph.NoteKinds) {
			at, after, w.notesRead = 0, "", true
		}
		w.notesOf, w.notesAfter = at, after
		return ctx.Err()
	})
}

// judge takes in whether a row could be read. It returns errors that say nothing about the row.
func (svc *Service) judge(w *watched, row graph.Row, err error) error {
	if !errors.Is(err, graph.ErrIntegrity) {
		delete(w.damagedRows, row)
		_, err = graph.Found(err)
		return err
	}
	if !w.damagedRows[row] {
		svc.Log.Error("[READ] a stored row is damaged and is not served", "tenant", w.scope.Tenant, "kind", row.Kind, "name", row.Name, "id", row.ID)
	}
	w.damagedRows[row] = true
	return nil
}

// readChecked reads a memory and its vector; nil if there is none. ErrIntegrity if one of them is
// damaged.
func readChecked(r graph.Reader, id graph.ID) (*graph.Memory, error) {
	m, err := r.Memory(id)
	if known, err := graph.Found(err); !known || err != nil {
		return nil, err
	}
	if m.EmbeddingModel != "" {
		_, err = r.Embedding(id)
		_, err = graph.Found(err)
	}
	return m, err
}

// damage is the reading of the records of a tenant with a wrong checksum.
func (svc *Service) damage(w *watched) alarm.Reading {
	engrams := 0
	for _, id := range svc.Damage.IDs(w.scope.Tenant) {
		if _, here := svc.Index.Doc(w.scope, id); here {
			engrams++
		}
	}
	kinds := map[graph.RowKind]int{}
	for row := range w.damagedRows {
		kinds[row.Kind]++
	}
	r := alarm.Reading{Indicator: alarm.Checksum, Value: float64(len(w.damaged) + engrams + len(w.damagedRows))}
	if r.Value > 0 {
		r.Detail = strings.Join([]string{counted.Of(len(w.damaged), "memory"), counted.Of(engrams, "engram"), counted.Of(kinds[graph.RowEntity], "entity"),
			counted.Of(kinds[graph.RowRelation], "relation"), counted.Of(kinds[graph.RowNote], "kind") + " of notes"}, ", ")
		if n := kinds[edgesOf]; n > 0 {
			r.Detail += ", edges of " + counted.Of(n, "memory")
		}
		if kinds[ofFeed] > 0 {
			r.Detail += ", the feed of changes"
		}
	}
	return r
}
