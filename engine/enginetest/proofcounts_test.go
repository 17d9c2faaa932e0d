package enginetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/proof"
)

// The proof of an erasure tells a caller of a part of the tenant neither how many memories of others are live nor how many erasures of
// others there were.
func TestAProofCountsNothingOfOthers(t *testing.T) {
	w := With(t, Options{AuditKeys: &AuditKeys{}})
	ana := bound("ana", .8, access.MemoryRead, access.MemoryWrite)
	w.said("Ana fuels the boat.", "ana", .8)
	r, err := w.Engine.Forget(t.Context(), ana, engine.ForgetInput{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	sizes := func() (live, erasures string) {
		t.Helper()
		text, _, err := w.Engine.ProveErasure(t.Context(), ana, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		var d proof.Document
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		return strings.Split(d.Absence.Tree, "\n")[1], strings.Split(d.Checkpoint, "\n")[1]
	}
	live, erasures := sizes()
	w.said("Bob repaints the boat.", "bob", .8)
	w.said("Bob is late.", "bob", .8)
	if _, err := w.Engine.Forget(t.Context(), w.Caller, engine.ForgetInput{Subject: "bob"}); err != nil {
		t.Fatal(err)
	}
	if l, e := sizes(); l != live || e != erasures {
		t.Errorf("after bob wrote and an administrator erased: %s live memories and %s erasures, before %s and %s", l, e, live, erasures)
	}
}
