package grouping_test

import (
	"os"
	"testing"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// TestMain lets the worlds of a process that TestOnDgraph started use its cluster, one after another.
func TestMain(m *testing.M) {
	if addr, clear := dgraphtest.Given(); addr != "" {
		enginetest.OpenStore = func(t testing.TB) (graph.Store, error) {
			if err := clear(t.Context()); err != nil {
				return nil, err
			}
			return dgraphstore.Open(t.Context(), []string{addr}, dgraphstore.Options{})
		}
	}
	os.Exit(m.Run())
}

func TestOnDgraph(t *testing.T) {
	dgraphtest.Again(t, "^(TestOldSettlementsAreRemoved|TestASummaryHasWhatTheReaderSees)$")
}
