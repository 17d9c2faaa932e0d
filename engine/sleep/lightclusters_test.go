package sleep_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// newGrown is a store with two owners whose dense clusters have grown enough for a light sleep to find them again.
func newGrown(t *testing.T) *fixture.Life {
	t.Helper()
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := store.Update(t.Context(), engine.Loopback().Scope(), func(tx graph.Tx) error {
		return tx.PutSetting("claims", []byte(`{"complete":true}`)) // see fixture.NewLife
	}); err != nil {
		t.Fatal(err)
	}
	l := &fixture.Life{T: t, Store: store, Clock: enginetest.NewClock(enginetest.Start), Shelf: enginetest.NewFakeArchive()}
	say := func(ctx context.Context, e *engine.Engine, from, n int) {
		for i := range n {
			text := fmt.Sprintf("The winch of the slipway lifted anchor chain %d with a new hawser", from+i)
			if i%2 == 0 {
				text = fmt.Sprintf("Sourdough and rye loaf number %d rose in the proving basket of the bakery", from+200+i)
			}
			for _, user := range []string{"ana", "bo"} {
				l.Remember(ctx, e, engine.RememberInput{Content: text, User: user, Type: graph.Semantic, OnDuplicate: engine.Insert})
			}
		}
	}
	l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
		say(ctx, e, 100, 16)
		l.Clock.Advance(24 * time.Hour)
		if r, err := e.Sleep(ctx, engine.Loopback(), fixture.DeepSleep); err != nil || r.Clustered != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		l.Clock.Advance(time.Hour)
		say(ctx, e, 500, 12)
		l.Clock.Advance(time.Hour)
	})
	return l
}

// lightSleep runs a light sleep, or finishes an interrupted one.
func lightSleep(l *fixture.Life, store graph.Store) (r *engine.SleepReport, err error) {
	l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
		r, err = e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Wait: true})
	})
	return r, err
}

// clustersOf lists the clusters with their members and events.
func clustersOf(l *fixture.Life) string {
	l.T.Helper()
	var lines []string
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		found, _, err := e.Clusters(ctx, engine.Loopback(), engine.ClusterListInput{})
		if err != nil {
			l.T.Fatal(err)
		}
		for _, c := range found {
			lines = append(lines, fmt.Sprint(c.ID, c.Owner, c.Label.Text, c.Density, c.CreatedAt, c.UpdatedAt, c.Medoid, c.Members(0)))
		}
		events, _, err := e.ClusterEvolution(ctx, engine.Loopback(), engine.ClusterEventFilter{}, engine.ClusterEventPlace{}, 0)
		if err != nil {
			l.T.Fatal(err)
		}
		for _, x := range events {
			lines = append(lines, fmt.Sprintf("%+v", x))
		}
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// dyingStore is the store of a process that ends before its n-th read.
type dyingStore struct {
	graph.Store
	left atomic.Int64
}

var errEnded = errors.New("the process has ended")

func (s *dyingStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if s.left.Add(-1) < 0 {
		return errEnded
	}
	return s.Store.View(ctx, scope, fn)
}

func (s *dyingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if s.left.Load() < 0 {
		return 0, errEnded
	}
	return s.Store.Update(ctx, scope, fn)
}

// A light sleep that clusters in two rounds and is interrupted before any of its commits, by a crash or by Close, or during any of its
// reads, also while it plans, is resumed by the next one and finds the same clusters.
func TestALightSleepThatClustersResumes(t *testing.T) {
	defer sleep.SetClusterRound(1)()
	whole := newGrown(t)
	if r, err := lightSleep(whole, whole.Store); err != nil || r.Clustered != 2 || !r.Complete {
		t.Fatalf("%+v, %v", r, err)
	}
	digest, clusters := whole.Digest(), clustersOf(whole)
	if strings.Count(clusters, "Basket of the bakery") != 2 || strings.Count(clusters, "\n") < 7 {
		t.Fatalf("clusters:\n%s", clusters)
	}
	resumes := func(what string, l *fixture.Life) {
		t.Helper()
		if _, err := lightSleep(l, l.Store); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		fixture.SameDigest(t, what, l.Digest(), digest)
		if got := clustersOf(l); got != clusters {
			t.Fatalf("%s: clusters\n%s\nwant\n%s", what, got, clusters)
		}
	}
	crashes := 0
	for ; ; crashes++ {
		l := newGrown(t)
		if _, err := lightSleep(l, enginetest.CrashAfter(l.Store, crashes)); err == nil {
			break
		}
		resumes(fmt.Sprintf("dead after %d commits", crashes), l)
	}
	closes := 0
	for ; ; closes += 3 {
		l := newGrown(t)
		if !closedBefore(l, closes) {
			break
		}
		resumes(fmt.Sprintf("closed before commit %d", closes), l)
	}
	reads := 0
	for ; ; reads++ {
		l := newGrown(t)
		store := &dyingStore{Store: l.Store}
		store.left.Store(1 << 30)
		var err error
		l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
			store.left.Store(int64(reads))
			_, err = e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Wait: true})
		})
		if err == nil {
			break
		}
		resumes(fmt.Sprintf("dead before read %d", reads), l)
	}
	t.Logf("died at each of %d commits, closed before every third of %d, died before each of %d reads", crashes, closes, reads)
	if crashes < 8 || closes < 5 || reads < 8 {
		t.Errorf("interrupted at %d commits, %d times closed, at %d reads only", crashes, closes/3, reads)
	}
}

// closedBefore closes the engine before a commit of a light sleep, whose context ends then. It reports false if the sleep
// has fewer commits.
func closedBefore(l *fixture.Life, commit int) (closed bool) {
	w := &CountingStore{Store: l.Store, before: func(int) {}}
	l.WithEngine(w, func(ctx context.Context, e *engine.Engine) {
		over := make(chan error, 1)
		w.n = 0
		w.before = func(n int) {
			if n != commit {
				return
			}
			closed = true
			go func() { over <- e.Close(context.WithoutCancel(ctx)) }()
			for {
				if _, err := e.SleepStatus(ctx, engine.Loopback()); graph.CodeOf(err) == graph.CodeUnavailable {
					return // the engine is closing
				}
				runtime.Gosched()
			}
		}
		_, _ = e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Wait: true}) // it fails or not, the next one has the rest
		if closed {
			if err := <-over; err != nil {
				l.T.Error(err)
			}
		}
	})
	return closed
}
