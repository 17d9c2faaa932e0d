package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

func rowsOf(t *testing.T, w *World, f engine.AuditFilter) []engine.AuditEntry {
	t.Helper()
	f.First = 1000
	rows, _, err := w.Audit(t.Context(), w.Caller, f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestEveryCallLeavesARow(t *testing.T) {
	w := With(t, Options{AuditKeys: &AuditKeys{}})
	ada := engine.Caller{Tenant: "default", Name: "ada", Credential: "key-of-ada", User: "ada", Grant: .5, Scopes: w.Caller.Scopes}
	m := w.Remember("The bridge over the Sula is closed.", func(in *engine.RememberInput) { in.Namespace = "roads" }).Memory
	many, err := w.RememberMany(t.Context(), ada, []engine.RememberInput{
		{Content: "Ada takes the bus at eight.", User: "ada", Consent: graph.ConsentExplicit}, {Content: "Quinces ripen in October.", User: "ada", Consent: graph.ConsentExplicit},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: m.ID, Content: "The bridge over the Sula is open."}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.Search("bridge")
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{many[1].Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), ada, engine.ForgetInput{Tenant: true}); err == nil {
		t.Log("a scope of the test grants it")
	}
	_, err = w.Forget(t.Context(), engine.Caller{Tenant: "default", Name: "bo", Credential: "key-of-bo", User: "bo", Scopes: nil}, engine.ForgetInput{Tenant: true})
	if graph.CodeOf(err) != graph.CodeForbidden {
		t.Fatal(err)
	}
	if _, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Wait: true}); err != nil {
		t.Fatal(err)
	}
	first := rowsOf(t, w, engine.AuditFilter{Verb: "remember", OldestFirst: true})
	if len(first) != 1 || first[0].Principal != "loopback" || !slices.Equal(first[0].Namespaces, []string{"roads"}) || !slices.Contains(first[0].IDs, m.ID) || !strings.Contains(first[0].Decision, "CREATED") {
		t.Errorf("remember: %+v", first)
	}
	if got := rowsOf(t, w, engine.AuditFilter{Principal: "key-of-ada", Verb: "rememberMany"}); len(got) != 1 || len(got[0].IDs) < 2 {
		t.Errorf("rememberMany: %+v", got)
	}
	if got := rowsOf(t, w, engine.AuditFilter{Verb: "supersede"}); len(got) != 1 || !strings.Contains(got[0].Decision, "SUPERSEDED") {
		t.Errorf("supersede: %+v", got)
	}
	if got := rowsOf(t, w, engine.AuditFilter{Verb: "search"}); len(got) != 1 || got[0].Count != 3 || !got[0].Counted {
		t.Errorf("search: %+v", got)
	}
	forgot := rowsOf(t, w, engine.AuditFilter{Verb: "forget", Outcome: "OK"})
	if !slices.ContainsFunc(forgot, func(e engine.AuditEntry) bool {
		return slices.Contains(e.IDs, many[1].Memory.ID) && strings.Contains(e.Decision, "FORGOTTEN")
	}) {
		t.Errorf("forget: %+v", forgot)
	}
	if got := rowsOf(t, w, engine.AuditFilter{Outcome: "FORBIDDEN", Principal: "key-of-bo"}); len(got) != 1 || got[0].Verb != "forget" {
		t.Errorf("refused: %+v", got)
	}
	if got := rowsOf(t, w, engine.AuditFilter{Verb: "sleep"}); len(got) == 0 {
		t.Error("the sleep left no row")
	}
	for _, e := range rowsOf(t, w, engine.AuditFilter{}) {
		if text, err := json.Marshal(e); err != nil || strings.Contains(string(text), "Sula") || strings.Contains(string(text), "Quinces") {
			t.Errorf("a row holds content: %s, %v", text, err)
		}
	}
	w.Clock.Advance(time.Hour)
	v, err := w.VerifyAudit(t.Context(), w.Caller)
	if err != nil || !v.Intact() || v.Chains[0].Rows == 0 || v.Chains[0].Waiting != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if _, _, err := w.Audit(t.Context(), ada, engine.AuditFilter{}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a user read the audit of the tenant: %v", err)
	}
}

// The process dies before each commit of a session of writes. Every write that is in the store
// afterwards has its row, and the chain has no gap.
func TestCrashLeavesNoWriteWithoutARow(t *testing.T) {
	for crash := 0; ; crash++ {
		keys := &AuditKeys{}
		base := With(t, Options{})
		// The callers of a dead process are gone: otherwise a write could wait for an index that can't read any more.
		ctx, cancel := context.WithCancel(t.Context())
		store := &crashingStore{Store: base.Store, commitsLeft: crash, onCrash: cancel}
		w := With(t, Options{Store: store, AuditKeys: keys})
		died := false
		var ids []graph.ID
		for i, text := range []string{"Cranes leave in autumn.", "The kiln needs new bricks.", "Salt is kept in the cellar."} {
			r, err := w.Engine.Remember(ctx, w.Caller, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit})
			if err != nil {
				died = true
				break
			}
			ids = append(ids, r.Memory.ID)
			if i == 1 {
				if _, _, err := w.Audit(ctx, w.Caller, engine.AuditFilter{}); err != nil {
					died = true
					break
				}
			}
		}
		if _, err := w.Forget(ctx, w.Caller, engine.ForgetInput{Tenant: true}); err != nil {
			died = true
		}
		cancel()
		after := With(t, Options{Store: base.Store, AuditKeys: keys, Seed: 100})
		named := map[graph.ID]bool{}
		for _, e := range rowsOf(t, after, engine.AuditFilter{}) {
			for _, id := range e.IDs {
				named[id] = true
			}
		}
		var stored []graph.ID
		err := base.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error {
			all, err := r.ListMemories(graph.MemoryQuery{Statuses: graph.Statuses})
			for _, m := range all {
				stored = append(stored, m.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range stored {
			if !named[id] {
				t.Errorf("crash before commit %d: the memory %s has no row", crash, id)
			}
		}
		if len(stored) < len(ids) {
			t.Errorf("crash before commit %d: %d of %d memories are left", crash, len(stored), len(ids))
		}
		after.Clock.Advance(time.Hour)
		if v, err := after.VerifyAudit(t.Context(), w.Caller); err != nil || !v.Intact() {
			t.Errorf("crash before commit %d: %+v, %v", crash, v, err)
		}
		if !died {
			if crash < 4 {
				t.Fatalf("only %d commits", crash)
			}
			return
		}
	}
}

// The process dies before each commit of the calls that make and revoke API keys and make tenants. What
// they changed in the store has a row, although no transaction has both.
func TestCrashLeavesNoChangeOfTheServerWithoutARow(t *testing.T) {
	for crash, died := 0, true; died; crash++ {
		secrets := &AuditKeys{}
		base := With(t, Options{})
		// The keys are made through the store of the process, whose engine has nothing to commit by itself.
		store := &crashingStore{Store: base.Store, commitsLeft: -1}
		w := With(t, Options{Store: store, AuditKeys: secrets})
		if _, _, err := w.Audit(t.Context(), w.Caller, engine.AuditFilter{}); err != nil { // opens the tenant
			t.Fatal(err)
		}
		keys, err := access.NewKeys(store, make([]byte, access.MinPepper), w.Engine.Now, Random(7))
		if err != nil {
			t.Fatal(err)
		}
		tenants := access.NewTenants(store, w.Engine.Now, w.Engine.Now, Random(8))
		call := func(verb string, do func(context.Context) error) (err error) {
			ctx, end := w.Record(t.Context(), w.Caller, verb)
			defer end(&err)
			return do(ctx)
		}
		var key *access.Key
		store.crashAt(crash, nil)
		died = errors.Join(
			call("createApiKey", func(ctx context.Context) (err error) {
				key, _, err = keys.Create(ctx, access.Input{Tenant: "default", Owner: "ops", Scopes: []access.Scope{access.MemoryRead}})
				return err
			}),
			call("revokeApiKey", func(ctx context.Context) error {
				if key == nil {
					return ctx.Err()
				}
				_, err := keys.Revoke(ctx, key.ID)
				return err
			}),
			call("createTenant", func(ctx context.Context) error {
				_, err := tenants.Create(ctx, access.TenantInput{Name: "acme"})
				return err
			}),
		) != nil
		after := With(t, Options{Store: base.Store, AuditKeys: secrets, Seed: 100})
		made, err := access.NewKeys(base.Store, make([]byte, access.MinPepper), w.Engine.Now, Random(7))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := made.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		known, err := access.NewTenants(base.Store, w.Engine.Now, w.Engine.Now, Random(8)).List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for verb, changed := range map[string]bool{
			"createApiKey": len(stored) > 0, "revokeApiKey": len(stored) > 0 && !stored[0].RevokedAt.IsZero(),
			"createTenant": slices.ContainsFunc(known, func(x *access.Tenant) bool { return x.Name == "acme" }),
		} {
			rows := rowsOf(t, after, engine.AuditFilter{Verb: verb, Outcome: "BEGUN"})
			if changed && len(rows) != 1 {
				t.Errorf("crash before commit %d: %s has %d rows", crash, verb, len(rows))
			}
			if !changed && !died {
				t.Errorf("%s changed nothing", verb)
			}
			if len(rows) > 0 && rows[0].Principal != "loopback" {
				t.Errorf("%s is by %s", verb, rows[0].Principal)
			}
		}
		if v, err := after.VerifyAudit(t.Context(), after.Caller); err != nil || !v.Intact() {
			t.Errorf("crash before commit %d: %+v, %v", crash, v, err)
		}
		if crash > 60 {
			t.Fatal("it does not end")
		}
	}
}
