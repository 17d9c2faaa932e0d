package manifests

import (
	"slices"
	"testing"

	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mayConnect reports whether the policies allow egress from one workload and ingress to the
// other at the port.
func (w *world) mayConnect(t *testing.T, from, to workload, port int) bool {
	t.Helper()
	has := func(s meta.LabelSelector, x workload) bool {
		return slices.ContainsFunc(w.selected(t, &s), func(y workload) bool { return y.name == x.name })
	}
	peer := func(peers []networking.NetworkPolicyPeer, x workload) bool {
		return slices.ContainsFunc(peers, func(p networking.NetworkPolicyPeer) bool {
			return p.NamespaceSelector == nil && p.PodSelector != nil && has(*p.PodSelector, x)
		})
	}
	open := func(ports []networking.NetworkPolicyPort) bool {
		return slices.ContainsFunc(ports, func(p networking.NetworkPolicyPort) bool { return p.Port.IntValue() == port })
	}
	out, in := false, false
	for _, p := range w.policies {
		for _, r := range p.Spec.Egress {
			out = out || has(p.Spec.PodSelector, from) && peer(r.To, to) && open(r.Ports)
		}
		for _, r := range p.Spec.Ingress {
			in = in || has(p.Spec.PodSelector, to) && peer(r.From, from) && open(r.Ports)
		}
	}
	return out && in
}

func TestNetworkPolicies(t *testing.T) {
	w := kubernetes(t)
	named := map[string]workload{}
	for _, x := range w.workloads {
		named[x.name] = x
	}
	for _, x := range []struct {
		from, to string
		port     int
		want     bool
	}{
		{"somnograph", "dgraph-alpha", 9080, true},
		{"somnograph", "redis", 6379, true},
		{"dgraph-alpha", "dgraph-zero", 5080, true},
		{"dgraph-zero", "dgraph-alpha", 7080, true},
		{"somnograph", "dgraph-alpha", 8080, false}, // its admin port
		{"somnograph", "dgraph-zero", 5080, false},
		{"redis", "dgraph-alpha", 9080, false},
		{"dgraph-alpha", "redis", 6379, false},
	} {
		if got := w.mayConnect(t, named[x.from], named[x.to], x.port); got != x.want {
			t.Errorf("%s to %s:%d: %v", x.from, x.to, x.port, got)
		}
	}
	deny := slices.ContainsFunc(w.policies, func(p *networking.NetworkPolicy) bool {
		s := p.Spec
		return len(s.PodSelector.MatchLabels)+len(s.PodSelector.MatchExpressions) == 0 && len(s.Ingress)+len(s.Egress) == 0 && len(s.PolicyTypes) == 2
	})
	if !deny {
		t.Error("no policy denies all connections by default")
	}
	for _, p := range w.policies {
		for _, r := range p.Spec.Ingress {
			if len(r.From) == 0 && (len(r.Ports) != 1 || r.Ports[0].Port.IntValue() != 8443) {
				t.Errorf("%s: open to everybody at a port that is not the proxy's", p.Name)
			}
		}
	}
}
