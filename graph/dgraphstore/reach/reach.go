// Package reach says whether a cluster answers, and what its errors mean.
package reach

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v230"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Availability knows whether any alpha answers. It is safe for concurrent use. ADR 49.
type Availability struct {
	mu          sync.Mutex
	inFlight    int       // requests without an outcome
	silentSince time.Time // since when no request was answered; zero: none is open
	alive       context.Context
	endAlive    context.CancelFunc // ends alive
}

// Init makes a zero value usable.
func (a *Availability) Init() { a.alive, a.endAlive = context.WithCancel(context.Background()) }

// RequestSent counts a request that is sent.
func (a *Availability) RequestSent(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inFlight++
	if a.silentSince.IsZero() {
		a.silentSince = now
	}
}

// RequestEnded records the outcome of a request. It reports whether the store was
// unavailable until then.
func (a *Availability) RequestEnded(now time.Time, answered bool) (recovered bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inFlight--
	if !answered {
		return false
	}
	if a.silentSince = now; a.inFlight == 0 {
		a.silentSince = time.Time{}
	}
	if recovered = a.alive.Err() != nil; recovered {
		a.alive, a.endAlive = context.WithCancel(context.Background())
	}
	return recovered
}

// Silence is how long requests have had no answer.
func (a *Availability) Silence(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.silentSince.IsZero() {
		return 0
	}
	return now.Sub(a.silentSince)
}

// MarkUnavailable ends the alive context. It reports whether it was not ended before.
func (a *Availability) MarkUnavailable() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	changed := a.alive.Err() == nil
	a.endAlive()
	return changed
}

// Alive is done while no alpha answers.
func (a *Availability) Alive() context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.alive
}

// IsTransient reports whether a failed request may succeed later: no server was reached, or
// the server wasn't ready.
func IsTransient(err error) bool {
	if err == nil {
		return false
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Canceled:
		return true
	case codes.Unknown: // Dgraph gives most of its errors no code of their own
		text := err.Error()
		for _, part := range []string{
			"not ready", "Please retry", "errIndexingInProgress", "another operation is already running", "Pending transactions found",
			"No connection", "Unhealthy connection", "not the leader", "leader", "Raft", "raft", "Server is shutting down",
			"connection refused", "transport", "StartTs", "Unable to",
		} {
			if strings.Contains(text, part) {
				return true
			}
		}
	}
	return false
}

// IsAborted reports whether a transaction lost against another one.
func IsAborted(err error) bool {
	return errors.Is(err, dgo.ErrAborted) || status.Code(err) == codes.Aborted
}
