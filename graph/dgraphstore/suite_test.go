package dgraphstore

import (
	"crypto/rand"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// cluster is the Dgraph of all tests of the package: each has tenants of its own.
var cluster *dgraphtest.Cluster

func TestMain(m *testing.M) { os.Exit(dgraphtest.Main(m, &cluster)) }

// open opens a store on the cluster that is closed with the test.
func open(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), []string{cluster.Addr}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// must fails the test on an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// scope is a tenant that nothing else uses.
func scope(t testing.TB) graph.Scope {
	return graph.Scope{Tenant: graph.Tenant("t-" + must[graph.ID](t)(graph.NewID(time.Now(), rand.Reader)))}
}

// start is the first instant of the tests' clock.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// memory makes a valid memory that was recorded so long after start.
func memory(t testing.TB, after time.Duration, change ...func(*graph.Memory)) *graph.Memory {
	at := start.Add(after)
	id := must[graph.ID](t)(graph.NewID(at, rand.Reader))
	m := &graph.Memory{
		ID: id, Namespace: "main", Type: graph.Episodic, Content: "content of " + string(id), EmbeddingModel: "test",
		DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
		Chain: id, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}
	for _, c := range change {
		c(m)
	}
	return m
}

// put writes memories as created in one transaction.
func put(ms ...*graph.Memory) func(graph.Tx) error {
	return func(tx graph.Tx) error {
		for _, m := range ms {
			if err := tx.PutMemory(m, graph.EventCreated); err != nil {
				return err
			}
		}
		return nil
	}
}

// add increments a setting.
func add(tx graph.Tx) error {
	n := byte(0)
	switch v, err := tx.Setting("counter"); {
	case err == nil:
		n = v[0]
	case !errors.Is(err, graph.ErrNotFound):
		return err
	}
	return tx.PutSetting("counter", []byte{n + 1})
}

// counter reads the setting.
func counter(t testing.TB, s *Store, sc graph.Scope) (n byte) {
	t.Helper()
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		v, err := r.Setting("counter")
		if err == nil {
			n = v[0]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store { return open(t, Options{}) },
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, Options{})
		},
	})
}
