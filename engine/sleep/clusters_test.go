package sleep_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

// rememberTopics writes memories on two topics for each user.
func rememberTopics(w *enginetest.World, users ...string) {
	w.T.Helper()
	for _, user := range users {
		for i := range 24 {
			text := fmt.Sprintf("The winch of the slipway lifted anchor chain %d with a new hawser", 100+i)
			if i%2 == 0 {
				text = fmt.Sprintf("Sourdough and rye loaf number %d rose in the proving basket of the bakery", 300+i)
			}
			in := engine.RememberInput{Content: text, User: user, Type: graph.Semantic, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
			if _, err := w.Engine.Remember(w.T.Context(), w.Caller, in); err != nil {
				w.T.Fatal(err)
			}
		}
	}
}

// Owners whose memories are more than a round are clustered in further phases of the same sleep.
func TestClustersAreFoundInRounds(t *testing.T) {
	defer sleep.SetClusterRound(1)()
	w := enginetest.New(t)
	users := []string{"ana", "bo", "cleo"}
	rememberTopics(w, users...)
	w.Clock.Advance(24 * time.Hour)
	r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Clustered != len(users) {
		t.Errorf("complete %v, %d owners clustered, want %d", r.Complete, r.Clustered, len(users))
	}
	found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, c := range found {
		of[c.Owner.User]++
	}
	for _, u := range users {
		if of[u] == 0 {
			t.Errorf("no cluster of %s", u)
		}
	}
}

// A sleep whose time is spent leaves owners to the next one, which begins with them.
func TestClustersAreFoundWithinTheTime(t *testing.T) {
	defer sleep.SetClusterRound(1)()
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := base.Close(); err != nil {
			t.Error(err)
		}
	})
	var pass atomic.Int64 // that each commit takes
	var w *enginetest.World
	w = enginetest.With(t, enginetest.Options{Store: &CountingStore{Store: base, before: func(int) {
		if d := pass.Load(); d > 0 {
			w.Clock.Advance(time.Duration(d))
		}
	}}})
	users := []string{"ana", "bo", "cleo"}
	rememberTopics(w, users...)
	w.Clock.Advance(24 * time.Hour)
	pass.Store(int64(400 * time.Millisecond))
	second, clustered := 1, 0
	for sleeps := 1; ; sleeps++ {
		r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true, MaxSeconds: &second})
		if err != nil {
			t.Fatal(err)
		}
		if clustered += r.Clustered; r.Complete {
			if sleeps < 3 || clustered != len(users) {
				t.Errorf("%d owners clustered in %d sleeps, want %d in more than two", clustered, sleeps, len(users))
			}
			return
		}
		if sleeps > 100 {
			t.Fatalf("it does not end: %+v", r)
		}
	}
}
