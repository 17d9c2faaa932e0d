package dgraphstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dgraph-io/dgo/v230"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/somnograph/somnograph/graph"
)

// transient reports whether a request that failed so may succeed later: no server can
// be reached, or one that was reached isn't ready.
func transient(err error) bool {
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

// aborted reports whether a transaction lost against another one.
func aborted(err error) bool {
	return errors.Is(err, dgo.ErrAborted) || status.Code(err) == codes.Aborted
}

// retry runs a request that changes nothing, or nothing twice, until it succeeds, fails
// for good, or the store's patience ends.
func (s *Store) retry(ctx context.Context, request func(context.Context) error) error {
	until := s.opts.Now().Add(s.opts.Patience)
	reach := s.hurried(ctx)
	for n := 1; ; n++ {
		if reach.Err() != nil {
			return errAway()
		}
		err := s.once(ctx, n, request)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !transient(err):
			return err
		case s.opts.Now().After(until):
			return fmt.Errorf("%w: Dgraph does not answer: %w", graph.ErrUnavailable, err)
		}
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return err
		}
	}
}

// pause waits, or answers why it may not.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
