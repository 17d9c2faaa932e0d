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

// How connections to an alpha are kept. What gRPC does where nothing is said is to wait up
// to two minutes until it dials again, and to leave a connection alone that has fallen silent,
// which the kernel then tries ever more seldom: behind a partition that has healed both would
// take as long again as the partition.
var (
	redial = grpc.ConnectParams{
		Backoff:           grpcbackoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 500 * time.Millisecond},
		MinConnectTimeout: 2 * time.Second,
	}
	// A connection on which nothing comes though it is waited for is asked behind 10 s, the
	// least that gRPC knows, and dropped 3 s later, or 3 s behind what was sent and not received.
	alive = keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 3 * time.Second}
)

const (
	watchEvery = 250 * time.Millisecond // how often it is looked whether anybody answers
	doubtAfter = time.Second            // without an answer, all alphas are asked whether they are there
	probeFor   = 2 * time.Second        // so long they have to say so
)

// probeQuery needs all that a read needs: an alpha, and a zero that gives a timestamp.
const probeQuery = `{ q(func: has(tenant.name), first: 1) { uid } }`

// pulse knows whether anybody answers. It is safe for concurrent use.
type pulse struct {
	mu    sync.Mutex
	under int       // requests under way
	since time.Time // since when nothing was answered though it was asked; zero: all that was asked was answered
	reach context.Context
	lose  context.CancelFunc // ends reach
}

func (p *pulse) init() { p.reach, p.lose = context.WithCancel(context.Background()) }

// asked takes note of a request that is sent.
func (p *pulse) asked(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.under++
	if p.since.IsZero() {
		p.since = now
	}
}

// ended takes note of what became of a request. It reports whether that ended an absence.
func (p *pulse) ended(now time.Time, answered bool) (back bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.under--
	if !answered {
		return false
	}
	if p.since = now; p.under == 0 {
		p.since = time.Time{}
	}
	if back = p.reach.Err() != nil; back {
		p.reach, p.lose = context.WithCancel(context.Background())
	}
	return back
}

// silent is for how long nothing was answered though it was asked.
func (p *pulse) silent(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return 0
	}
	return now.Sub(p.since)
}

// lost ends the reach. It reports whether that is news.
func (p *pulse) lost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	news := p.reach.Err() == nil
	p.lose()
	return news
}

// within is a context that ends while nobody answers.
func (p *pulse) within() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reach
}

// Alive returns a context that is done once no alpha has answered anything for Options.Away.
// After one answers again, Alive returns a new context.
func (s *Store) Alive() context.Context { return s.pulse.within() }

// hurried is the reach for who has a deadline; who has none waits as long as the store's
// patience lasts.
func (s *Store) hurried(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		return s.Alive()
	}
	return context.Background()
}

// errAway is what is answered at once while nobody answers.
func errAway() error { return fmt.Errorf("%w: no alpha of Dgraph answers", graph.ErrUnavailable) }

// watch says that the store is away where nobody has answered for long enough, and asks
// until somebody does.
func (s *Store) watch() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var probes sync.WaitGroup
	defer probes.Wait()
	free := make(chan struct{}, 1)
	for {
		select {
		case <-s.background.Done():
			return
		case <-ticker.C:
		}
		silent := s.pulse.silent(time.Now())
		if silent >= s.opts.Away && s.pulse.lost() {
			s.opts.Logger.Error("[CIRCUIT BREAKER] Dgraph does not answer; what needs it fails until it does", "silent", silent.Round(time.Millisecond))
		}
		if silent < doubtAfter {
			continue
		}
		select {
		case free <- struct{}{}:
			probes.Go(func() { s.probe(); <-free })
		default: // they are being asked
		}
	}
}

// probe asks every alpha at once whether it is there; those that are count as no longer
// silent.
func (s *Store) probe() {
	ctx, cancel := context.WithTimeout(s.background, probeFor)
	defer cancel()
	var all sync.WaitGroup
	for _, m := range s.members {
		all.Go(func() {
			_ = s.at(ctx, m, func(ctx context.Context) error { // what it says is taken note of
				_, err := m.dg.NewReadOnlyTxn().Query(ctx, probeQuery)
				return err
			})
		})
	}
	all.Wait()
}
