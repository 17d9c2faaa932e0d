package audit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// pageNotes is how many notes a read of the audit takes at once; a block has about 100 KB.
const pageNotes = 16

// notes yields the notes of a kind after the id after, see [graph.NotesBesideDamaged].
func notes(r graph.Reader, kind graph.NoteKind, after graph.ID, descending bool) iter.Seq2[*graph.Note, error] {
	limit := pageNotes
	if kind != graph.NoteAuditBlock {
		limit = graph.MaxPage
	}
	return graph.NotesBesideDamaged(r, kind, after, descending, limit)
}

// Filter selects rows. All set fields must match.
type Filter struct {
	Verb, Principal, Outcome string
	Since, Until             time.Time // of Row.At: from Since, before Until
	After                    string    // Cursor of an entry; empty: from the beginning
	OldestFirst              bool
	First                    int // at most; 0: 100
}

func (f *Filter) selects(r *Row) bool {
	return (f.Verb == "" || r.Verb == f.Verb) && (f.Principal == "" || r.Principal == f.Principal) && (f.Outcome == "" || r.Outcome == f.Outcome) &&
		(f.Since.IsZero() || !r.At.Before(f.Since)) && (f.Until.IsZero() || r.At.Before(f.Until))
}

// MaxList is the largest First of a Filter.
const MaxList = 1000

// List seals what can be sealed and returns the rows of a tenant that match, the newest first, and
// whether there are more. Rows that are not sealed yet are the newest.
func (l *Log) List(ctx context.Context, scope graph.Scope, f Filter) (entries []Entry, more bool, err error) {
	if l == nil {
		return nil, false, graph.Errorf(graph.CodeInvalidRequest, "this server keeps no audit")
	}
	if f.First == 0 {
		f.First = 100
	}
	if f.First < 0 || f.First > MaxList {
		return nil, false, graph.FieldError(graph.CodeLimitExceeded, "first", "must be 1 to %d", MaxList)
	}
	at, err := parseCursor(f.After)
	if err != nil {
		return nil, false, err
	}
	if _, err := l.Seal(ctx, scope); err != nil {
		return nil, false, err
	}
	t := l.tenant(scope)
	t.sealing.Lock()
	own, pruned := t.chain.Chain, t.chain.PrunedEpoch
	t.sealing.Unlock()
	// Rows of a removed day are about to be removed, or were added: Verify can't check them.
	removed := func(b *block) bool { return b.Chain == own && b.Epoch < pruned }
	err = l.Store.View(ctx, scope.Whole(), func(r graph.Reader) error {
		entries, more = nil, false
		for e, err := range all(r, at, f.OldestFirst, removed) {
			if err != nil {
				return err
			}
			if !f.selects(&e.Row) {
				continue
			}
			if more = len(entries) == f.First; more {
				return nil
			}
			entries = append(entries, e)
		}
		return nil
	})
	return entries, more, err
}

// place is a position between rows; the zero place is before all.
type place struct {
	kind graph.NoteKind
	note graph.ID
	at   int // in the block
}

func (p place) String() string {
	if p.kind == graph.NoteAudit {
		return "p" + string(p.note)
	}
	return fmt.Sprintf("b%s.%d", p.note, p.at)
}

func parseCursor(text string) (place, error) {
	wrong := graph.FieldError(graph.CodeInvalidRequest, "after", "must be the cursor of an entry")
	if text == "" {
		return place{}, nil
	}
	id, number, in := strings.Cut(text[1:], ".")
	p := place{note: graph.ID(id)}
	switch {
	case !p.note.Valid():
		return p, wrong
	case text[0] == 'p' && !in:
		p.kind = graph.NoteAudit
		return p, nil
	case text[0] == 'b' && in:
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return p, wrong
		}
		p.kind, p.at = graph.NoteAuditBlock, n
		return p, nil
	}
	return p, wrong
}

// all yields the rows after a place, without those of removed blocks.
func all(r graph.Reader, after place, oldestFirst bool, removed func(*block) bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		kinds := []graph.NoteKind{graph.NoteAudit, graph.NoteAuditBlock}
		if oldestFirst {
			slices.Reverse(kinds)
		}
		if at := slices.Index(kinds, after.kind); at > 0 {
			kinds = kinds[at:]
		}
		for _, kind := range kinds {
			rows := pendingRows(r, after, !oldestFirst)
			if kind == graph.NoteAuditBlock {
				rows = sealedRows(r, after, !oldestFirst, removed)
			}
			for e, err := range rows {
				if !yield(e, err) || err != nil {
					return
				}
			}
			after = place{}
		}
	}
}

func pendingRows(r graph.Reader, after place, descending bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for n, err := range notes(r, graph.NoteAudit, after.note, descending) {
			if graph.DamagedNote(err) != "" {
				continue // Verify names it
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			var p pending
			if err := strictjson.DecodeExact(n.Data, &p); err != nil {
				continue // Verify names it
			}
			if !yield(Entry{Chain: p.Chain, Cursor: place{graph.NoteAudit, n.ID, 0}.String(), Row: p.Row}, nil) {
				return
			}
		}
	}
}

func sealedRows(r graph.Reader, after place, descending bool, removed func(*block) bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		each := func(n *graph.Note, from *int) bool {
			b, err := decodeBlock(n)
			if err != nil || removed(b) {
				return true // Verify names one that can't be read
			}
			for k := range b.Rows {
				i := k
				if descending {
					i = len(b.Rows) - 1 - k
				}
				if from != nil && (descending && i >= *from || !descending && i <= *from) {
					continue
				}
				if !yield(Entry{Chain: b.Chain, Seq: b.First + uint64(i), Cursor: place{graph.NoteAuditBlock, n.ID, i}.String(), Row: b.Rows[i].Row}, nil) {
					return false
				}
			}
			return true
		}
		if after.note != "" {
			n, err := r.Note(graph.NoteAuditBlock, after.note)
			if known, err := graph.Found(err); err != nil && !errors.Is(err, graph.ErrIntegrity) { // Verify names a damaged one
				yield(Entry{}, err)
				return
			} else if known && !each(n, &after.at) {
				return
			}
		}
		for n, err := range notes(r, graph.NoteAuditBlock, after.note, descending) {
			if graph.DamagedNote(err) != "" {
				continue // Verify names it
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if !each(n, nil) {
				return
			}
		}
	}
}
