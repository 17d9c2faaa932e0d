package noninterference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// fillReceipts lets callers of users erase what they wrote.
func fillReceipts(e *endpoint) {
	e.t.Helper()
	defer func() { e.caller = engine.Loopback() }()
	for i, c := range roles() {
		if c.User == "" {
			continue
		}
		e.caller = c
		a := e.must(fmt.Sprintf(`mutation { remember(input: {content: "Wish %d of %s is a secret.", consent: EXPLICIT, onDuplicate: INSERT}) { memory { id } } }`, i, c.User))
		_, rest, _ := strings.Cut(a, `"id":"`)
		e.must(fmt.Sprintf(`mutation { forget(input: {ids: [%q]}) { receipt { id } } }`, rest[:36]))
	}
}

// receiptsOf are the ids of the receipts of a world.
func receiptsOf(t *testing.T, s graph.Store) (ids []graph.ID) {
	t.Helper()
	err := s.View(t.Context(), whole, func(r graph.Reader) error {
		for n, err := range graph.AllNotes(r, graph.NoteErasure, "", false) {
			if err != nil {
				return err
			}
			ids = append(ids, n.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) < 4 {
		t.Errorf("the world has only %d receipts", len(ids))
	}
	return ids
}

// copyReceipts copies the receipts that pass, which an export does not have.
func copyReceipts(t *testing.T, from, to graph.Store, pass func(*graph.Receipt, []graph.ID) bool) {
	t.Helper()
	for _, id := range receiptsOf(t, from) {
		var receipt *graph.Receipt
		var note *graph.Note
		var ids []graph.ID
		err := from.View(t.Context(), whole, func(r graph.Reader) (err error) {
			if receipt, err = r.Receipt(id); err != nil {
				return err
			}
			if note, err = r.Note(graph.NoteErasure, id); err != nil {
				return err
			}
			ids, err = r.ReceiptIDs(id, "", graph.MaxPage)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if !pass(receipt, ids) {
			continue
		}
		_, err = to.Update(t.Context(), whole, func(tx graph.Tx) error {
			if err := tx.PutReceipt(*receipt); err != nil {
				return err
			}
			if err := tx.PutReceiptIDs(id, ids); err != nil {
				return err
			}
			return tx.PutNote(*note)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
