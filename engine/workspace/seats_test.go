package workspace

import (
	"context"
	"testing"
	"time"
)

// still is a clock that stands until it is moved.
type still struct{ at time.Time }

func (c *still) now() time.Time { return c.at }

// A principal that has no seat gets one at once beside another that has all and waits for more; a
// second one waits. A seat that is given back goes to those that wait.
func TestAFurtherSeatIsForThoseWithoutOne(t *testing.T) {
	s := newSeats(1, (&still{time.Unix(0, 0)}).now)
	take := func(principal string) func() {
		t.Helper()
		leave, err := s.take(t.Context(), principal)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first := take("heavy")
	waited := make(chan func())
	go func() {
		leave, err := s.take(t.Context(), "heavy")
		if err != nil {
			t.Error(err)
		}
		waited <- leave
	}()
	s.turns.queued(1)
	calm := take("calm")
	gone, cancel := context.WithCancel(t.Context())
	refused := make(chan error)
	go func() { _, err := s.take(gone, "third"); refused <- err }()
	s.turns.queued(2)
	cancel()
	if err := <-refused; err == nil {
		t.Error("a third principal got a seat beyond the last")
	}
	calm()
	calm() // again
	take("third")()
	first()
	(<-waited)()
	if s.turns.free != 1 || s.extra || len(s.taken) != 0 {
		t.Errorf("left %+v", s)
	}
}

// Searches within a search need no seat of their own.
func TestSeatsAreTakenOnce(t *testing.T) {
	ws := &Space{SearchSlots: &searchSlots{seats: newSeats(1, time.Now)}}
	ctx, leave, err := ws.Seat(t.Context(), "default", "ana")
	if err != nil {
		t.Fatal(err)
	}
	if _, inner, err := ws.Seat(ctx, "default", "ana"); err != nil {
		t.Error(err)
	} else {
		inner()
	}
	if !ws.SearchSlots.seats.turns.full() {
		t.Error("the inner search gave the seat back")
	}
	leave()
	if ws.SearchSlots.seats.turns.full() {
		t.Error("the seat is still taken")
	}
}

// While several principals search, one seat is kept empty: the next that is given back, if none is free.
// When one has searched alone for a while, it gets the seat again.
func TestOneSeatIsKeptEmptyWhileSeveralSearch(t *testing.T) {
	clock := &still{time.Unix(0, 0)}
	s := newSeats(2, clock.now)
	take := func(principal string) func() {
		t.Helper()
		leave, err := s.take(t.Context(), principal)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	free := func(when string, want int, kept bool) {
		t.Helper()
		if s.turns.free != want || s.kept != kept {
			t.Errorf("%s: %d seats are free and one is kept: %v; want %d, %v", when, s.turns.free, s.kept, want, kept)
		}
	}
	first, second := take("heavy"), take("heavy")
	free("alone", 0, false)
	calm := take("calm")
	free("a second principal has the further seat", 0, false)
	first()
	free("a seat was given back", 0, true)
	calm()
	free("the second principal left", 0, true)
	second()
	free("all left", 1, true)
	take("calm")()
	free("again", 1, true)
	clock.at = clock.at.Add(together)
	first = take("calm")
	free("alone for a while", 1, false)
	first()
	free("at last", 2, false)
	if s.extra || s.toKeep || len(s.taken) != 0 {
		t.Errorf("left %+v", s)
	}
}

// A server of one processor keeps no seat empty, because it has no other.
func TestTheOnlySeatIsNotKeptEmpty(t *testing.T) {
	s := newSeats(1, time.Now)
	for _, principal := range []string{"heavy", "calm", "heavy"} {
		leave, err := s.take(t.Context(), principal)
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	if s.turns.free != 1 {
		t.Errorf("%d seats are free", s.turns.free)
	}
}
