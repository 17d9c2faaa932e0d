package dgraphstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	grpcbackoff "google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"

	"github.com/somnograph/somnograph/graph"
)

// The parameters of the connections to an alpha. With its defaults gRPC waits up to two
// minutes before it dials again, and keeps a silent connection, on which the kernel
// retries less and less often: after a partition has healed, both would take as long again
// as the partition.
var (
	connectParams = grpc.ConnectParams{
		Backoff:           grpcbackoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 500 * time.Millisecond},
		MinConnectTimeout: 2 * time.Second,
	}
	// A connection that is silent although an answer is due gets a ping after 10 s, the
	// minimum of gRPC. It is dropped 3 s after an unanswered ping or unacknowledged data.
	keepaliveParams = keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 3 * time.Second}
)

const (
	availabilityCheckEvery = 250 * time.Millisecond // interval of the availability check
	probeAfter             = time.Second            // without an answer for this long, all alphas are probed
	probeTimeout           = 2 * time.Second        // time limit of a probe
)

// probeQuery needs the same servers as a read: an alpha, and a zero for a timestamp.
const probeQuery = `{ q(func: has(tenant.name), first: 1) { uid } }`

// Alive returns a context that is done once no alpha has answered anything for Options.Away.
// After one answers again, Alive returns a new context.
func (s *Store) Alive() context.Context { return s.availability.Alive() }

// aliveFor is the alive context for a call with a deadline. A call without one waits for
// Options.RetryFor.
func (s *Store) aliveFor(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		return s.Alive()
	}
	return context.Background()
}

// errNoAlpha is returned at once while no alpha answers.
func errNoAlpha() error { return fmt.Errorf("%w: no alpha of Dgraph answers", graph.ErrUnavailable) }

// watchAvailability marks the store as unavailable after a long enough silence, and probes
// until an alpha answers.
func (s *Store) watchAvailability() {
	ticker := time.NewTicker(availabilityCheckEvery)
	defer ticker.Stop()
	var probes sync.WaitGroup
	defer probes.Wait()
	probing := make(chan struct{}, 1)
	for {
		select {
		case <-s.background.Done():
			return
		case <-ticker.C:
		}
		silent := s.availability.Silence(time.Now())
		if silent >= s.options.UnavailableAfter && s.availability.MarkUnavailable() {
			s.options.Logger.Error("[CIRCUIT BREAKER] Dgraph does not answer; operations that need it fail until it does", "silent", silent.Round(time.Millisecond))
		}
		if silent < probeAfter {
			continue
		}
		select {
		case probing <- struct{}{}:
			probes.Go(func() { s.probeAlphas(); <-probing })
		default: // a probe is running
		}
	}
}

// probeAlphas sends a query to every alpha; those that answer end the silence.
func (s *Store) probeAlphas() {
	ctx, cancel := context.WithTimeout(s.background, probeTimeout)
	defer cancel()
	var all sync.WaitGroup
	for _, alpha := range s.alphas {
		all.Go(func() {
			_ = s.requestAt(ctx, alpha, func(ctx context.Context) error { // requestAt records the outcome
				_, err := alpha.client.NewReadOnlyTxn().Query(ctx, probeQuery)
				return err
			})
		})
	}
	all.Wait()
}
