package access_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// tenants is a Tenants over the store of keys, whose clocks stand with theirs.
func (k *keys) tenants() *access.Tenants {
	now := func() time.Time { return k.now }
	return access.NewTenants(k.store, now, now, rand.NewChaCha8([32]byte{2}))
}

func TestTenantsAreMadeOnceAndListed(t *testing.T) {
	k := newKeys(t)
	tenants := k.tenants()
	made, err := tenants.Create(t.Context(), access.TenantInput{Name: "acme", Title: "Acme Ltd", Quotas: access.Quotas{Memories: 5, Bytes: 100, CostPerMinute: 60}})
	if err != nil || !made.CreatedAt.Equal(k.now) {
		t.Fatal(made, err)
	}
	for name, in := range map[string]access.TenantInput{
		"name":            {Name: "acme"},
		"title":           {Name: "b", Title: "line\nbreak"},
		"quotas.memories": {Name: "b", Quotas: access.Quotas{Memories: -1}},
		"quotas.bytes":    {Name: "b", Quotas: access.Quotas{Bytes: 1<<53 + 1}},
	} {
		if _, err := tenants.Create(t.Context(), in); graph.CodeOf(err) != graph.CodeInvalidRequest || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []graph.Tenant{"", "$server", "a b", graph.Tenant(strings.Repeat("a", 65))} {
		if _, err := tenants.Create(t.Context(), access.TenantInput{Name: name}); graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := tenants.SetQuotas(t.Context(), "acme", access.Quotas{Bytes: 7}); err != nil {
		t.Fatal(err)
	}
	if _, err := tenants.SetQuotas(t.Context(), "unknown", access.Quotas{}); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("quotas of an unknown tenant: %v", err)
	}
	k.mustCreate(t, access.Input{Tenant: "later", Owner: "o", Scopes: []access.Scope{access.MemoryRead}})
	all, err := tenants.List(t.Context())
	if err != nil || len(all) != 2 || all[0].Title != "Acme Ltd" || all[0].Quotas != (access.Quotas{Bytes: 7}) || all[1].Name != "later" {
		t.Errorf("%+v %+v, %v", all[0], all[1], err)
	}
}

// A tenant that is deleted gets no key, and its name is not used again.
func TestADeletedTenantStaysDeleted(t *testing.T) {
	k := newKeys(t)
	tenants, other := k.tenants(), k.tenants() // of another server
	k.mustCreate(t, input())
	if x, err := other.Get(t.Context(), "acme"); err != nil || x.Deleted() {
		t.Fatal(x, err)
	}
	began, err := tenants.BeginDelete(t.Context(), "acme")
	if err != nil || !began.Deleted() || began.Receipt != "" {
		t.Fatal(began, err)
	}
	if x, err := tenants.Get(t.Context(), "acme"); err != nil || !x.Deleted() {
		t.Errorf("on the server that deleted it: %+v, %v", x, err)
	}
	if x, _ := other.Get(t.Context(), "acme"); x.Deleted() {
		t.Error("another server looked before a second had passed")
	}
	k.now = k.now.Add(time.Second)
	if x, err := other.Get(t.Context(), "acme"); err != nil || !x.Deleted() {
		t.Errorf("on another server after a second: %+v, %v", x, err)
	}
	again, err := tenants.BeginDelete(t.Context(), "acme")
	if err != nil || !again.DeletedAt.Equal(began.DeletedAt) {
		t.Errorf("again: %+v, %v", again, err)
	}
	if done, err := tenants.FinishDelete(t.Context(), "acme", "019ca8a0-5208-7038-9351-be7b34b4f571"); err != nil || done.Receipt == "" {
		t.Error(done, err)
	}
	if _, _, err := k.Create(t.Context(), input()); graph.CodeOf(err) != graph.CodeInvalidRequest || !strings.Contains(err.Error(), "deleted") {
		t.Errorf("a key: %v", err)
	}
	if _, err := tenants.Create(t.Context(), access.TenantInput{Name: "acme"}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("the name again: %v", err)
	}
	if _, err := tenants.SetQuotas(t.Context(), "acme", access.Quotas{}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("quotas: %v", err)
	}
}

// deletions is a record of deleted tenants in memory.
type deletions map[string]time.Time

func (d deletions) DeleteTenant(name string, at time.Time) error {
	if _, known := d[name]; !known {
		d[name] = at
	}
	return nil
}

func (d deletions) DeletedTenants() map[string]time.Time { return d }

// A tenant that is back is named at every start until its erasure is finished: a kill can come before the erasure.
func TestATenantIsDeletedAgainUntilItsErasureIsFinished(t *testing.T) {
	k := newKeys(t)
	k.mustCreate(t, input())
	record := deletions{"acme": k.now}
	for _, start := range []string{"first", "after a kill"} {
		again, err := k.tenants().Record(t.Context(), record)
		if err != nil || len(again) != 1 || again[0] != "acme" {
			t.Errorf("%s: %q are to be erased, %v", start, again, err)
		}
	}
	if _, err := k.tenants().FinishDelete(t.Context(), "acme", "019ca8a0-5208-7038-9351-be7b34b4f571"); err != nil {
		t.Fatal(err)
	}
	if again, err := k.tenants().Record(t.Context(), record); err != nil || len(again) != 0 {
		t.Errorf("after the erasure: %q are to be erased, %v", again, err)
	}
}
