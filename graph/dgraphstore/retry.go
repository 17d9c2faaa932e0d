package dgraphstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dgraph-io/dgo/v230"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
)

// isTransient reports whether a failed request may succeed later: no server was reached, or
// the server wasn't ready.
func isTransient(err error) bool {
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

// isAborted reports whether a transaction lost against another one.
func isAborted(err error) bool {
	return errors.Is(err, dgo.ErrAborted) || status.Code(err) == codes.Aborted
}

// retry runs an idempotent request until it succeeds, fails for good, or has failed for
// Options.RetryFor.
func (s *Store) retry(ctx context.Context, request func(context.Context) error) error {
	until := s.options.Now().Add(s.options.RetryFor)
	alive := s.aliveFor(ctx)
	for n := 1; ; n++ {
		if alive.Err() != nil {
			return errNoAlpha()
		}
		err := s.tryOnce(ctx, n, request)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !isTransient(err):
			return err
		case s.options.Now().After(until):
			return fmt.Errorf("%w: Dgraph does not answer: %w", graph.ErrUnavailable, err)
		}
		if err := calls.Pause(ctx, s.options.Backoff(n)); err != nil {
			return err
		}
	}
}

// randomToken is 16 random bytes in hex.
func (s *Store) randomToken() (string, error) {
	var random [16]byte
	if _, err := io.ReadFull(s.options.Rand, random[:]); err != nil {
		return "", fmt.Errorf("dgraphstore: randomness: %w", err)
	}
	return hex.EncodeToString(random[:]), nil
}
