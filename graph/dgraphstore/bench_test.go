package dgraphstore

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// BenchmarkStore measures what the other store is measured by. Its reading part fills a
// tenant with 100,000 memories first, which takes minutes.
func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, storetest.Harness{New: func(t testing.TB) graph.Store { return open(t, Options{}) }})
}
