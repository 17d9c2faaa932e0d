package audits

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// What is said of an audit that was not checked tells why, and is not said of one that was.
func TestTheVerdictSaysWhy(t *testing.T) {
	sealed, empty := client.AuditChain{Chain: "a", Rows: 3, Keys: true}, client.AuditChain{Chain: "b", Keys: true}
	foreign := client.AuditChain{Chain: "c", Rows: 2}
	for _, x := range []struct {
		chains []client.AuditChain
		want   string
	}{
		{[]client.AuditChain{sealed}, "the audit is intact"},
		{nil, "not checked: there are no rows, and no keys of an audit"},
		{[]client.AuditChain{empty}, "not checked: it has no rows"},
		{[]client.AuditChain{foreign}, "Put the newest copy of the files"},
		{[]client.AuditChain{sealed, foreign}, "keep the present files"},
		{[]client.AuditChain{empty, foreign}, "keep the present files"},
	} {
		v := &client.AuditCheck{Intact: true, Chains: x.chains}
		var out strings.Builder
		verdict := Verdict(v, nil)
		if err := Print(&out, v, verdict); err != nil || !strings.Contains(out.String(), x.want) || (verdict == nil) != strings.Contains(out.String(), "intact") {
			t.Errorf("%+v: %q, %v; want %q", x.chains, out.String(), err, x.want)
		}
	}
}
