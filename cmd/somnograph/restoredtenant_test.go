package main

import (
	"strings"
	"testing"
)

// A tenant that was deleted stays so with a restore of a backup from before: its name makes no key, tokens of an issuer for it are
// refused, and its webhooks are gone.
func TestADeletedTenantStaysDeleted(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	p.succeeds("tenants", "create", "acme", "--addr", s.url)
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	p.succeeds("tenants", "create", "late", "--addr", s.url)
	for _, name := range []string{"acme", "late"} {
		p.succeeds("tenants", "delete", name, "--confirm", name, "--addr", s.url)
	}
	s.stop()
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), "--keys", p.at("keys"))
	for _, name := range []string{"acme", "late"} {
		out, errs, code := output(t, "keys", "create", "--addr", s.url, "--tenant", name, "--scopes", "memory:read")
		if code == 0 || !strings.Contains(out+errs, "deleted") {
			t.Errorf("a key of the deleted tenant %s: code %d, %s%s", name, code, out, errs)
		}
	}
	if out, errs, code := output(t, "tenants", "list", "--addr", s.url); code != 0 || strings.Contains(strings.ToLower(out), "active") && strings.Contains(out, "acme") && !strings.Contains(strings.ToUpper(out), "DELETED") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	s.stop()
}

// A restore to a boundary before a tenant was made takes all rows of its audit away, and says so when the tenant is there again: doctor finds
// no fault, and the check of the audit names the rows.
func TestTheAuditOfATenantThatARestoreDoesNotKnow(t *testing.T) {
	p := newPlace(t)
	t.Setenv("SOMNOGRAPH_KEY", "")
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	p.succeeds("tenants", "create", "gone", "--addr", s.url)
	for _, name := range []string{"gone", "late"} {
		p.succeeds("keys", "create", "--addr", s.url, "--tenant", name, "--scopes", "memory:read,memory:write,audit:read")
	}
	p.succeeds("tenants", "delete", "gone", "--confirm", "gone", "--addr", s.url)
	s.stop()
	late := newKey(t, p.at("data"), "--keys", p.at("keys"), "--tenant", "late", "--scopes", "memory:read,memory:write,audit:read")
	args := []string{"--keys", p.at("keys"), "--auth", "keys"}
	t.Setenv("SOMNOGRAPH_KEY", late.Key)
	s = start(t, p.at("data"), args...)
	p.succeeds("audit", "verify", "--addr", s.url)
	s.stop()

	sound := func(when string) {
		t.Helper()
		if out := p.succeeds("doctor", "--data", p.at("restored"), "--keys", p.at("keys")); !strings.Contains(out, "the data is sound") || strings.Contains(out, "AUDIT") {
			t.Errorf("%s: %s", when, out)
		}
	}
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	sound("restored")
	again := newKey(t, p.at("restored"), "--keys", p.at("keys"), "--tenant", "late", "--scopes", "memory:read,memory:write,audit:read")
	sound("the tenant is made again")
	t.Setenv("SOMNOGRAPH_KEY", again.Key)
	s = start(t, p.at("restored"), args...) // deletes the other tenant again
	if out := p.succeeds("audit", "verify", "--addr", s.url); !strings.Contains(out, "rows 1 to") || !strings.Contains(out, "are missing, because the store was restored at") || !strings.Contains(out, "the audit is intact") {
		t.Errorf("audit verify: %s", out)
	}
	s.stop()
	sound("after the server")
}
