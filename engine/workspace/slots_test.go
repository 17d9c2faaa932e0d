package workspace

import (
	"context"
	"testing"
	"time"
)

// The slots limit all searches, and more strictly those that begin during a write. A cancelled
// search releases its slot.
func TestSearchSlots(t *testing.T) {
	r := &searchSlots{all: newTurns(4), whileWriting: newTurns(2)}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var leaves []func()
	enter := func(n int) {
		t.Helper()
		for range n {
			leave, err := r.enter(t.Context(), "ana")
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, leave)
		}
		if _, err := r.enter(gone, "ana"); err == nil {
			t.Fatalf("one more than %d entered", n)
		}
	}
	leaveAll := func() {
		t.Helper()
		for _, leave := range leaves {
			leave()
		}
		leaves = nil
		if r.all.free != 4 || r.whileWriting.free != 2 {
			t.Fatalf("%d and %d slots are free", r.all.free, r.whileWriting.free)
		}
	}
	enter(4)
	leaveAll()
	done := r.Writing()
	enter(2)
	leaveAll()
	done()
	enter(4)
	leaveAll()
	if n := newSearchSlots(time.Now).whileWriting.free; n < 1 {
		t.Errorf("%d searches may run during a write", n)
	}
}
