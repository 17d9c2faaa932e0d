package mcp

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// One tenant, with however many principals, leaves streams to others. Without authentication all are free.
func TestTenantsShareStreams(t *testing.T) {
	s := New(Config{Streams: 16})
	enter := func(c engine.Caller, name string) (leaves []func()) {
		for i := range 20 {
			c.Name = name + string(rune('a'+i))
			if leave, ok := s.enter(c); ok {
				leaves = append(leaves, leave)
			} else {
				leave()
				s.streams.Add(-1)
			}
		}
		return leaves
	}
	for _, x := range []struct {
		tenant graph.Tenant
		want   int
	}{{"acme", 12}, {"beta", 2}, {"gamma", 1}, {"delta", 1}, {"epsilon", 0}} {
		leaves := enter(engine.Caller{Tenant: x.tenant}, "user ")
		if len(leaves) != x.want {
			t.Errorf("%s has %d streams, want %d", x.tenant, len(leaves), x.want)
		}
		for _, leave := range leaves {
			defer leave()
		}
	}
	s.streams.Store(0)
	if n := len(enter(engine.Loopback(), "")); n != 16 {
		t.Errorf("without authentication %d streams", n)
	}
}
