package workspace

import (
	"context"
	"sync"
	"time"
)

// seats limit the searches that run at once, from the reading of the question to the ranked hits.
// They are CPU-bound there, so more of them do not answer sooner. Principals get the seats in turn.
// One more seat is for principals that have none, so that one that asks seldom does not wait for the
// searches of others to end. While several principals search, one of the other seats is kept empty: a
// search that runs beside as many others as there are processors takes several times as long (ADR 139).
// It is safe for concurrent use.
type seats struct {
	turns *turns
	now   func() time.Time

	mu     sync.Mutex
	taken  map[string]int // by principal
	extra  bool           // the further seat is taken
	last   string         // the principal that asked last
	other  time.Time      // when another one than the last asked; zero: never
	spare  bool           // more than one seat, so that one can be kept empty
	kept   bool           // one is
	toKeep bool           // the next one that is given back is to be kept
}

// together is how long ago another principal asked at most if several search.
const together = time.Minute

func newSeats(n int, now func() time.Time) *seats {
	return &seats{turns: newTurns(n), now: now, taken: map[string]int{}, spare: n > 1}
}

// take waits for a seat; leave gives it back and may be called more than once. The only error is
// that of ctx.
func (s *seats) take(ctx context.Context, principal string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.keepOne(principal)
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
		keep := !further && s.toKeep
		if keep {
			s.toKeep, s.kept = false, true
		}
		s.mu.Unlock()
		if !further && !keep {
			s.turns.give()
		}
	}), nil
}

// keepOne begins or ends to keep a seat empty, when a principal asks.
func (s *seats) keepOne(principal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.last != "" && s.last != principal {
		s.other = now
	}
	s.last = principal
	several := s.spare && !s.other.IsZero() && now.Sub(s.other) < together
	switch {
	case several && !s.kept && !s.toKeep:
		s.kept = s.turns.tryTake()
		s.toKeep = !s.kept
	case !several && s.kept:
		s.kept = false
		s.turns.give()
	case !several:
		s.toKeep = false
	}
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
