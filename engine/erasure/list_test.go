package erasure_test

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// An administrator of a namespace sees its own receipts, and those of erasures that concern nothing else.
func TestReceiptsOfAnAdministratorOfANamespace(t *testing.T) {
	w := enginetest.New(t)
	in := func(namespace string) func(*engine.RememberInput) {
		return func(x *engine.RememberInput) { x.Namespace = namespace }
	}
	erase := func(c engine.Caller, ids ...graph.ID) graph.ID {
		t.Helper()
		r, err := w.Forget(t.Context(), c, engine.ForgetInput{IDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	write := func(text, namespace string) graph.ID { return w.Remember(text, in(namespace)).Memory.ID }
	admin := engine.Caller{
		Tenant: w.Caller.Tenant, Name: "keeper", Grant: 1, Admin: true, Namespaces: []string{"side"}, Scopes: []access.Scope{access.MemoryRead, access.MemoryAdmin},
	}
	here := erase(w.Caller, write("The winch sticks in wet weather.", "side"))
	there := erase(w.Caller, write("Mira is allergic to walnuts.", "default"))
	both := erase(w.Caller, write("The ferry leaves at nine.", "side"), write("The weir is closed.", "default"))
	nothing := erase(w.Caller, here) // the id of no memory
	own := erase(admin, write("The heron nests by the sluice.", "side"))
	ownNothing := erase(admin, here)

	page, more, err := w.DeletionReceipts(t.Context(), admin, engine.ReceiptsInput{})
	var listed []graph.ID
	for _, r := range page {
		listed = append(listed, r.ID)
	}
	slices.Sort(listed)
	want := []graph.ID{here, own, ownNothing}
	slices.Sort(want)
	if err != nil || more || !slices.Equal(listed, want) {
		t.Errorf("receipts %v, want %v, %v", listed, want, err)
	}
	for id, visible := range map[graph.ID]bool{here: true, own: true, ownNothing: true, there: false, both: false, nothing: false} {
		_, err := w.DeletionReceipt(t.Context(), admin, id)
		ids, idsErr := w.ReceiptIDs(t.Context(), admin, id, "", 0)
		if visible && err != nil || !visible && (graph.CodeOf(err) != graph.CodeMemoryNotFound || len(ids) > 0) || idsErr != nil {
			t.Errorf("receipt %s, visible %v: %v, ids %v, %v", id, visible, err, ids, idsErr)
		}
	}
	if all, _, err := w.DeletionReceipts(t.Context(), w.Caller, engine.ReceiptsInput{}); err != nil || len(all) != 6 {
		t.Errorf("an administrator of the tenant sees %d receipts of 6, %v", len(all), err)
	}
}
