package storetest

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// Harness gives the suite its stores.
type Harness struct {
	// New returns a store. It may be shared: every test has a tenant of its own.
	// New also closes what it opens, with t.Cleanup.
	New func(t testing.TB) graph.Store
	// Reopen closes the store and returns it opened again, with everything that
	// was acknowledged. Nil: the store does not outlive its Close.
	Reopen func(t testing.TB, s graph.Store) graph.Store
}

// Run tests a store against the whole contract.
func Run(t *testing.T, h Harness) {
	for _, group := range []struct {
		name  string
		tests map[string]func(*fixture)
	}{
		{"Memories", memoryTests},
		{"Lists", listTests},
		{"Edges", edgeTests},
		{"Entities", entityTests},
		{"Relations", relationTests},
		{"Records", recordTests},
		{"Transactions", transactionTests},
		{"Isolation", isolationTests},
		{"Sight", sightTests},
		{"Feed", feedTests},
		{"Journal", journalTests},
		{"Usage", usageTests},
		{"Erasure", erasureTests},
		{"TimeTravel", timeTravelTests},
		{"Random", randomTests},
		{"Life", lifeTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for name, test := range group.tests {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(newFixture(t, h))
				})
			}
		})
	}
}
