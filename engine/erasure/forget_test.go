package erasure_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// verify computes the hash of the receipt's ids independently.
func verify(t *testing.T, w *enginetest.World, r *graph.Receipt) []graph.ID {
	t.Helper()
	ids, err := w.ReceiptIDs(t.Context(), w.Caller, r.ID, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = string(id)
	}
	if !slices.IsSorted(lines) {
		t.Error("the ids of a receipt are not sorted")
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	if hex.EncodeToString(sum[:]) != r.Hash || len(ids) != r.Count {
		t.Errorf("the receipt of %d ids does not verify against %d", r.Count, len(ids))
	}
	return ids
}

func TestForgetByID(t *testing.T) {
	w := enginetest.New(t)
	gone := w.Remember("Canary Quillfeather hid the ledger in the boathouse.").Memory
	kept := w.Remember("The boathouse was painted green.").Memory
	r := fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{gone.ID}})
	if ids := verify(t, w, r); len(ids) != 1 || ids[0] != gone.ID || r.Status != graph.DeletionComplete {
		t.Fatalf("receipt: %+v, ids %v", r, ids)
	}
	v, err := w.Memory(t.Context(), w.Caller, gone.ID, engine.Access{})
	if err != nil || v.State.Status != graph.Forgotten || v.Content != "" || v.Checksum != "" || v.Unavailable == nil {
		t.Errorf("what is left: %+v, %v", v, err)
	}
	for _, q := range []string{"Quillfeather", "ledger boathouse", ""} {
		all := graph.Statuses
		got := enginetest.IDs(w.Search(q, func(in *engine.SearchInput) { in.Statuses = all }))
		if slices.Contains(got, gone.ID) {
			t.Errorf("search %q still finds it", q)
		}
	}
	asOf := enginetest.IDs(w.Search("boathouse", func(in *engine.SearchInput) { in.Access.AsOf.Recorded = gone.RecordedAt }))
	if slices.Contains(asOf, gone.ID) {
		t.Error("a read of the past still finds it")
	}
	entities, _, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range entities {
		if strings.Contains(x.Name, "Quillfeather") {
			t.Errorf("the name is still known: %q", x.Name)
		}
	}
	if _, err := w.Memory(t.Context(), w.Caller, kept.ID, engine.Access{}); err != nil {
		t.Errorf("another memory went too: %v", err)
	}
	again, err := w.DeletionReceipt(t.Context(), w.Caller, r.ID)
	if err != nil || again.Hash != r.Hash {
		t.Errorf("the receipt can't be read again: %+v, %v", again, err)
	}
	scene, err := w.Scene(t.Context(), w.Caller, nil)
	if err != nil || len(scene.Nodes) != 1 {
		t.Errorf("the explorer draws %d nodes, %v", len(scene.Nodes), err)
	}
}

func TestForgetSelectors(t *testing.T) {
	w := enginetest.New(t)
	write := func(content, user, namespace, subject string) graph.ID {
		return w.Remember(content, func(in *engine.RememberInput) {
			in.User, in.Namespace, in.Subject, in.OnDuplicate = user, namespace, subject, engine.Insert
		}).Memory.ID
	}
	a := write("Ada likes figs.", "ada", "home", "Ada")
	b := write("Ada likes plums.", "ada", "work", "Ada")
	c := write("Bo likes figs.", "bo", "home", "Bo")
	d := write("The tram is late.", "", "home", "Tram")

	dry := fixture.Forget(t, w, engine.ForgetInput{User: "ada", DryRun: true})
	if dry.Count != 2 || dry.ID != "" {
		t.Errorf("rehearsal: %+v", dry)
	}
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{User: "ada", Namespace: "work"})); !slices.Equal(ids, []graph.ID{b}) {
		t.Errorf("user and namespace: %v", ids)
	}
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{User: "ada"})); !slices.Equal(ids, []graph.ID{a}) {
		t.Errorf("user: %v", ids)
	}
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{Subject: "tram"})); !slices.Equal(ids, []graph.ID{d}) {
		t.Errorf("subject: %v", ids)
	}
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{Namespace: "home"})); !slices.Equal(ids, []graph.ID{c}) {
		t.Errorf("namespace: %v", ids)
	}
	if r := fixture.Forget(t, w, engine.ForgetInput{Tenant: true}); r.Count != 0 {
		t.Errorf("nothing was left, yet %d were erased", r.Count)
	}
	_, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "input")
	_, err = w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{"x"}})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "ids")
	_, err = w.DeletionReceipt(t.Context(), w.Caller, "019c75e5-7095-7fff-bfff-ffffffffffff")
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
}

func TestForgetUserLeavesOtherUsers(t *testing.T) {
	w := enginetest.New(t)
	var in []engine.RememberInput
	for i := range 200 {
		in = append(in, engine.RememberInput{Content: strings.Repeat("note ", i%7+1) + string(rune('a'+i%26)), User: []string{"ada", "bo"}[i%2], Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
	}
	if _, err := w.RememberMany(t.Context(), w.Caller, in); err != nil {
		t.Fatal(err)
	}
	if r := fixture.Forget(t, w, engine.ForgetInput{User: "ada"}); r.Count != 100 {
		t.Errorf("%d erased, want 100", r.Count)
	}
	left, err := w.Memories(t.Context(), w.Caller, engine.ListInput{First: 1000})
	if err != nil || len(left.Memories) != 100 {
		t.Fatalf("%d left, %v", len(left.Memories), err)
	}
	for _, v := range left.Memories {
		if v.User != "bo" {
			t.Errorf("a memory of %q is left", v.User)
		}
	}
}

func TestForgetReconnectsVersions(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The dog is called Pip.").Memory
	b := fixture.Supersede(t, w, a.ID, "The dog is called Bix.").Memory
	c := fixture.Supersede(t, w, b.ID, "The dog is called Fen.").Memory
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{b.ID}})
	versions, err := w.Lineage(t.Context(), w.Caller, c.ID, 0, 0)
	if err != nil || len(versions) != 2 || versions[0].Memory.ID != a.ID || versions[1].Memory.ID != c.ID {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	if versions[0].Memory.SupersededBy != c.ID || versions[1].Memory.Supersedes != a.ID || versions[1].Version != 3 {
		t.Errorf("the chain is not closed: %+v %+v", versions[0].Memory.SupersededBy, versions[1].Memory.Supersedes)
	}
}

func TestForgetIsIdempotent(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("Erase me once.").Memory
	in := engine.ForgetInput{IDs: []graph.ID{m.ID}, IdempotencyKey: "once"}
	first := fixture.Forget(t, w, in)
	again := fixture.Forget(t, w, in)
	if again.ID != first.ID || again.Count != 1 {
		t.Errorf("again: %+v, first %+v", again, first)
	}
	in.User = "ada"
	_, err := w.Forget(t.Context(), w.Caller, in)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
}

// failing fails every Update after the first few.
type failing struct {
	graph.Store
	left atomic.Int32
}

func newFailing(s graph.Store, updates int32) *failing {
	f := &failing{Store: s}
	f.left.Store(updates)
	return f
}

func (f *failing) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if f.left.Add(-1) < 0 {
		return 0, errors.New("the store is gone")
	}
	return f.Store.Update(ctx, scope, fn)
}

func TestForgetResumesAfterCrash(t *testing.T) {
	w := enginetest.New(t)
	var in []engine.RememberInput
	for i := range 100 {
		in = append(in, engine.RememberInput{Content: "Entry " + strings.Repeat("i", i+1), User: "ada", Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
	}
	if _, err := w.RememberMany(t.Context(), w.Caller, in); err != nil {
		t.Fatal(err)
	}
	// A second engine over the same store fails in the middle of the erasure.
	store := newFailing(w.Store, math.MaxInt32)
	dying := enginetest.With(t, enginetest.Options{Store: store})
	store.left.Store(2)
	if _, err := dying.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "ada"}); err == nil {
		t.Fatal("the erasure survived the crash of its store")
	}
	pending := engine.ReceiptsInput{Status: graph.DeletionPending}
	stuck, _, err := w.DeletionReceipts(t.Context(), w.Caller, pending)
	if err != nil || len(stuck) != 1 {
		t.Fatalf("pending after the crash: %v, %v", stuck, err)
	}
	// The next start finishes the erasure.
	fresh := enginetest.With(t, enginetest.Options{Store: w.Store})
	left, err := fresh.Memories(t.Context(), w.Caller, engine.ListInput{First: 1000})
	if err != nil || len(left.Memories) != 0 {
		t.Errorf("%d memories remain after the erasure, %v", len(left.Memories), err)
	}
	if all, _, err := fresh.DeletionReceipts(t.Context(), w.Caller, engine.ReceiptsInput{}); err != nil || len(all) != 1 || all[0].ID != stuck[0].ID || all[0].Status != graph.DeletionComplete {
		t.Errorf("the list afterwards: %v, %v", all, err)
	}
}

// Erasures of versions that wrote no notes of them are listed by their proofs, page by page.
func TestReceiptsOfEarlierVersionsAreListed(t *testing.T) {
	w := enginetest.New(t)
	ids := graph.NewIDSource(rand.NewChaCha8([32]byte{1}))
	var want []graph.ID
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		for i := range 8 {
			at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
			id, err := ids.New(at)
			if err != nil {
				return err
			}
			want = append([]graph.ID{id}, want...)
			err = tx.PutReceipt(graph.Receipt{ID: id, Status: graph.DeletionComplete, RequestedAt: at, CompletedAt: at})
			// Three with a proof, two with both notes, three with a note of the erasure.
			if i < 5 {
				err = errors.Join(err, tx.PutNote(graph.Note{Kind: graph.NoteProof, ID: id, At: at}))
			}
			if i > 2 {
				err = errors.Join(err, tx.PutNote(graph.Note{Kind: graph.NoteErasure, ID: id, At: at}))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []graph.ID
	for more := true; more; {
		in := engine.ReceiptsInput{First: 3}
		if len(got) > 0 {
			in.After = got[len(got)-1]
		}
		var page []*graph.Receipt
		if page, more, err = w.DeletionReceipts(t.Context(), w.Caller, in); err != nil || len(page) == 0 {
			t.Fatalf("%d receipts, %v", len(page), err)
		}
		for _, r := range page {
			got = append(got, r.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

// The receipt of a dry run and of an erasure counts the anonymised copies. They are not
// among the erased ids. A second erasure, or the erasure of the tenant, erases them too.
func TestReceiptListsAnonymisedCopies(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Ana must never be given penicillin.", "ana must not meet quillon.", "The gas valve in the cellar leaks."} {
		w.Remember(text, func(in *engine.RememberInput) { in.User, in.SafetyCritical = "ana", true })
	}
	plain := w.Remember("Ana likes tea.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
	forget := func(in engine.ForgetInput) *graph.Receipt {
		t.Helper()
		r, err := w.Forget(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := forget(engine.ForgetInput{User: "ana", DryRun: true}); r.Count != 4 || r.Anonymised != 2 {
		t.Errorf("rehearsed: %+v", r)
	}
	r := forget(engine.ForgetInput{User: "ana"})
	if r.Count != 4 || r.Anonymised != 2 {
		t.Errorf("done: %+v", r)
	}
	if again, err := w.DeletionReceipt(t.Context(), w.Caller, r.ID); err != nil || again.Anonymised != 2 {
		t.Errorf("read back: %+v, %v", again, err)
	}
	if fixture.MustView(w, plain).State.Status != graph.Forgotten {
		t.Error("a memory that is not safety-critical was kept")
	}
	list := func() []*engine.View {
		t.Helper()
		l, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}})
		if err != nil {
			t.Fatal(err)
		}
		return l.Memories
	}
	kept := list()
	if len(kept) != 2 {
		t.Fatalf("%d are kept", len(kept))
	}
	for _, v := range kept {
		if v.User != "" || len(v.Entities) != 0 || !v.SafetyCritical || strings.Contains(v.Content, "Ana") {
			t.Errorf("%+v", v.Memory)
		}
	}
	// The erasure of a namespace erases earlier copies, but not the ones that it makes
	// itself.
	w.Remember("Bo must never be given penicillin.", func(in *engine.RememberInput) { in.User, in.SafetyCritical = "Bo", true })
	if r := forget(engine.ForgetInput{Namespace: "default"}); r.Count != 3 || r.Anonymised != 1 {
		t.Errorf("a namespace: %+v", r)
	}
	if n := len(list()); n != 1 {
		t.Errorf("%d are kept", n)
	}
	if r := forget(engine.ForgetInput{Tenant: true}); r.Count != 1 || r.Anonymised != 0 || len(list()) != 0 {
		t.Errorf("the tenant: %+v", r)
	}
}

// A copy without names is kept for everybody only if who erases may write for everybody, in the voice of its source, and not of
// what is private or RESTRICTED.
func TestAnonymisedCopiesAreNoWayToShare(t *testing.T) {
	text := "Never leave the insulin pump unattended."
	for _, x := range []struct {
		name   string
		scopes []access.Scope
		with   func(*engine.RememberInput)
		kept   int
	}{
		{"a user", []access.Scope{access.MemoryRead, access.MemoryWrite}, nil, 0},
		{"a user who may share", []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}, nil, 1},
		{"RESTRICTED", access.AllScopes, func(in *engine.RememberInput) { in.Sensitivity = graph.Restricted }, 0},
		{"private", access.AllScopes, func(in *engine.RememberInput) { in.Private = true }, 0},
	} {
		w := enginetest.New(t)
		c := w.Caller
		c.Name, c.User, c.Agent, c.Admin, c.Scopes = "key", "ana", "a1", false, x.scopes
		in := engine.RememberInput{Content: text, User: "ana", Agent: "a1", SafetyCritical: true, Consent: graph.ConsentExplicit}
		if x.with != nil {
			x.with(&in)
		}
		r, err := w.Engine.Remember(t.Context(), c, in)
		if err != nil {
			t.Fatal(err)
		}
		receipt, err := w.Forget(t.Context(), c, engine.ForgetInput{IDs: []graph.ID{r.Memory.ID}})
		if err != nil || receipt.Count != 1 || receipt.Anonymised != x.kept {
			t.Errorf("%s: %+v, %v", x.name, receipt, err)
		}
		all, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}})
		if err != nil || len(all.Memories) != x.kept || x.kept > 0 && all.Memories[0].SourceKind != graph.FromUser {
			t.Errorf("%s: %+v, %v", x.name, all, err)
		}
	}
}
