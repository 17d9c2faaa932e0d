package breaker

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// world is a breaker on a clock of its own, with its changes.
type world struct {
	*Breaker
	now     time.Time
	changes []State
}

func newWorld(o Options) *world {
	w := &world{now: time.Date(2026, 2, 19, 12, 0, 0, 0, time.UTC)}
	o.Now = func() time.Time { return w.now }
	o.OnChange = func(s Status) { w.changes = append(w.changes, s.State) }
	w.Breaker = New(o)
	return w
}

// call makes a call with an outcome, and reports whether it was admitted.
func (w *world) call(reason string) bool {
	done, admitted := w.Admit()
	if admitted {
		done(reason)
	}
	return admitted
}

func TestBreakerOpensAfterFailuresInARow(t *testing.T) {
	w := newWorld(Options{Name: "STORE", Failures: 3, Open: 600 * time.Second})
	for _, reason := range []string{"a", "a", "", "a", "a"} {
		if !w.call(reason) {
			t.Fatal("refused while closed")
		}
	}
	if w.Status().State != Closed {
		t.Fatal("two failures in a row opened it")
	}
	w.call("the disk is full")
	want := Status{Name: "STORE", State: Open, Since: w.now, Reason: "the disk is full", RetryAt: w.now.Add(600 * time.Second)}
	if s := w.Status(); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	if w.now = w.now.Add(599 * time.Second); w.call("") {
		t.Error("a call passed while open")
	}
	w.now = w.now.Add(time.Second)
	first, admitted := w.Admit()
	if !admitted || w.Status().State != HalfOpen {
		t.Fatalf("%+v", w.Status())
	}
	if w.call("") {
		t.Error("a second call passed while half open")
	}
	first("still full")
	if w.call("") {
		t.Error("open again, and a call passed")
	}
	if w.now = w.now.Add(600 * time.Second); !w.call("") || w.Status().State != Closed || w.Status().Reason != "" {
		t.Errorf("%+v", w.Status())
	}
	if states := []State{Open, HalfOpen, Open, HalfOpen, Closed}; !slices.Equal(w.changes, states) {
		t.Errorf("changes %v, want %v", w.changes, states)
	}
}

// The outcome of a call that began before the breaker opened says nothing about the part now.
func TestLateOutcomesAreIgnored(t *testing.T) {
	w := newWorld(Options{Failures: 1, Open: time.Minute})
	late, _ := w.Admit()
	w.call("away")
	late("")
	if w.Status().State != Open {
		t.Error("a late success closed it")
	}
}

func TestProbeClosesEarly(t *testing.T) {
	var away error = errors.New("away")
	probes := 0
	w := newWorld(Options{Failures: 1, Open: time.Hour, ProbeEvery: time.Second, Probe: func() error { probes++; return away }})
	w.call("away")
	for range 5 {
		if w.call("") {
			t.Fatal("a call passed")
		}
	}
	if probes != 0 {
		t.Errorf("%d probes within a second", probes)
	}
	w.now = w.now.Add(time.Second)
	for range 2 {
		if w.call("") || probes != 1 {
			t.Errorf("%d probes of a part that is away", probes)
		}
	}
	away = nil
	if w.now = w.now.Add(time.Second); !w.call("") || w.Status().State != Closed {
		t.Errorf("%+v", w.Status())
	}
}

func TestRetryLetsOneCallThrough(t *testing.T) {
	w := newWorld(Options{Failures: 1, Open: time.Hour})
	w.call("away")
	if w.Retry(); !w.call("still away") || w.call("") {
		t.Errorf("%+v", w.Status())
	}
}

func TestSetListsByName(t *testing.T) {
	var s Set
	for _, name := range []string{"STORE", "EMBEDDER"} {
		s.Add(New(Options{Name: name, Failures: 1}))
	}
	store, _ := s.Get("STORE").Admit()
	store("away")
	got := s.List()
	if len(got) != 2 || got[0].Name != "EMBEDDER" || got[1].State != Open || s.Get("CHAT") != nil {
		t.Errorf("%+v", got)
	}
}

// A call that its caller cancelled neither closes a breaker nor ends a row of failures.
func TestCancelledCallsDecideNothing(t *testing.T) {
	w := newWorld(Options{Failures: 2, Open: time.Hour})
	w.call("away")
	w.call(Cancelled)
	if w.call("away"); w.Status().State != Open {
		t.Fatalf("two failures with a cancelled call between them: %+v", w.Status())
	}
	w.now = w.now.Add(time.Hour)
	if !w.call(Cancelled) || w.Status().State != Open || w.Status().Reason != "away" {
		t.Errorf("the call that was to decide was cancelled: %+v", w.Status())
	}
	if !w.call("") || w.Status().State != Closed {
		t.Errorf("the next call: %+v", w.Status())
	}
}

// A part that says itself that it is away opens its breaker, and closes it when it is back. What calls found out
// stays.
func TestTrip(t *testing.T) {
	w := newWorld(Options{Failures: 1, Open: time.Hour})
	w.Trip("gone")
	w.Trip("gone")
	if s := w.Status(); s.State != Open || s.Reason != "gone" || w.call("") {
		t.Errorf("%+v", s)
	}
	if s := w.Status(); !s.RetryAt.IsZero() {
		t.Errorf("it is retried at %v, and not when the part says so", s.RetryAt)
	}
	if w.Untrip("another reason"); w.Status().State != Open {
		t.Error("closed for another reason")
	}
	if w.Untrip("gone"); !w.call("away") || w.Status().State != Open || w.Status().RetryAt.IsZero() {
		t.Errorf("%+v", w.Status())
	}
	if w.Untrip("gone"); w.Status().State != Open {
		t.Error("closed although calls failed")
	}
	w.Trip("gone")
	w.Untrip("gone")
	if states := []State{Open, Closed, Open, Open, Closed}; !slices.Equal(w.changes, states) {
		t.Errorf("changes %v, want %v", w.changes, states)
	}
}
