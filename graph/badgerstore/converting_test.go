package badgerstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/storetest"
)

// convertingStore converts the names of every tenant, a step at a time, while a test reads and writes.
type convertingStore struct {
	*badgerstore.Store
	mu      sync.Mutex
	tenants map[graph.Tenant]*conversion
	former  []graph.Tenant // converted by the store itself

	converted int // tenants, at Close
}

// Close counts the tenants that are converted. It fails if one has former rows.
func (s *convertingStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for tenant, c := range s.tenants {
		if c.step < badgerstore.NameSteps {
			continue
		}
		n, err := s.FormerNames(tenant)
		if n > 0 {
			err = fmt.Errorf("%d rows of %s have their former names", n, tenant)
		}
		errs = append(errs, err)
		s.converted++
	}
	clear(s.tenants)
	return errors.Join(append(errs, s.Store.Close())...)
}

type conversion struct {
	mu          sync.Mutex
	calls, step int
}

// convert does the next step if it is time.
func (s *convertingStore) convert(t graph.Tenant) error {
	if !s.HasTenant(t) || slices.Contains(s.former, t) {
		return nil
	}
	s.mu.Lock()
	c := s.tenants[t]
	if c == nil {
		c = &conversion{}
		s.tenants[t] = c
	}
	s.mu.Unlock()
	if !c.mu.TryLock() {
		return nil
	}
	defer c.mu.Unlock()
	if c.calls++; c.calls%3 > 0 || c.step == badgerstore.NameSteps {
		return nil
	}
	c.step++
	return s.ConvertNames(t, c.step-1)
}

func (s *convertingStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.convert(scope.Tenant); err != nil {
		return err
	}
	return s.Store.View(ctx, scope, fn)
}

func (s *convertingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := s.convert(scope.Tenant); err != nil {
		return 0, err
	}
	return s.Store.Update(ctx, scope, fn)
}

// TestSuiteWhileNamesAreConverted runs the suite while the names of every tenant are converted, and after.
func TestSuiteWhileNamesAreConverted(t *testing.T) {
	var mu lock
	converted := 0
	t.Run("Suite", func(t *testing.T) {
		storetest.Run(t, wrapped(func(t testing.TB, s *badgerstore.Store) graph.Store {
			s.BeginHashed()
			c := &convertingStore{Store: s, tenants: map[graph.Tenant]*conversion{}}
			var err error
			if c.former, err = s.Tenants(t.Context()); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { mu.do(func() { converted += c.converted }) }) // after it is closed
			return c
		}))
	})
	if converted < 10 {
		t.Errorf("the names of %d tenants were converted", converted)
	}
}
