package audit_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
)

// A block that is added later under the number of a day whose rows were removed because of their age is found: List shows its rows.
func TestABlockOfARemovedDayIsFound(t *testing.T) {
	w := newWorld(t)
	w.keep = 20 * 24 * time.Hour
	w.start()
	for range 30 {
		if err := w.write("remember"); err != nil {
			t.Fatal(err)
		}
		w.seal()
		w.now = w.now.Add(24 * time.Hour)
	}
	w.seal()
	v := w.verify()
	if !v.Intact() || v.Chains[0].First == 1 {
		t.Fatalf("nothing was removed: %+v", v)
	}
	forged := block{Chain: v.Chains[0].Chain, Epoch: 0, First: 1, Rows: []sealed{{make([]byte, 32), audit.Row{At: w.now, Principal: "mallory", Verb: "forget", Outcome: audit.OK, Count: 1}}}}
	data, err := json.Marshal(forged)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.ids.New(w.now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
		return tx.PutNote(graph.Note{Kind: graph.NoteAuditBlock, ID: id, At: w.now, Data: data})
	}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(24 * time.Hour)
	w.start()
	w.seal()
	if listed := w.list(audit.Filter{Principal: "mallory"}); len(listed) > 0 && w.verify().Intact() {
		t.Errorf("the audit is intact and lists a row that was added: %+v", listed[0])
	}
}
