package erasure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// scopedErasures is a ledger in memory with the ids of each tenant.
type scopedErasures map[graph.Tenant][]graph.ID

func (e scopedErasures) Append(s graph.Scope, _ graph.ID, _ time.Time, ids []graph.ID) error {
	all := append(e[s.Tenant], ids...)
	slices.Sort(all)
	e[s.Tenant] = slices.Compact(all)
	return nil
}

func (e scopedErasures) IDs(s graph.Scope) []graph.ID { return slices.Clone(e[s.Tenant]) }

func (e scopedErasures) Tenants() []graph.Tenant { return nil }

func (scopedErasures) EraseOwner(graph.Scope, string, []string, time.Time) error { return nil }

func (scopedErasures) ErasedOwners(graph.Scope) func(string, string, time.Time) bool { return nil }
func (scopedErasures) OwnersState(graph.Scope) (setting, state string)               { return "", "" }

// keyNotes are the notes of all API keys of a store.
func keyNotes(t *testing.T, s graph.Store) (notes []*graph.Note) {
	t.Helper()
	err := s.View(t.Context(), graph.ServerScope(), func(r graph.Reader) (err error) {
		notes, err = r.Notes(graph.NoteAPIKey, "", false, graph.MaxPage)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// ofUser reports whether a note is of a key of the erased user.
func ofUser(n *graph.Note) bool {
	return strings.Contains(string(n.Data), "wilhelmina") && strings.Contains(string(n.Data), `"tenant":"default"`)
}

// An erasure of a user deletes the API keys that are bound to the user, whenever the process dies meanwhile.
// The proof lists them, and an older copy does not bring them back.
func TestAnErasureOfAUserDeletesTheUsersKeys(t *testing.T) {
	for crash, died := 0, true; died; crash++ {
		ledger, secrets := scopedErasures{}, &enginetest.AuditKeys{}
		base := enginetest.New(t)
		base.Remember("Wilhelmina sings in the choir.", func(in *engine.RememberInput) { in.User = "wilhelmina" })
		keys, err := access.NewKeys(base.Store, bytes.Repeat([]byte{7}, access.MinPepper), base.Engine.Now, enginetest.Random(7))
		if err != nil {
			t.Fatal(err)
		}
		newKey := func(tenant graph.Tenant, user string) (id, text string) {
			k, text, err := keys.Create(t.Context(), access.Input{Name: "of " + user, Tenant: tenant, Owner: user, User: user, Scopes: []access.Scope{access.MemoryRead}})
			if err != nil {
				t.Fatal(err)
			}
			return k.ID, text
		}
		first, text := newKey("default", "wilhelmina")
		second, _ := newKey("default", "wilhelmina")
		if _, err := keys.Revoke(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		newKey("default", "ben")
		newKey("acme", "wilhelmina") // another person
		before := keyNotes(t, base.Store)

		in := engine.ForgetInput{User: "wilhelmina", IdempotencyKey: "once"}
		process := &dying{Store: base.Store}
		process.left.Store(1000)
		killed := enginetest.With(t, enginetest.Options{Store: process, Erasures: ledger, AuditKeys: secrets, Seed: 20})
		process.left.Store(int64(crash))
		_, err = killed.Engine.Forget(t.Context(), killed.Caller, in)
		died = err != nil
		w := enginetest.With(t, enginetest.Options{Store: base.Store, Erasures: ledger, AuditKeys: secrets, Seed: 50})
		receipt := fixture.Forget(t, w, in)
		if receipt.Status != graph.DeletionComplete {
			t.Errorf("crash before commit %d: %s", crash, receipt.Status)
		}
		check := func(when string) {
			t.Helper()
			left := keyNotes(t, base.Store)
			if len(left) != 2 || slices.ContainsFunc(left, ofUser) {
				t.Errorf("crash before commit %d: %d keys are left %s", crash, len(left), when)
			}
			if _, err := keys.Check(t.Context(), text); graph.CodeOf(err) != graph.CodeUnauthenticated {
				t.Errorf("crash before commit %d: the key is accepted %s: %v", crash, when, err)
			}
		}
		check("after the erasure")
		if n, err := w.ErasedKeys(t.Context(), w.Caller, receipt.ID); err != nil || n != 2 {
			t.Errorf("crash before commit %d: the receipt counts %d keys, %v", crash, n, err)
		}
		document, _, err := w.ProveErasure(t.Context(), w.Caller, receipt.ID)
		if err != nil {
			t.Fatal(err)
		}
		var proved struct{ Receipt string }
		var listed struct{ APIKeys []string }
		if err := json.Unmarshal(document, &proved); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(proved.Receipt), &listed); err != nil {
			t.Fatal(err)
		}
		want := []string{first, second}
		slices.Sort(want)
		if !slices.Equal(listed.APIKeys, want) {
			t.Errorf("crash before commit %d: the proof lists %v, want %v", crash, listed.APIKeys, want)
		}
		_, err = base.Store.Update(t.Context(), graph.ServerScope(), func(tx graph.Tx) error { return tx.PutNote(*before[slices.IndexFunc(before, ofUser)]) })
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
		check("after an older copy was put back")
		if crash > 60 {
			t.Fatal("it does not end")
		}
	}
}

// dying is the store of a process that dies before a commit. It still reads.
type dying struct {
	graph.Store
	left atomic.Int64
}

func (d *dying) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if d.left.Add(-1) < 0 {
		return 0, errors.New("the process died")
	}
	return d.Store.Update(ctx, scope, fn)
}

// An erasure of a part of what is known of a user leaves the keys.
func TestAnErasureOfAPartLeavesTheKeys(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Erasures: scopedErasures{}})
	keys, err := access.NewKeys(w.Store, bytes.Repeat([]byte{7}, access.MinPepper), w.Engine.Now, enginetest.Random(7))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := keys.Create(t.Context(), access.Input{Tenant: "default", Owner: "ana", User: "ana", Scopes: []access.Scope{access.MemoryRead}}); err != nil {
		t.Fatal(err)
	}
	w.Remember("Ana's bicycle is green.", func(in *engine.RememberInput) { in.User, in.Namespace = "ana", "trips" })
	for _, in := range []engine.ForgetInput{{User: "ana", Namespace: "trips"}, {User: "ana", Subject: "bicycle"}, {Namespace: "trips"}} {
		fixture.Forget(t, w, in)
	}
	if left := keyNotes(t, w.Store); len(left) != 1 {
		t.Errorf("%d keys are left", len(left))
	}
}
