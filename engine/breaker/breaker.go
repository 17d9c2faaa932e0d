package breaker

import (
	"sync"
	"time"
)

// State is the state of a Breaker.
type State string

// The states.
const (
	Closed   State = "CLOSED"    // calls pass
	Open     State = "OPEN"      // calls are refused
	HalfOpen State = "HALF_OPEN" // one call is under way that decides, others are refused
)

// Defaults of Options.
const (
	DefaultFailures = 5
	DefaultOpen     = 300 * time.Second
)

// Cancelled is the reason of a call that its caller ended: it says nothing about the part.
const Cancelled = "the call was cancelled"

// Options configure a Breaker. Zero values mean the defaults.
type Options struct {
	Name     string
	Failures int           // failures in a row that open it; default 5
	Open     time.Duration // how long it stays open before one call is let through; default 300 s
	// Probe tells early whether the part works again: while the breaker is open, one caller calls it
	// every ProbeEvery (default 1 s), and its own call is let through if there is no error. Nil: the
	// breaker waits for Open.
	Probe      func() error
	ProbeEvery time.Duration
	Now        func() time.Time // default: time.Now
	// OnChange receives each new status, in order. It must not block or call the breaker.
	OnChange func(Status)
}

// Status is a Breaker at one moment.
type Status struct {
	Name   string    `json:"name"`
	State  State     `json:"state"`
	Since  time.Time `json:"since,omitzero"`   // since when it has this state
	Reason string    `json:"reason,omitempty"` // of the last failure while it is not closed; never content
	// RetryAt is when a call is let through; zero: it is not open, or it closes when the part says that it works.
	RetryAt time.Time `json:"retryAt,omitzero"`
}

// Breaker is a circuit breaker. It is safe for concurrent use.
type Breaker struct {
	o Options

	mu       sync.Mutex
	state    State
	since    time.Time
	reason   string
	changes  int // of state; the outcome of a call that began before the last one is ignored
	failures int // in a row, while closed
	until    time.Time
	tripped  bool // it is open because the part says so
	probed   time.Time
	watchers []func(Status)
}

// New makes a closed Breaker.
func New(o Options) *Breaker {
	if o.Failures <= 0 {
		o.Failures = DefaultFailures
	}
	if o.Open <= 0 {
		o.Open = DefaultOpen
	}
	if o.ProbeEvery <= 0 {
		o.ProbeEvery = time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Breaker{o: o, state: Closed, since: o.Now()}
}

// Admit reports whether a call may be made. If so, its outcome must be given to done, with the
// reason of a failure; an empty reason is a success, and Cancelled is neither.
func (b *Breaker) Admit() (done func(reason string), admitted bool) {
	if b.refuses() {
		return nil, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.state == Open && !b.o.Now().Before(b.until):
		b.become(HalfOpen, b.reason)
	case b.state != Closed:
		return nil, false
	}
	began := b.changes
	return func(reason string) { b.record(began, reason) }, true
}

// refuses reports whether the breaker is open and its probe fails. A probe that succeeds ends the
// time for which it is open.
func (b *Breaker) refuses() bool {
	b.mu.Lock()
	now := b.o.Now()
	if b.state != Open || b.o.Probe == nil || !now.Before(b.until) {
		b.mu.Unlock()
		return false
	}
	if now.Sub(b.probed) < b.o.ProbeEvery {
		b.mu.Unlock()
		return true
	}
	b.probed = now
	b.mu.Unlock()
	if b.o.Probe() != nil {
		return true
	}
	b.Retry()
	return false
}

// record takes in the outcome of a call.
func (b *Breaker) record(began int, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case began != b.changes:
	case reason == Cancelled:
		if b.state == HalfOpen { // the next call decides
			b.until = b.o.Now()
			b.become(Open, b.reason)
		}
	case reason == "":
		b.failures = 0
		if b.state == HalfOpen {
			b.become(Closed, "")
		}
	default:
		b.failures++
		if b.state == HalfOpen || b.failures >= b.o.Failures {
			b.open(reason, false)
		}
	}
}

// open opens the breaker. b.mu is held.
func (b *Breaker) open(reason string, tripped bool) {
	now := b.o.Now()
	b.failures, b.until, b.probed, b.tripped = 0, now.Add(b.o.Open), now, tripped
	b.become(Open, reason)
}

// become changes the state. b.mu is held.
func (b *Breaker) become(s State, reason string) {
	b.state, b.reason, b.since = s, reason, b.o.Now()
	b.changes++
	if b.o.OnChange != nil {
		b.o.OnChange(b.status())
	}
	for _, w := range b.watchers {
		w(b.status())
	}
}

// Watch calls fn with each new status, in order. It must not block or call the breaker.
func (b *Breaker) Watch(fn func(Status)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.watchers = append(b.watchers, fn)
}

// Reset closes the breaker by hand.
func (b *Breaker) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != Closed {
		b.failures = 0
		b.become(Closed, "")
	}
}

// Trip opens the breaker for a reason that the part itself gives.
func (b *Breaker) Trip(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != Open || b.reason != reason {
		b.open(reason, true)
	}
}

// Untrip closes the breaker if it is open for the reason of a Trip.
func (b *Breaker) Untrip(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != Closed && b.reason == reason {
		b.failures = 0
		b.become(Closed, "")
	}
}

// Retry lets the next call through if the breaker is open, as when its time is over.
func (b *Breaker) Retry() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == Open {
		b.until = b.o.Now()
	}
}

// Status is the present status.
func (b *Breaker) Status() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status()
}

func (b *Breaker) status() Status {
	s := Status{Name: b.o.Name, State: b.state, Since: b.since, Reason: b.reason}
	if b.state == Open && !b.tripped {
		s.RetryAt = b.until
	}
	return s
}

// Name is the name of the breaker.
func (b *Breaker) Name() string { return b.o.Name }
