package workspace

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/breaker"
	"github.com/somnograph/somnograph/graph"
)

// Names of breakers. Models have EMBEDDER, RERANKER and CHAT.
const (
	BreakerStore  = "STORE"
	BreakerRecess = "RECESS"
)

// openFor is how long the breakers of the store and of the recess stay open at most.
const openFor = 600 * time.Second

// Reasons of the breaker of the store.
const (
	storeSilent = "the store does not answer"      // to some writes
	storeGone   = "no server of the store answers" // as the store itself says
)

// outageEvery is the interval at which the breaker of the store looks whether a cluster answers.
const outageEvery = 250 * time.Millisecond

// AddBreaker adds a breaker to those that health shows, and logs its changes.
func (ws *Space) AddBreaker(b *breaker.Breaker) {
	b.Watch(func(s breaker.Status) {
		switch s.State {
		case breaker.Open:
			attrs := []any{"part", s.Name, "reason", s.Reason}
			if !s.RetryAt.IsZero() {
				attrs = append(attrs, "retry_at", s.RetryAt)
			}
			ws.Log.Error("[CIRCUIT BREAKER] open", attrs...)
		case breaker.HalfOpen:
			ws.Log.Warn("[CIRCUIT BREAKER] half open: one call decides", "part", s.Name)
		default:
			ws.Log.Info("[CIRCUIT BREAKER] closed", "part", s.Name)
		}
	})
	ws.Breakers.Add(b)
}

// newBreakers makes the breakers of the store and of the recess. While that of the store is open,
// writes ask the store whether it works again: an embedded one each time, which costs microseconds, a
// cluster ten times a second.
func (ws *Space) newBreakers() {
	store, every := ws.Store, time.Nanosecond
	if !ws.Exclusive() {
		every = 100 * time.Millisecond
	}
	ws.storeBreaker = breaker.New(breaker.Options{Name: BreakerStore, Open: openFor, ProbeEvery: every, Probe: func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return store.Ready(ctx)
	}})
	ws.AddBreaker(ws.storeBreaker)
	if ws.Recess != nil {
		b := breaker.New(breaker.Options{Name: BreakerRecess, Open: openFor, Now: func() time.Time { return ws.Elapsed() }})
		ws.AddBreaker(b)
		ws.Recess = guardedRecess{ws.Recess, b}
	}
}

// followOutage opens the breaker of the store when a cluster no longer answers, and closes it when it answers again. Calls
// with a deadline are refused before they reach the breaker, so that their failures do not open it.
func (ws *Space) followOutage() (away bool) {
	if away = graph.Alive(ws.Store).Err() != nil; away {
		ws.storeBreaker.Trip(storeGone)
	} else {
		ws.storeBreaker.Untrip(storeGone)
	}
	return away
}

// admitWrite returns the function that takes the outcome of a write, or UNAVAILABLE.
func (ws *Space) admitWrite() (done func(error), err error) {
	if ws.followOutage() { // background work waits for the store (ADR 49), which refuses other calls at once
		return func(error) {}, nil
	}
	outcome, admitted := ws.storeBreaker.Admit()
	if !admitted {
		s := ws.storeBreaker.Status()
		e := graph.Errorf(graph.CodeUnavailable, "the circuit breaker of the store is open since %s: %s; nothing was written", s.Since.UTC().Format(time.RFC3339), s.Reason)
		e.Cause = graph.ErrUnavailable
		return nil, e
	}
	return func(err error) { outcome(storeFailure(err)) }, nil
}

// storeFailure is the reason why a write shows that the store is away, or empty. A full disk is no such reason: the
// store refuses the write at once and says why, and the alarm disk_free tells it.
func storeFailure(err error) string {
	var e *graph.Error
	switch {
	case errors.Is(err, graph.ErrDiskFull):
		return breaker.Cancelled
	case !errors.Is(err, graph.ErrUnavailable) && !errors.Is(err, graph.ErrUncertain):
		return ""
	case errors.As(err, &e):
		return e.Sentence()
	}
	return storeSilent
}

// guardedRecess is a Recess behind a breaker. Erasures and withdrawals are always tried.
type guardedRecess struct {
	Recess
	breaker *breaker.Breaker
}

// errRecessOpen is the error of calls that the breaker of the recess refuses.
var errRecessOpen = &graph.Error{Code: graph.CodeUnavailable, Message: "the circuit breaker of the recess is open; the memory stays in L2 and is engraved later", Cause: graph.ErrUnavailable}

func (r guardedRecess) do(call func() error) error {
	done, admitted := r.breaker.Admit()
	if !admitted {
		return errRecessOpen
	}
	reason := "a call panicked"
	defer func() { done(reason) }()
	err := call()
	switch {
	case err == nil, errors.Is(err, graph.ErrNotFound), errors.Is(err, graph.ErrIntegrity):
		reason = ""
	case errors.Is(err, context.Canceled):
		reason = breaker.Cancelled
	default:
		reason = Refusal(err)
	}
	return err
}

// Ready implements Readiness: what the recess says, whatever the state of the breaker. A recess
// without an answer is ready.
func (r guardedRecess) Ready(ctx context.Context) error {
	if ready, ok := r.Recess.(Readiness); ok {
		return ready.Ready(ctx)
	}
	return nil
}

// Engrave implements Recess.
func (r guardedRecess) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	return r.do(func() error { return r.Recess.Engrave(ctx, scope, m, vector, at) })
}

// Seal implements Recess.
func (r guardedRecess) Seal(ctx context.Context, scope graph.Scope) error {
	return r.do(func() error { return r.Recess.Seal(ctx, scope) })
}

// Read implements Recess.
func (r guardedRecess) Read(ctx context.Context, scope graph.Scope, id graph.ID) (m *graph.Memory, err error) {
	err = r.do(func() (err error) { m, err = r.Recess.Read(ctx, scope, id); return err })
	return m, err
}
