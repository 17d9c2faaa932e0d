package erasure_test

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

// alone are the tests of a server that has its store for itself: it has no other servers that hold what was erased, and its own record of erasures
// gets no ids from the feed. Withdrawals do not depend on the store.
const alone = "^Test(AReceiptHasAStateForEachPart|StatesOfAPendingErasure|ReceiptWaitsForTheLedger|WithdrawalIsCompleteAndLosesNothing)$"

func TestOnDgraph(t *testing.T) { dgraphtest.Again(t, alone) }
