package dgraphstore

import (
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// perTenant holds one value per tenant, which it makes when it is first needed.
type perTenant[T any] struct {
	mu  sync.Mutex
	all map[graph.Tenant]*T
	new func() *T
}

func (p *perTenant[T]) get(t graph.Tenant) *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[graph.Tenant]*T{}
	}
	one := p.all[t]
	if one == nil {
		one = p.new()
		p.all[t] = one
	}
	return one
}
