package sleep_test

import (
	"context"
	"encoding/json"
	"errors"
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
	rememberMore(w, 100, 24, users...)
}

// rememberMore writes n memories on the two topics for each user, with numbers that begin at from.
func rememberMore(w *enginetest.World, from, n int, users ...string) {
	w.T.Helper()
	for _, user := range users {
		for i := range n {
			text := fmt.Sprintf("The winch of the slipway lifted anchor chain %d with a new hawser", from+i)
			if i%2 == 0 {
				text = fmt.Sprintf("Sourdough and rye loaf number %d rose in the proving basket of the bakery", from+200+i)
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

// A light sleep clusters only the owners whose memories have grown enough, in rounds too, and keeps the ids of
// their clusters.
func TestLightSleepClustersOwnersThatGrew(t *testing.T) {
	defer sleep.SetClusterRound(1)()
	w := enginetest.New(t)
	light := func() engine.SleepReport {
		t.Helper()
		w.Clock.Advance(time.Hour)
		r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Wait: true})
		if err != nil || !r.Complete {
			t.Fatalf("%+v, %v", r, err)
		}
		return *r
	}
	clusters := func() map[graph.ID]time.Time {
		t.Helper()
		found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{})
		if err != nil {
			t.Fatal(err)
		}
		at := map[graph.ID]time.Time{}
		for _, c := range found {
			at[c.ID] = c.UpdatedAt
		}
		return at
	}
	rememberTopics(w, "ana", "bo", "cleo")
	if r := light(); r.Clustered != 0 || len(r.Phases) != 3 {
		t.Errorf("before enough is new: %d owners clustered, phases %v", r.Clustered, r.Phases)
	}
	w.Clock.Advance(time.Hour)
	if r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil || r.Clustered != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	before := clusters()
	w.Clock.Advance(time.Hour)
	rememberMore(w, 500, 12, "ana", "cleo") // six in each of two dense clusters
	rememberMore(w, 500, 8, "bo")
	dry, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{DryRun: true, Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	r := light()
	if r.Clustered != 2 || dry.Clustered != 2 || r.Phases[len(r.Phases)-1].Phase != sleep.PhaseREM {
		t.Errorf("%d owners clustered, %d in the dry run, want 2; phases %v", r.Clustered, dry.Clustered, r.Phases)
	}
	after, changed := clusters(), 0
	for id, at := range before {
		switch now, there := after[id]; {
		case !there:
			t.Errorf("cluster %s has another id", id)
		case now.After(at):
			changed++
		}
	}
	if changed < 2 {
		t.Errorf("%d clusters changed", changed)
	}
	if again := light(); again.Clustered != 0 || len(again.Phases) != 3 {
		t.Errorf("when nothing is new: %d owners clustered, phases %v", again.Clustered, again.Phases)
	}
	if _, err := w.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: r.ID}); err != nil {
		t.Fatal(err)
	}
	back := clusters()
	for id, at := range before {
		if !back[id].Equal(at) {
			t.Errorf("cluster %s is of %v after the rollback, want %v", id, back[id], at)
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

// slowReads is a store whose reads last until the end of a time limit, if they have one, while armed.
type slowReads struct {
	graph.Store
	armed atomic.Bool
	cut   atomic.Int64 // reads that a time limit ended
}

func (s *slowReads) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if _, limited := ctx.Deadline(); limited && s.armed.Load() {
		<-ctx.Done()
		s.cut.Add(1)
		return ctx.Err()
	}
	return s.Store.View(ctx, scope, fn)
}

// The time of a sleep ends the clustering of the first owner too, also when the sleep has done nothing else. The
// report names the owners that are left; the next sleep begins with the one that was cut off and gives it
// twice the time.
func TestTheTimeEndsTheFirstClustering(t *testing.T) {
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := base.Close(); err != nil {
			t.Error(err)
		}
	})
	store := &slowReads{Store: base}
	w := enginetest.With(t, enginetest.Options{Store: store})
	rememberTopics(w, "cleo")
	w.Clock.Advance(24 * time.Hour)
	sleepOnce := func(in engine.SleepInput) *engine.SleepReport {
		t.Helper()
		in.Deep, in.Wait = true, true
		r, err := w.Sleep(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := sleepOnce(engine.SleepInput{}); !r.Complete || r.CutOff != "" || r.Clustered != 1 {
		t.Fatalf("without a limit: %+v", r)
	}
	w.Clock.Advance(24 * time.Hour)
	rememberTopics(w, "ana", "bo")
	rememberMore(w, 500, 24, "cleo")
	w.Clock.Advance(24 * time.Hour)
	second := 1
	for n, want := range []time.Duration{time.Second, 2 * time.Second} {
		store.armed.Store(true)
		r := sleepOnce(engine.SleepInput{MaxSeconds: &second})
		store.armed.Store(false)
		if r.Complete || r.CutOff != sleep.PhaseREM || r.Clustered != 0 || r.ClustersLeft != 3 {
			t.Errorf("sleep %d: %+v", n, r)
		}
		left, err := w.SleepOwnersLeft(t.Context(), w.Caller, r.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		if names := fmt.Sprint(left); names != "[{default ana} {default bo} {default cleo}]" {
			t.Errorf("sleep %d left %s", n, names)
		}
		if store.cut.Load() != int64(n+1) {
			t.Errorf("%d reads were cut off, want %d", store.cut.Load(), n+1)
		}
		var note struct{ Had time.Duration }
		if err := base.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error {
			text, err := r.Setting("clusters.cut")
			if err != nil {
				return err
			}
			return json.Unmarshal(text, &note)
		}); err != nil || note.Had != want {
			t.Errorf("sleep %d gave it %v, want %v; %v", n, note.Had, want, err)
		}
		w.Clock.Advance(time.Hour)
	}
	if found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{User: "ana"}); err != nil || len(found) > 0 {
		t.Errorf("%d clusters of an owner that was cut off; %v", len(found), err)
	}
	if r := sleepOnce(engine.SleepInput{MaxSeconds: &second}); !r.Complete || r.CutOff != "" || r.Clustered != 3 || r.ClustersLeft != 0 {
		t.Errorf("with enough time: %+v", r)
	}
	err = base.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error { _, err := r.Setting("clusters.cut"); return err })
	if !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("the note of the owner that was cut off stays: %v", err)
	}
}
