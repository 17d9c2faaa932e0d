package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// A session can be observed through one server and closed through another: every acknowledged
// turn leaves L0 exactly once.
func TestSessionClosesThroughAnotherServer(t *testing.T) {
	s := fixture.NewServers(t, 2)
	const turns = 40
	for i := range turns {
		s.Observe(i%2, "tea", fmt.Sprintf("Pot %d holds oolong number %d.", i, i*i))
	}
	r, err := s.Engines[1].CloseSession(t.Context(), s.W.Caller, "tea", "")
	if err != nil || len(r.Flushed) != turns {
		t.Fatalf("%d turns left L0, want %d: %v", len(r.Flushed), turns, err)
	}
	again, err := s.Engines[0].CloseSession(t.Context(), s.W.Caller, "tea", "")
	if err != nil || len(again.Flushed) != 0 || !again.EndedAt.Equal(r.EndedAt) {
		t.Errorf("closed again through the other: %+v, %v", again, err)
	}
}

// A ring that two servers fill has the size of one ring, whichever server evicts.
func TestTwoServersShareOneRing(t *testing.T) {
	s := fixture.NewServers(t, 2)
	long := strings.Repeat("The river carries many small stones to the sea. ", 40) // about 400 tokens
	var flushed int
	for i := range 24 {
		flushed += len(s.Observe(i%2, "river", fmt.Sprint(i, " ", long)).Flushed)
	}
	if flushed == 0 {
		t.Error("no turn made room")
	}
	inL0 := func() (n int) {
		err := s.W.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
			all, err := r.ListMemories(graph.MemoryQuery{Session: "river"})
			for _, m := range all {
				if m.Status() == graph.Active && m.State().Tier == graph.L0 {
					n++
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	// Each server counts the other's turns after it has read the feed: L0 holds one ring's size,
	// not two.
	s.Eventually("the ring has its size", func() bool {
		s.Observe(0, "river", long)
		return inL0() <= 12
	})
}

// An erasure on one server also removes the data from the recess and the memory of the others.
// A server that was not running catches up after its start.
func TestErasureReachesEveryServer(t *testing.T) {
	s := fixture.NewServers(t, 2)
	s.Remember(1, "The mill has a safe.") // the other server has the tenant open
	m := s.Remember(0, "The safe of the mill opens with 7731.")
	at := s.W.Clock.Now()
	err := s.W.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		stored, err := r.Memory(m.ID)
		if err != nil {
			return err
		}
		for _, shelf := range s.Shelves {
			if err := shelf.Engrave(t.Context(), fixture.LoopScope, stored, nil, at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Engines[0].Forget(t.Context(), s.W.Caller, engine.ForgetInput{IDs: []graph.ID{m.ID}}); err != nil {
		t.Fatal(err)
	}
	for i, shelf := range s.Shelves {
		s.Eventually(fmt.Sprintf("server %d erased the engram", i), func() bool {
			_, err := shelf.Read(t.Context(), fixture.LoopScope, m.ID)
			return errors.Is(err, graph.ErrNotFound)
		})
	}
	late := enginetest.NewFakeArchive()
	if err := late.Engrave(t.Context(), fixture.LoopScope, m.Memory, nil, at); err != nil {
		t.Fatal(err)
	}
	idx, err := index.Open(t.Context(), fixture.SharedStore{Store: s.W.Store}, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(t.Context(), engine.Options{
		Store: fixture.SharedStore{Store: s.W.Store}, Index: idx, Embedder: hashed.New(), Clock: s.W.Clock, Rand: enginetest.Random(7), Recess: late,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Eventually("the one that was away erased it", func() bool {
		_, err := late.Read(t.Context(), fixture.LoopScope, m.ID)
		return errors.Is(err, graph.ErrNotFound)
	})
	if err := errors.Join(e.Close(t.Context()), idx.Close(t.Context())); err != nil {
		t.Error(err)
	}
}

// An erasure on one server ends the exports that the others send since before it, and no later ones.
func TestErasureEndsExportsOfOtherServers(t *testing.T) {
	s := fixture.NewServers(t, 2)
	m := s.Remember(0, "The safe of the mill opens with 7731.")
	before, endBefore, err := s.Engines[1].BeginExport(t.Context(), s.W.Caller)
	if err != nil {
		t.Fatal(err)
	}
	defer endBefore()
	if _, err := s.Engines[0].Forget(t.Context(), s.W.Caller, engine.ForgetInput{IDs: []graph.ID{m.ID}}); err != nil {
		t.Fatal(err)
	}
	after, endAfter, err := s.Engines[1].BeginExport(t.Context(), s.W.Caller)
	if err != nil {
		t.Fatal(err)
	}
	defer endAfter()
	s.Eventually("the export of the other server ended", func() bool { return errors.Is(context.Cause(before), engine.ErrErasedMeanwhile) })
	if after.Err() != nil {
		t.Errorf("an export that began after the erasure ended with %v", context.Cause(after))
	}
}

// If an engram is in another server's recess, a server answers from the row.
func TestEngramOfAnotherServerIsServed(t *testing.T) {
	s := fixture.NewServers(t, 2)
	m := s.Remember(0, "The lighthouse of Corvin has eleven steps.", func(in *engine.RememberInput) { in.Type = graph.Semantic })
	_, err := s.W.Store.Update(t.Context(), fixture.LoopScope, func(tx graph.Tx) error {
		stored, err := tx.Memory(m.ID)
		if err != nil {
			return err
		}
		stored.SetState(s.W.Clock.Now(), func(st *graph.State) { st.Tier = graph.L3 })
		if err := s.Shelves[0].Engrave(t.Context(), fixture.LoopScope, stored, nil, s.W.Clock.Now()); err != nil {
			return err
		}
		return tx.PutMemory(stored, graph.EventEngraved)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range s.Engines {
		v, err := e.Memory(t.Context(), s.W.Caller, m.ID, engine.Access{})
		if err != nil || v.Unavailable != nil || v.Content != m.Content {
			t.Errorf("server %d answers %+v, %v", i, v, err)
		}
	}
}

// Feedback through one server affects the searches of the others within a second.
func TestFeedbackReachesEveryServer(t *testing.T) {
	s := fixture.NewServers(t, 2)
	m := s.Remember(0, "The ferry to Birchmoor leaves at nine.")
	ask := func(n int) float64 {
		r, err := s.Engines[n].Search(t.Context(), s.W.Caller, engine.SearchInput{Query: "ferry to Birchmoor leaves", TopK: 1})
		if err != nil || len(r.Hits) != 1 {
			t.Fatalf("server %d: %+v, %v", n, r, err)
		}
		return r.Hits[0].Score
	}
	before := [2]float64{ask(0), ask(1)}
	say := func(n int, relevant bool) {
		_, err := s.Engines[n].Feedback(t.Context(), s.W.Caller, engine.FeedbackInput{Query: "ferry to Birchmoor leaves", ID: m.ID, Relevant: relevant})
		if err != nil {
			t.Fatal(err)
		}
		s.W.Clock.Advance(time.Second)
	}
	say(0, false)
	for n := range 2 {
		if now := ask(n); now >= before[n] {
			t.Errorf("marked irrelevant, server %d scores it %g as before", n, now)
		}
	}
	say(1, true) // reverts the other server's mark
	for n := range 2 {
		if now := ask(n); now < before[n]*0.99 {
			t.Errorf("marked relevant, server %d scores it %g, before %g", n, now, before[n])
		}
	}
}

// The size limit of a user's core holds across all servers.
func TestCoreLimitHoldsAcrossServers(t *testing.T) {
	s := fixture.NewServers(t, 2)
	text := strings.Repeat("granite harbour lantern ", 60)
	var ids []graph.ID
	for i := range 24 {
		ids = append(ids, s.Remember(i%2, fmt.Sprint(i, " ", text), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).ID)
	}
	var pins sync.WaitGroup
	for i, id := range ids {
		pins.Go(func() {
			_, err := s.Engines[i%2].Pin(t.Context(), s.W.Caller, id)
			if err != nil && graph.CodeOf(err) != graph.CodeLimitExceeded {
				t.Error(err)
			}
		})
	}
	pins.Wait()
	for n, e := range s.Engines {
		var core []*engine.View
		s.Eventually("the index has the pins", func() bool {
			var err error
			if core, err = e.Core(t.Context(), s.W.Caller, "", nil); err != nil {
				t.Fatal(err)
			}
			return len(core) > 0
		})
		tokens := 0
		for _, v := range core {
			tokens += len(strings.Fields(v.Content)) // a word is at least one token
		}
		if tokens > engine.MaxCoreTokens {
			t.Errorf("server %d has %d words of core", n, tokens)
		}
	}
}

// Concurrent erasures on two servers produce two complete receipts, and neither erasure is
// lost.
func TestConcurrentForgetOnTwoServers(t *testing.T) {
	s := fixture.NewServers(t, 2)
	for i := range 40 {
		s.Remember(i%2, fmt.Sprintf("Guest %d sleeps in room %d.", i, i+100), func(in *engine.RememberInput) { in.User = fmt.Sprint("u", i%4) })
	}
	var forgets sync.WaitGroup
	receipts := make([]*graph.Receipt, 4)
	for i := range receipts {
		forgets.Go(func() {
			var err error
			if receipts[i], err = s.Engines[i%2].Forget(t.Context(), s.W.Caller, engine.ForgetInput{User: fmt.Sprint("u", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	forgets.Wait()
	for i, r := range receipts {
		if r == nil || r.Status != graph.DeletionComplete || r.Count != 10 {
			t.Errorf("user %d: %+v", i, r)
		}
	}
	err := s.W.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		left, err := r.ListMemories(graph.MemoryQuery{Users: []string{"u0", "u1", "u2", "u3"}})
		if len(left) > 0 {
			t.Errorf("%d memories are left", len(left))
		}
		if _, err := r.Setting("forget.job"); !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("a job is left: %v", err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// No server's clock is earlier than an instant that another server recorded.
func TestLaggingClockCatchesUp(t *testing.T) {
	slow := enginetest.NewClock(enginetest.Start.Add(-time.Hour))
	first := true
	s := fixture.NewServers(t, 2, func(o *engine.Options) {
		if !first {
			o.Clock = slow
		}
		first = false
	})
	m := s.Remember(0, "The bell of Dunmere rings at noon.")
	s.Eventually("the slow server heard of it", func() bool {
		later := s.Remember(1, "A gull sits on the bell.", func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
		return !later.RecordedAt.Before(m.RecordedAt)
	})
}

// A subscriber to any server gets every step and the report of a sleep exactly once, whichever
// server sleeps. A subscriber that resumes after a report misses none.
func TestSleepProgressReachesEveryServer(t *testing.T) {
	s := fixture.NewServers(t, 2)
	for i := range 30 {
		s.Remember(i%2, fmt.Sprintf("The cargo of barge %d is gravel.", i/2), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	s.W.Clock.Advance(40 * 24 * time.Hour)
	var progress [2]<-chan engine.SleepProgress
	var reports [2]<-chan engine.SleepReport
	for n, e := range s.Engines {
		var err error
		if progress[n], err = e.SleepProgress(t.Context(), s.W.Caller); err != nil {
			t.Fatal(err)
		}
		if reports[n], err = e.MorningReports(t.Context(), s.W.Caller, ""); err != nil {
			t.Fatal(err)
		}
	}
	var slept []graph.ID
	for night := range 3 {
		r, err := s.Engines[night%2].Sleep(t.Context(), s.W.Caller, fixture.DeepSleep)
		if err != nil {
			t.Fatal(err)
		}
		slept = append(slept, r.ID)
		s.W.Clock.Advance(21 * time.Hour)
	}
	taken := 0
	for n, e := range s.Engines {
		steps := map[graph.ID]int{}
		for ended := 0; ended < len(slept); {
			p := <-progress[n]
			steps[p.Report] += len(p.Steps)
			if p.Phase == engine.PhaseReport && p.Done == 1 {
				ended++
			}
		}
		for i, id := range slept {
			if r := <-reports[n]; r.ID != id {
				t.Errorf("server %d: report %d is %s, want %s", n, i, r.ID, id)
			}
			all, err := e.SleepSteps(t.Context(), s.W.Caller, id, 1000)
			if err != nil || steps[id] != len(all) {
				t.Errorf("server %d reported %d steps of sleep %d, which took %d: %v", n, steps[id], i, len(all), err)
			}
			taken += len(all)
		}
	}
	if taken == 0 {
		t.Error("the sleeps did nothing")
	}
	for n, e := range s.Engines {
		ctx, stop := context.WithCancel(t.Context())
		again, err := e.MorningReports(ctx, s.W.Caller, slept[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range slept[1:] {
			if r := <-again; r.ID != id {
				t.Errorf("server %d resumes with %s, want %s", n, r.ID, id)
			}
		}
		fourth, err := s.Engines[1-n].Sleep(t.Context(), s.W.Caller, fixture.DeepSleep)
		if err != nil {
			t.Fatal(err)
		}
		if r := <-again; r.ID != fourth.ID {
			t.Errorf("server %d continues with %s, want %s", n, r.ID, fourth.ID)
		}
		slept = append(slept, fourth.ID)
		stop()
	}
	if _, err := s.Engines[0].MorningReports(t.Context(), s.W.Caller, "no id"); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("resumed after a missing id: %v", err)
	}
}

// A hit counts as one use a day; servers that count at the same time count it once each.
func TestUsesAreCountedAcrossServers(t *testing.T) {
	s := fixture.NewServers(t, 2)
	m := s.Remember(0, "The ropewalk of Saltmarsh is a hundred fathoms long.")
	s.Remember(1, "A cat sleeps in the ropewalk.")
	const each = 30
	var askers sync.WaitGroup
	for n, e := range s.Engines {
		askers.Go(func() {
			for range each {
				r, err := e.Search(t.Context(), s.W.Caller, engine.SearchInput{Query: "How long is the ropewalk of Saltmarsh?", TopK: 1, Track: true})
				if err != nil || len(r.Hits) != 1 || r.Hits[0].Memory.ID != m.ID {
					t.Errorf("server %d: %+v, %v", n, r, err)
				}
			}
		})
	}
	askers.Wait()
	for n, e := range s.Engines {
		v, err := e.Memory(t.Context(), s.W.Caller, m.ID, engine.Access{})
		if err != nil || v.Usage.Count < 1 || v.Usage.Count > len(s.Engines) || len(v.Usage.Days) != 1 {
			t.Errorf("server %d counts %+v, %v", n, v.Usage, err)
		}
	}
}
