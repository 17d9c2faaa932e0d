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
