package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
)

// life is a store with a past, and the instant at which it goes to sleep.
type life struct {
	t     *testing.T
	store graph.Store
	clock *enginetest.Clock
	shelf *enginetest.FakeArchive
	other uint64 // makes the randomness of a process another one
}

// newLife lives through a month: twins, episodes about one matter, chatter, facts that
// are used day after day.
func newLife(t *testing.T) *life {
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
	l := &life{t: t, store: store, clock: enginetest.NewClock(enginetest.Start), shelf: enginetest.NewFakeArchive()}
	l.wake(store, func(ctx context.Context, e *engine.Engine) {
		used := l.remember(ctx, e, engine.RememberInput{Content: "Mira is allergic to walnuts.", User: "mira"})
		high := 0.95
		for i := range 3 {
			l.remember(ctx, e, engine.RememberInput{Content: "The gate code of the yard is written inside the shed.", OnDuplicate: engine.Insert, User: "mira", Project: fmt.Sprint(i)})
			l.remember(ctx, e, engine.RememberInput{
				Content: []string{
					"The sluice at the weir was repaired by Tomas for 240 euros.", "The sluice at the weir opens with a crank since the repair by Tomas.",
					"Tomas painted the sluice at the weir green after the repair.",
				}[i], User: "mira", Type: graph.Episodic,
				Salience: &high, Session: fmt.Sprint("s", i), Entities: []string{"Tomas", "weir", "sluice"},
			})
			l.clock.Advance(25 * time.Hour)
		}
		low := 0.2
		for i, s := range []string{"Nice weather again.", "The kettle whistled.", "Someone hummed on the stairs.", "A cloud looked like a boat.", "The lift was slow.", "It smelled of toast."} {
			l.remember(ctx, e, engine.RememberInput{Content: s, Salience: &low, Type: graph.Episodic, Session: fmt.Sprint("c", i)})
		}
		for range 6 {
			if _, err := e.Search(ctx, engine.Loopback(), engine.SearchInput{Query: "walnuts", TopK: 1, User: "mira", Track: true}); err != nil {
				t.Fatal(err)
			}
			l.clock.Advance(24 * time.Hour)
		}
		if m, err := e.Memory(ctx, engine.Loopback(), used, engine.Access{}); err != nil || m.Usage.Count != 6 {
			t.Fatalf("%+v, %v", m, err)
		}
		l.clock.Advance(31 * 24 * time.Hour)
	})
	return l
}

func (l *life) remember(ctx context.Context, e *engine.Engine, in engine.RememberInput) graph.ID {
	in.Consent = graph.ConsentExplicit
	r, err := e.Remember(ctx, engine.Loopback(), in)
	if err != nil {
		l.t.Fatal(err)
	}
	return r.Memory.ID
}

// wake runs an engine over the store as a process sees it, and ends it.
func (l *life) wake(store graph.Store, do func(ctx context.Context, e *engine.Engine)) {
	l.t.Helper()
	ctx := l.t.Context()
	idx, err := index.Open(ctx, store, index.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := engine.New(ctx, engine.Options{
		Store: store, Index: idx, Embedder: hashed.New(), Clock: l.clock, Rand: enginetest.Random(7 + l.other), Recess: l.shelf, SleepBatch: 1,
	})
	if err == nil {
		do(ctx, e)
		err = e.Close(ctx)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	_ = idx.Close(ctx) // a dead store can't be caught up with
}

func (l *life) sleep(store graph.Store) (r *engine.SleepReport, err error) {
	l.wake(store, func(ctx context.Context, e *engine.Engine) {
		r, err = e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
	})
	return r, err
}

func (l *life) digest() string {
	l.t.Helper()
	d, err := enginetest.Digest(l.t.Context(), l.store, graph.Scope{Tenant: engine.Loopback().Tenant})
	if err != nil {
		l.t.Fatal(err)
	}
	return d
}

// A sleep that dies at any of its commits goes on with the next one and ends as if it
// had never stopped; a sleep behind it changes nothing.
func TestASleepThatDiesAnywhereEndsTheSame(t *testing.T) {
	whole := newLife(t)
	report, err := whole.sleep(whole.store)
	if err != nil {
		t.Fatal(err)
	}
	if report.Deduplicated == 0 || report.Derived == 0 || report.Pruned == 0 || report.Engraved == 0 || report.Dreamed == 0 {
		t.Fatalf("there was too little to do: %+v", report)
	}
	want := whole.digest()
	if _, err := whole.sleep(whole.store); err != nil {
		t.Fatal(err)
	}
	same(t, "after a second sleep", whole.digest(), want)
	died := 0
	for commits := 0; ; commits++ {
		l := newLife(t)
		_, err := l.sleep(enginetest.CrashAfter(l.store, commits))
		if err == nil {
			break
		}
		died++
		if _, err := l.sleep(l.store); err != nil {
			t.Fatalf("dead after %d commits: %v", commits, err)
		}
		same(t, fmt.Sprintf("dead after %d commits", commits), l.digest(), want)
	}
	if died < 10 {
		t.Errorf("the sleep died at %d commits only", died)
	}
	t.Logf("died at each of %d commits", died)
}

// A rollback that dies at any of its commits is finished when the store is opened again.
func TestARollbackThatDiesAnywhereEndsTheSame(t *testing.T) {
	back := func(l *life, store graph.Store, report graph.ID) (err error) {
		l.wake(store, func(ctx context.Context, e *engine.Engine) {
			_, err = e.Rollback(ctx, engine.Loopback(), report)
		})
		return err
	}
	want := ""
	for commits := -1; ; commits++ {
		l := newLife(t)
		before := state(l)
		r, err := l.sleep(l.store)
		if err != nil {
			t.Fatal(err)
		}
		if commits < 0 {
			if err := back(l, l.store, r.ID); err != nil {
				t.Fatal(err)
			}
			want = l.digest()
			same(t, "the state behind a rollback", state(l), before)
			continue
		}
		err = back(l, enginetest.CrashAfter(l.store, commits), r.ID)
		if err == nil {
			if commits < 10 {
				t.Errorf("the rollback died at %d commits only", commits)
			}
			break
		}
		l.wake(l.store, func(context.Context, *engine.Engine) {})
		if commits == 0 { // it never began
			if err := back(l, l.store, r.ID); err != nil {
				t.Fatal(err)
			}
		}
		same(t, fmt.Sprintf("dead after %d commits", commits), l.digest(), want)
	}
}

// state is what every memory that was not made by a sleep is, but for the record of how
// it came to be so.
func state(l *life) string {
	l.t.Helper()
	var lines []string
	err := l.store.View(l.t.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if m.SourceKind == graph.FromConsolidation {
				continue
			}
			s := m.State()
			s.From, m.History = time.Time{}, nil
			v, err := r.Embedding(m.ID)
			if err != nil {
				return err
			}
			edges, err := r.Edges(m.ID, graph.Out)
			if err != nil {
				return err
			}
			text, err := json.Marshal([]any{m, s, v, edges})
			if err != nil {
				return err
			}
			lines = append(lines, string(text))
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// same shows the first line in which two digests differ.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s: line %d\n got %s\nwant %s", what, i, a[i], b[i])
		}
	}
	t.Fatalf("%s: %d lines, want %d", what, len(a), len(b))
}
