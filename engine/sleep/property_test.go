package sleep_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// Random lives of a few days and nights. After every night the memory is consistent, the
// report adds up, a second sleep changes nothing, engrams are unchanged, and derived values
// follow the formulas. Every other night is rolled back to the state before it.
func TestRandomNights(t *testing.T) { liveRandomly(t, 2) }

func liveRandomly(t *testing.T, worlds int) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	did := map[string]int{}
	// A few worlds have nothing to fold or to derive; others follow until each step was needed.
	missing := func() []string {
		return slices.DeleteFunc([]string{"pruned", "merged", "folded", "derived", "dreamt", "rolled back"}, func(what string) bool { return did[what] > 0 })
	}
	for world := 0; !t.Failed() && (world < worlds || len(missing()) > 0 && world < 8*worlds); world++ {
		randomNights(t, rand.New(rand.NewPCG(seed, uint64(world))), 5, did)
	}
	t.Log(did)
	for _, what := range missing() {
		t.Errorf("nothing was %s", what)
	}
}

func randomNights(t *testing.T, rnd *rand.Rand, nights int, did map[string]int) {
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	l := &fixture.Life{T: t, Store: store, Clock: enginetest.NewClock(enginetest.Start), Shelf: enginetest.NewFakeArchive()}
	permanent := map[graph.ID]string{}
	facts := 0
	for night := range nights {
		l.Other += 3 // two sleeps at the same instant have different ids
		l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
			for day := range 6 {
				for range 3 + rnd.IntN(5) {
					randomWrite(l, ctx, e, rnd, &facts)
				}
				for i := range 3 { // three facts of the first day are used every day
					_, err := e.Search(ctx, engine.Loopback(), engine.SearchInput{Query: fmt.Sprintf("Where is the winch handle number %d?", i), TopK: 1, Track: rnd.IntN(8) > 0})
					if err != nil {
						t.Fatal(err)
					}
				}
				if day == 3 && rnd.IntN(2) == 0 {
					l.Clock.Advance(time.Duration(rnd.IntN(20*24)) * time.Hour)
				}
				l.Clock.Advance(24 * time.Hour)
			}
		})
		what := fmt.Sprintf("night %d", night)
		before := state(l) + relationsOf(l)
		r, err := l.Sleep(store)
		if err != nil {
			t.Fatal(err)
		}
		b := r.Balance
		if !r.Complete || b.In != b.Kept+b.Merged+b.Archived || b.Left != 0 || b.Merged != r.Deduplicated+r.Consolidated || b.Archived != r.Pruned || b.Derived != r.Derived {
			t.Fatalf("%s: %+v", what, r)
		}
		for name, n := range map[string]int{"pruned": r.Pruned, "merged": r.Deduplicated, "folded": r.Consolidated, "derived": r.Derived, "engraved": r.Engraved, "dreamt": r.Dreamed} {
			did[name] += n
		}
		fixture.WantSound(t, what, store)
		checkFormulas(l, what)
		slept := l.Digest()
		l.Other++
		if _, err := l.Sleep(store); err != nil {
			t.Fatal(err)
		}
		fixture.SameDigest(t, what+": a second sleep", l.Digest(), slept)
		if night%2 == 1 {
			l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
				if _, err := e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{ID: r.ID}); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			})
			did["rolled back"]++
			fixture.WantSound(t, what+", rolled back", store)
			fixture.SameDigest(t, what+", rolled back", state(l)+relationsOf(l), before)
		}
		checkPermanent(l, what, permanent)
	}
}
