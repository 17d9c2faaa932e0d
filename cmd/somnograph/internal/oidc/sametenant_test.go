package oidc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// A sub is unique within its issuer only (OpenID Connect Core, section 2): by default "ana" of one issuer must not become "ana" of
// another one in the same tenant, and read what that one's memories are. Who wants that says so.
func TestIssuersOfOneTenantDoNotShareUsersByDefault(t *testing.T) {
	for name, x := range map[string]struct {
		a, b string
		ok   bool
	}{
		"one tenant":                 {"tenant: acme", "tenant: acme", false},
		"overlapping lists":          {"tenant-claim: org, tenants: [acme, beta]", "tenant-claim: org, tenants: [beta]", false},
		"a tenant of a list":         {"tenant: acme", "tenant-claim: org, tenants: [acme, beta]", false},
		"one says it":                {"tenant: acme, user-claim: sub", "tenant: acme", false},
		"both say it":                {"tenant: acme, user-claim: sub", "tenant: acme, user-claim: email", true},
		"bound to nobody":            {`tenant: acme, user-claim: ""`, "tenant: acme", true},
		"two tenants":                {"tenant: acme", "tenant: beta", true},
		"lists that have none alike": {"tenant-claim: org, tenants: [acme]", "tenant-claim: org, tenants: [beta]", true},
	} {
		_, err := oidc.ParseIssuers(fmt.Sprintf("[{issuer: https://a.example, audience: m, %s}, {issuer: https://b.example, audience: m, %s}]", x.a, x.b))
		if x.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "user-claim") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
