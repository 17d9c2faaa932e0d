package workspace

import (
	"context"
	"sync"
)

// seats limit the searches that run at once, from the reading of the question to the ranked hits.
// They are CPU-bound there, so more of them do not answer sooner. Principals get the seats in turn.
// One more seat is for principals that have none, so that one that asks seldom does not wait for the
// searches of others to end. It is safe for concurrent use.
type seats struct {
	turns *turns

	mu    sync.Mutex
	taken map[string]int // by principal
	extra bool           // the further seat is taken
}

func newSeats(n int) *seats { return &seats{turns: newTurns(n), taken: map[string]int{}} }

// take waits for a seat; leave gives it back and may be called more than once. The only error is
// that of ctx.
func (s *seats) take(ctx context.Context, principal string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	further := s.takeExtra(principal)
	if !further {
		if err := s.turns.take(ctx, principal); err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.taken[principal]++
		s.mu.Unlock()
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		if s.taken[principal]--; s.taken[principal] == 0 {
			delete(s.taken, principal)
		}
		if further {
			s.extra = false
		}
		s.mu.Unlock()
		if !further {
			s.turns.give()
		}
	}), nil
}

// takeExtra takes the further seat for a principal that has none, if no other seat is free.
func (s *seats) takeExtra(principal string) bool {
	full := s.turns.full()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !full || s.extra || s.taken[principal] > 0 {
		return false
	}
	s.extra = true
	s.taken[principal]++
	return true
}

// seated is the key of contexts of searches that have a seat.
type seated struct{}

// Seat waits until a search of the principal may run, and returns a context for it. Searches within
// it need no seat of their own. leave must be called, and may be called more than once. The only
// error is that of ctx.
func (ws *Space) Seat(ctx context.Context, tenant, principal string) (_ context.Context, leave func(), err error) {
	if ctx.Value(seated{}) != nil {
		return ctx, func() {}, nil
	}
	leave, err = ws.SearchSlots.seats.take(ctx, tenant+"\x00"+principal)
	if err != nil {
		return nil, nil, err
	}
	return context.WithValue(ctx, seated{}, true), leave, nil
}
