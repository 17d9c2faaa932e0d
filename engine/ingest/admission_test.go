package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// manualDeadline is a context whose deadline is an hour away, and passes when the test closes the
// channel.
type manualDeadline struct {
	context.Context
	passed chan struct{}
}

func newManualDeadline(ctx context.Context) manualDeadline {
	return manualDeadline{ctx, make(chan struct{})}
}

func (d manualDeadline) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }

func (d manualDeadline) Done() <-chan struct{} { return d.passed }

func (d manualDeadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// writerOperations are the operations that use the writer. Each writes under an idempotency key,
// if it takes one, and reports whether the write was replayed.
var writerOperations = []struct {
	name string
	do   func(ctx context.Context, e *engine.Engine, c engine.Caller) (replayed bool, err error)
}{
	{"remember", func(ctx context.Context, e *engine.Engine, c engine.Caller) (bool, error) {
		r, err := e.Remember(ctx, c, engine.RememberInput{Content: "The lamp on the pier is green.", Consent: graph.ConsentExplicit, IdempotencyKey: "late"})
		return r != nil && r.Replayed, err
	}},
	{"observe", func(ctx context.Context, e *engine.Engine, c engine.Caller) (bool, error) {
		r, err := e.Observe(ctx, c, engine.Observation{Session: "s", Role: "user", Text: "The lamp is green.", Consent: graph.ConsentExplicit, IdempotencyKey: "late"})
		return r != nil && r.Replayed, err
	}},
	{"adjudicate", func(ctx context.Context, e *engine.Engine, c engine.Caller) (bool, error) {
		r, err := e.Adjudicate(ctx, c, engine.AdjudicateInput{
			Fact: "The lamp on the pier is green.", Subject: "lamp", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 0.9)}, IdempotencyKey: "late",
		})
		return r != nil && r.Replayed, err
	}},
}

// A mutation whose deadline passes while it is queued is refused and writes nothing. It
// can be retried under its key.
func TestExpiredWriteChangesNothing(t *testing.T) {
	for _, v := range writerOperations {
		t.Run(v.name, func(t *testing.T) {
			w := enginetest.New(t)
			e, store, idx := overlapping(t, w)
			before := make(chan error, 2)
			go func() {
				_, err := e.Remember(context.Background(), w.Caller, engine.RememberInput{Content: "Ada lives in Turin.", Consent: graph.ConsentExplicit})
				before <- err
			}()
			<-idx.looks
			<-store.began // the commit holds the writer
			var crates []engine.RememberInput
			for i := range 100 {
				crates = append(crates, engine.RememberInput{Content: fmt.Sprintf("Crate %d holds %d lamps.", i, i*i), Consent: graph.ConsentExplicit})
			}
			go func() {
				_, err := e.RememberMany(context.Background(), w.Caller, crates)
				before <- err
			}()
			<-idx.looks // the next group is complete: later writes go to the group after it
			head, err := w.Store.Head(t.Context(), fixture.LoopScope)
			if err != nil {
				t.Fatal(err)
			}
			ctx, second := newManualDeadline(t.Context()), make(chan error, 1)
			go func() { _, err := v.do(ctx, e, w.Caller); second <- err }()
			close(ctx.passed)
			if err := <-second; graph.CodeOf(err) != graph.CodeRateLimited {
				t.Errorf("after its deadline: %v", err)
			}
			if now, err := w.Store.Head(t.Context(), fixture.LoopScope); err != nil || now != head {
				t.Errorf("something was written meanwhile: head %d after %d, %v", now, head, err)
			}
			close(store.open)
			for range cap(before) {
				if err := <-before; err != nil {
					t.Errorf("before it: %v", err)
				}
			}
			if replayed, err := v.do(t.Context(), e, w.Caller); err != nil || replayed {
				t.Errorf("retried: replayed %v, %v", replayed, err)
			}
		})
	}
}

// A mutation that has begun returns its result even if its deadline passes meanwhile. A
// client that leaves does not wait.
func TestBegunWriteIsAnswered(t *testing.T) {
	for _, v := range writerOperations {
		t.Run(v.name, func(t *testing.T) {
			w := enginetest.New(t)
			e, store, _ := overlapping(t, w)
			ctx, done := newManualDeadline(t.Context()), make(chan error, 1)
			go func() { _, err := v.do(ctx, e, w.Caller); done <- err }()
			<-store.began
			close(ctx.passed)
			select {
			case err := <-done:
				t.Errorf("before it was written: %v", err)
				close(store.open)
			case store.open <- struct{}{}:
				close(store.open)
				if err := <-done; err != nil {
					t.Errorf("after its deadline: %v", err)
				}
			}
		})
	}
	w := enginetest.New(t)
	e, store, _ := overlapping(t, w)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := writerOperations[0].do(ctx, e, w.Caller); done <- err }()
	<-store.began
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a client that left: %v", err)
	}
	close(store.open)
}

// An operation that writes to the store directly is refused in the same way.
func TestLateCorrectionIsRefused(t *testing.T) {
	w := enginetest.New(t)
	in := engine.SupersedeInput{ID: w.Remember("The lamp on the quay is blue.").Memory.ID, Content: "The lamp on the quay is red.", IdempotencyKey: "late"}
	e, store, _ := overlapping(t, w)
	ctx, done := newManualDeadline(t.Context()), make(chan error, 1)
	go func() { _, err := e.Supersede(ctx, w.Caller, in); done <- err }()
	<-store.began
	close(ctx.passed)
	close(store.open)
	if err := <-done; graph.CodeOf(err) != graph.CodeRateLimited {
		t.Errorf("after its deadline: %v", err)
	}
	if r, err := e.Supersede(t.Context(), w.Caller, in); err != nil || r.Replayed || r.Memory.Version != 2 {
		t.Errorf("asked again: %+v, %v", r, err)
	}
}
