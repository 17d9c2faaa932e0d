package dgraphstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// waitLimit is when a test that waits for another process gives up.
const waitLimit = 2 * time.Minute

// replicas opens several stores on one cluster, which share nothing else, like processes.
func replicas(t *testing.T, n int) []*Store {
	var all []*Store
	for range n {
		all = append(all, open(t, Options{}))
	}
	return all
}

func TestReplicasLoseNoUpdate(t *testing.T) {
	stores, sc := replicas(t, 3), scope(t)
	const each = 12
	var wg sync.WaitGroup
	errs := make(chan error, len(stores)*each)
	for _, s := range stores {
		wg.Go(func() {
			for done := 0; done < each; {
				_, err := s.Update(t.Context(), sc, add)
				switch {
				case err == nil:
					done++
				case !errors.Is(err, graph.ErrConflict): // a conflict may be retried
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	for _, s := range stores {
		if n := counter(t, s, sc); n != byte(len(stores)*each) {
			t.Errorf("a replica reads %d, want %d", n, len(stores)*each)
		}
	}
}

func TestOneReplicaOfManyMakesTheEntity(t *testing.T) {
	stores := replicas(t, 3)
	for round := range 5 {
		sc := scope(t)
		ids := make([]graph.ID, len(stores))
		var wg sync.WaitGroup
		for i, s := range stores {
			mine := &graph.Entity{ID: memory(t, time.Duration(i)).ID, Namespace: "main", Name: "Ada", Canonical: "ada", Type: graph.Person, FirstSeen: start}
			wg.Go(func() {
				_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
					e, err := tx.EntityByName("main", "", "ada")
					if errors.Is(err, graph.ErrNotFound) {
						e, err = mine, tx.PutEntity(mine)
					}
					if err == nil {
						ids[i] = e.ID
					}
					return err
				})
				if err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("round %d: the replicas have %v", round, ids)
			}
		}
	}
}

func TestReplicaFollowsForeignFeed(t *testing.T) {
	stores, sc := replicas(t, 2), scope(t)
	const each = 20
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range stores {
		var ms []*graph.Memory
		for i := range each {
			ms = append(ms, memory(t, time.Duration(i)))
		}
		wg.Go(func() {
			for _, m := range ms {
				if _, err := s.Update(ctx, sc, put(m)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	seen := map[graph.ID]bool{}
	follower := open(t, Options{}) // writes nothing itself
	for after := graph.Cursor(0); len(seen) < len(stores)*each; {
		if err := follower.Wait(ctx, sc, after); err != nil {
			t.Fatalf("%d seen: %v", len(seen), err)
		}
		changes := must[[]graph.Change](t)(follower.Changes(ctx, sc, after, 3))
		for _, c := range changes {
			if c.Cursor <= after || seen[c.ID] {
				t.Fatalf("change %+v after cursor %d, seen before: %v", c, after, seen[c.ID])
			}
			after, seen[c.ID] = c.Cursor, true
		}
	}
	wg.Wait()
}

// A transaction whose snapshot is older than the commits that its process keeps finds out
// from the cluster what was written since.
func TestConflictIsFoundAfterManyForeignCommits(t *testing.T) {
	stores, sc := replicas(t, 2), scope(t)
	if _, err := stores[0].Update(t.Context(), sc, add); err != nil {
		t.Fatal(err)
	}
	for _, touched := range []bool{true, false} {
		runs := 0
		_, err := stores[0].Update(t.Context(), sc, func(tx graph.Tx) error {
			runs++
			if runs == 1 {
				for i := range 5 {
					if _, err := stores[1].Update(t.Context(), sc, func(tx graph.Tx) error { return tx.PutSetting(fmt.Sprint("other", i), []byte("v")) }); err != nil {
						return err
					}
				}
				if touched {
					if _, err := tx.Setting("counter"); err != nil {
						return err
					}
					if _, err := stores[1].Update(t.Context(), sc, add); err != nil {
						return err
					}
				}
			}
			return add(tx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 2, false: 1}[touched]; runs != want {
			t.Errorf("touched %v: ran %d times, want %d", touched, runs, want)
		}
	}
	if n := counter(t, stores[1], sc); n != 4 {
		t.Errorf("the counter is %d, want 4", n)
	}
}

func TestReplicasCountEveryUseOnce(t *testing.T) {
	stores, sc := replicas(t, 3), scope(t)
	m := memory(t, 0)
	if _, err := stores[0].Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	const each = 10
	var wg sync.WaitGroup
	for i, s := range stores {
		wg.Go(func() {
			for n := range each {
				if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start.Add(time.Duration(i*each+n) * time.Hour)}); err != nil {
					t.Error(err)
				}
				if n%4 == 3 { // all of them fold and conflict
					if err := s.foldAll(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	for _, fold := range []bool{false, true} {
		if fold {
			if err := stores[2].foldTenant(t.Context(), sc.Tenant); err != nil {
				t.Fatal(err)
			}
		}
		err := stores[1].View(t.Context(), sc, func(r graph.Reader) error {
			got, err := r.Memory(m.ID)
			if err == nil && (got.Usage.Count != len(stores)*each || !got.Usage.Last.Equal(start.Add((3*each-1)*time.Hour)) || len(got.Usage.Days) != 2) {
				t.Errorf("folded %v: usage is %+v", fold, got.Usage)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A waiting reader polls after PollNow, or when a caller reads the head; a PollNow without a
// waiting reader does no harm.
func TestPollNowFindsForeignCommit(t *testing.T) {
	told := make(chan graph.Tenant, 100)
	writer := open(t, Options{OnCommit: func(tenant graph.Tenant) { told <- tenant }})
	waiter, sc := open(t, Options{PollEvery: time.Hour}), scope(t)
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	waiter.PollNow("nobody") // nobody reads this tenant
	for after, n := graph.Cursor(0), 0; n < 4; n++ {
		woke := make(chan error, 1)
		go func() { woke <- waiter.Wait(ctx, sc, after) }()
		head, err := writer.Update(ctx, sc, put(memory(t, time.Duration(n))))
		if err != nil {
			t.Fatal(err)
		}
		if who := <-told; who != sc.Tenant {
			t.Errorf("OnCommit was called for %s", who)
		}
		for done := false; !done; {
			if n%2 == 0 {
				waiter.PollNow(sc.Tenant)
			} else if _, err := waiter.Head(ctx, sc); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-woke:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
			}
		}
		after = head
	}
	if _, err := writer.Update(ctx, sc, add); err != nil { // changes no node
		t.Fatal(err)
	}
	if len(told) != 0 {
		t.Error("OnCommit was called for a commit without changes")
	}
}
