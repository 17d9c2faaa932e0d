package workspace

import (
	"context"
	"testing"
)

// A principal that has no seat gets one at once beside another that has all and waits for more; a
// second one waits. A seat that is given back goes to those that wait.
func TestAFurtherSeatIsForThoseWithoutOne(t *testing.T) {
	s := newSeats(2)
	take := func(principal string) func() {
		t.Helper()
		leave, err := s.take(t.Context(), principal)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := take("heavy"), take("heavy")
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
	third := <-waited
	second()
	third()
	if s.turns.free != 2 || s.extra || len(s.taken) != 0 {
		t.Errorf("left %+v", s)
	}
}

// Searches within a search need no seat of their own.
func TestSeatsAreTakenOnce(t *testing.T) {
	ws := &Space{SearchSlots: &searchSlots{seats: newSeats(1)}}
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
