package erasure_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
)

// leafStore counts the leaves of the log of erasures that writes read.
type leafStore struct {
	graph.Store
	read *int
}

func (s leafStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	return s.Store.Update(ctx, scope, func(tx graph.Tx) error { return fn(leafTx{tx, s.read}) })
}

type leafTx struct {
	graph.Tx
	read *int
}

func (tx leafTx) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	page, err := tx.Tx.Notes(kind, after, descending, limit)
	if kind == graph.NoteProof {
		*tx.read += len(page)
	}
	return page, err
}

// An erasure reads one leaf of the log of erasures, however many there are. After an erasure by an earlier
// version, which keeps no tip, it reads them all once. Each receipt is proved.
func TestAnErasureReadsTheEndOfTheLog(t *testing.T) {
	s, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	w := enginetest.With(t, enginetest.Options{Store: leafStore{s, &read}, AuditKeys: &enginetest.AuditKeys{}})
	public, err := w.ProofKey(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	var receipts []graph.ID
	forget := func() int {
		t.Helper()
		w.Clock.Advance(time.Minute)
		id := w.Remember("The well is dry.").Memory.ID
		before := read
		receipts = append(receipts, fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{id}}).ID)
		return read - before
	}
	for i := range 9 {
		if n := forget(); n > 1 {
			t.Errorf("erasure %d read %d leaves", i+1, n)
		}
	}
	setting := func(value []byte) (former []byte) {
		t.Helper()
		_, err := s.Update(t.Context(), w.Caller.Scope().Whole(), func(tx graph.Tx) (err error) {
			if former, err = tx.Setting("forget.log"); err != nil {
				return err
			}
			return tx.PutSetting("forget.log", value)
		})
		if err != nil {
			t.Fatal(err)
		}
		return former
	}
	older, err := json.Marshal(proof.Tip{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tip := range [][]byte{nil, older, []byte("{")} {
		setting(tip)
		if n := forget(); n != len(receipts) {
			t.Errorf("with the tip %q the erasure after %d read %d leaves", tip, len(receipts)-1, n)
		}
		if n := forget(); n > 1 {
			t.Errorf("the erasure after it read %d leaves", n)
		}
	}
	for i, id := range receipts {
		document, key, err := w.ProveErasure(t.Context(), w.Caller, id)
		if err != nil || key != public {
			t.Fatalf("receipt %d: %v", i, err)
		}
		if checked, err := proof.Verify(document, public); err != nil || checked.Erasures != uint64(len(receipts)) {
			t.Errorf("receipt %d: %+v, %v", i, checked, err)
		}
	}
}
