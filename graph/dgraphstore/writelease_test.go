package dgraphstore

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// falseLeases grants the lease to every caller, and calls acquired only the first time: as in
// a process that was paused and does not know that it lost the lease.
type falseLeases struct {
	mu  sync.Mutex
	had map[graph.Tenant]bool
}

func (l *falseLeases) Acquire(_ context.Context, t graph.Tenant, taken func()) func() {
	l.mu.Lock()
	first := !l.had[t]
	l.had[t] = true
	l.mu.Unlock()
	if first {
		taken()
	}
	return func() {}
}

// Processes that all believe that they hold the lease lose time, but no update.
func TestTwoLeaseHoldersLoseNoUpdate(t *testing.T) {
	sc := scope(t)
	const each = 12
	var wg sync.WaitGroup
	var stores []*Store
	for range 3 {
		s := open(t, Options{WriteLeases: &falseLeases{had: map[graph.Tenant]bool{}}})
		stores = append(stores, s)
		wg.Go(func() {
			for done := 0; done < each; {
				err := s.WithWriteLease(t.Context(), sc, func(ctx context.Context) error {
					_, err := s.Update(ctx, sc, add)
					return err
				})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, graph.ErrConflict): // a conflict may be retried
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, s := range stores {
		if n := counter(t, s, sc); n != byte(len(stores)*each) {
			t.Errorf("a process reads %d, want %d", n, len(stores)*each)
		}
	}
}

// A process that takes over the lease knows what the other one wrote, and serves the feed
// without a query.
func TestNewLeaseHolderCatchesUp(t *testing.T) {
	sc := scope(t)
	a, b := open(t, Options{}), open(t, Options{})
	ms := []*graph.Memory{memory(t, 0), memory(t, 1), memory(t, 2)}
	if _, err := a.Update(t.Context(), sc, put(ms[0])); err != nil {
		t.Fatal(err)
	}
	b.catchUp(t.Context(), sc.Tenant)
	at, err := a.Update(t.Context(), sc, put(ms[1]))
	if err != nil {
		t.Fatal(err)
	}
	b.catchUp(t.Context(), sc.Tenant)
	if known := b.ledgers.get(sc.Tenant).changesAfter(at-1, 10); len(known) != 1 || known[0].ID != ms[1].ID || known[0].Cursor != at {
		t.Errorf("after the other's commit the known feed is %v", known)
	}
	if stands, ok := b.ledgers.get(sc.Tenant).freshLastCommit(b.options.Now()); !ok || stands.head.Cursor != at {
		t.Errorf("the known head is %+v (%v), want %d", stands.head, ok, at)
	}
	if head, age := b.KnownHead(sc); head != at || age > waitLimit {
		t.Errorf("the feed was seen at %d, %v ago", head, age)
	}
	if _, err := b.Update(t.Context(), sc, put(ms[2])); err != nil {
		t.Fatal(err)
	}
	if known := b.ledgers.get(sc.Tenant).changesAfter(at-1, 10); len(known) != 2 || known[1].ID != ms[2].ID {
		t.Errorf("after its own commit the known feed is %v", known)
	}
}
