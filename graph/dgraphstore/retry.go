package dgraphstore

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
)

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
		case !reach.IsTransient(err):
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
