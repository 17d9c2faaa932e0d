package erasure_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// erasures is a ledger in memory that can refuse to append.
type erasures struct {
	mu      sync.Mutex
	ids     []graph.ID
	owners  []string // of EraseOwner
	refuse  bool
	appends func() // called before each append; may be nil
}

func (e *erasures) Append(_ graph.Scope, _ graph.ID, _ time.Time, ids []graph.ID) error {
	if e.appends != nil && len(ids) > 0 {
		e.appends()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refuse {
		return graph.ErrUnavailable
	}
	e.ids = append(e.ids, ids...)
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	return nil
}

func (e *erasures) IDs(graph.Scope) []graph.ID {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.ids)
}

func (e *erasures) Tenants() []graph.Tenant { return nil }

func (e *erasures) EraseOwner(_ graph.Scope, user string, namespaces []string, _ time.Time) error {
	e.owners = append(e.owners, fmt.Sprintf("%s in %v", user, namespaces))
	return nil
}

func (*erasures) ErasedOwners(graph.Scope) func(string, string, time.Time) bool { return nil }
func (*erasures) OwnersState(graph.Scope) (setting, state string)               { return "", "" }

// A receipt is COMPLETE only after the ledger has its ids. An erasure that the ledger refused is
// finished by the next start.
func TestReceiptWaitsForTheLedger(t *testing.T) {
	e := &erasures{refuse: true}
	w := enginetest.With(t, enginetest.Options{Erasures: e})
	gone := w.Remember("Canary Quillfeather hid the ledger in the boathouse.").Memory.ID
	if _, err := w.Engine.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{gone}}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("with a ledger that can't be written: %v", err)
	}
	if err := w.Restart(); err != nil {
		t.Fatalf("start with a ledger that can't be written: %v", err)
	}
	e.refuse = false
	var pending int
	e.appends = func() {
		var all []graph.Receipt
		if err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) (err error) { all, err = receipts(r); return err }); err != nil {
			t.Error(err)
		}
		for _, r := range all {
			if r.Status == graph.DeletionPending {
				pending++
			}
		}
	}
	other := w.Remember("The boathouse was painted green.").Memory.ID
	r := fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{other}})
	if r.Status != graph.DeletionComplete || pending != 2 {
		t.Errorf("receipt %s; %d of 2 appends came before their receipt was COMPLETE", r.Status, pending)
	}
	if want := []graph.ID{gone, other}; !slices.Equal(e.ids, want) {
		t.Errorf("recorded %v, want %v", e.ids, want)
	}
}

// receipts finds the receipts by the feed of forgotten memories: there is no list of them.
func receipts(r graph.Reader) ([]graph.Receipt, error) {
	job, err := r.Setting("forget.job")
	if errors.Is(err, graph.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	id := graph.ID(job[len(`{"receipt":"`):][:36])
	receipt, err := r.Receipt(id)
	if err != nil {
		return nil, err
	}
	return []graph.Receipt{*receipt}, nil
}

// What the ledger names and the store has with content is erased at the start, together with
// what derives from it and without anonymised copies.
func TestStartErasesAgain(t *testing.T) {
	e := &erasures{}
	w := enginetest.With(t, enginetest.Options{Erasures: e})
	gone := w.Remember("Ines Quillfeather must not eat peanuts.", func(in *engine.RememberInput) { in.User = "ines" }).Memory.ID
	kept := w.Remember("The boathouse was painted green.").Memory.ID
	e.ids = []graph.ID{gone}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if v := fixture.MustView(w, gone); v.State.Status != graph.Forgotten || v.Content != "" {
		t.Errorf("after the start: %s %q", v.State.Status, v.Content)
	}
	if v := fixture.MustView(w, kept); v.State.Status != graph.Active {
		t.Errorf("another memory: %s", v.State.Status)
	}
	n := 0
	err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error {
		for range graph.AllMemories(r, graph.MemoryQuery{}) {
			n++
		}
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("%d memories, %v; a replay keeps no anonymised copy", n, err)
	}
}

// The record of erasures outside the store has the owner if everything of the owner was erased, and only then.
func TestTheLedgerHasErasedOwners(t *testing.T) {
	for name, x := range map[string]struct {
		in   engine.ForgetInput
		user string // of the caller, with its agent
		want string
	}{
		"a user":                          {engine.ForgetInput{User: "ines"}, "", "ines in []"},
		"a user by herself":               {engine.ForgetInput{User: "ines"}, "ines", "ines in []"},
		"a user in a namespace":           {engine.ForgetInput{User: "ines", Namespace: "default"}, "", "ines in [default]"},
		"a namespace":                     {engine.ForgetInput{Namespace: "default"}, "", " in [default]"},
		"a tenant":                        {engine.ForgetInput{Tenant: true}, "", " in []"},
		"what a caller has in one":        {engine.ForgetInput{Namespace: "default"}, "ines", "ines\x1f in [default]"},
		"a tenant, by a bound caller":     {engine.ForgetInput{Tenant: true}, "ines", "ines\x1f in []"},
		"a tenant, by an agent of a user": {engine.ForgetInput{Tenant: true}, "ines\x1fpia", "ines\x1f in [], ines\x1fpia in []"},
		"a memory":                        {engine.ForgetInput{}, "", ""},
		"a memory of a user":              {engine.ForgetInput{User: "ines"}, "", ""},
		"a subject of a user":             {engine.ForgetInput{User: "ines", Subject: "boat"}, "", ""},
		"an entity of a user":             {engine.ForgetInput{User: "ines", Entity: "Quillfeather"}, "", ""},
	} {
		e := &erasures{}
		w := enginetest.With(t, enginetest.Options{Erasures: e})
		gone := w.Remember("I saw Quillfeather at the boathouse.", func(in *engine.RememberInput) { in.User = "ines" }).Memory.ID
		if strings.HasPrefix(name, "a memory") {
			x.in.IDs = []graph.ID{gone}
		}
		c := w.Caller
		c.User, c.Agent = graph.SplitOwner(x.user)
		if r, err := w.Engine.Forget(t.Context(), c, x.in); err != nil || r.Status != graph.DeletionComplete {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if got := strings.Join(e.owners, ", "); got != x.want {
			t.Errorf("%s: recorded %q, want %q", name, got, x.want)
		}
	}
}

// An erasure that an earlier version began for a caller that is bound to a user, and that a start ends, marks that user, and not everybody.
func TestAnErasureOfAnEarlierVersionMarksItsUser(t *testing.T) {
	e := &erasures{refuse: true}
	w := enginetest.With(t, enginetest.Options{Erasures: e})
	w.Remember("I saw Quillfeather at the boathouse.", func(in *engine.RememberInput) { in.User = "ines" })
	c := w.Caller
	c.User = "ines"
	if _, err := w.Engine.Forget(t.Context(), c, engine.ForgetInput{Namespace: "default"}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatal(err)
	}
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		job, err := tx.Setting("forget.job")
		if err != nil {
			return err
		}
		return tx.PutSetting("forget.job", []byte(strings.Replace(string(job), `,"seen":true`, "", 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	e.refuse = false
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(e.owners, ", "); got != "ines in [default]" {
		t.Errorf("recorded %q", got)
	}
}
