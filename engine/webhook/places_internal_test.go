package webhook

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A delivery that ends while it waits, or just as it gets its place, leaves no place taken.
func TestNoPlaceIsLost(t *testing.T) {
	p := newPlaces(3)
	var all sync.WaitGroup
	for i := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		tenant := graph.Tenant(fmt.Sprint("t", i%5))
		all.Go(func() {
			if p.take(ctx, tenant) == nil {
				p.give(tenant)
			}
		})
		all.Go(cancel)
	}
	all.Wait()
	if p.free != 3 || len(p.held) != 0 || len(p.waiting) != 0 {
		t.Errorf("%d are free, %v are held, %d wait", p.free, p.held, len(p.waiting))
	}
}
