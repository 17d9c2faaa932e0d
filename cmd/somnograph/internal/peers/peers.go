// Package peers connects the servers of one store through Redis: a commit notifies the other
// servers, so that they read the feed at once, and all of them share one rate limit per tenant.
//
// Redis holds nothing that correctness depends on. The feed and the leases of sleeps are in
// the store. The next poll makes up for a lost notification, and each server applies a rate
// limit by itself if it can't ask Redis. Redis may be killed, emptied and restarted at any
// time: servers then learn of each other's commits later. ADR 31.
package peers

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/somnograph/somnograph/graph"
)

// callTimeout limits one call to Redis: every caller can continue without it.
const callTimeout = 500 * time.Millisecond

// retryAfter is how long optional calls are skipped after Redis did not answer: with a Redis
// that is silent, each request would otherwise wait for callTimeout.
const retryAfter = time.Second

// Options say where Redis is. Addr and Now are required.
type Options struct {
	Addr     string      // host:port
	User     string      // empty: the default user
	Password string      // empty: none
	TLS      *tls.Config // nil: the connection is not encrypted
	Prefix   string      // of every name in Redis: the same for all servers of a store
	Logger   *slog.Logger
	Now      func() time.Time // the machine's clock
}

// Peers is this server's connection to the others. Open makes one.
type Peers struct {
	client *redis.Client
	name   string // of this server among the others
	prefix string
	log    *slog.Logger
	now    func() time.Time

	mu        sync.Mutex
	committed map[graph.Tenant]bool // tenants to announce
	wake      chan struct{}

	callTimeout time.Duration // limits one call
	unavailable atomic.Bool   // the last call failed
	skipUntil   atomic.Int64  // until when optional calls are skipped, nanoseconds since 1970
	ctx         context.Context
	end         context.CancelFunc
	done        sync.WaitGroup
}

// Open makes the connection. It does not fail if Redis is unavailable: Redis is asked again.
func Open(o Options) *Peers { return open(o, callTimeout) }

func open(o Options, timeout time.Duration) *Peers {
	redis.SetLogger(discardLogger{})
	ctx, end := context.WithCancel(context.Background())
	p := &Peers{
		client: redis.NewClient(&redis.Options{
			Addr: o.Addr, Username: o.User, Password: o.Password, TLSConfig: o.TLS, DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout,
			DialerRetries: 1, MaxRetries: 1, DisableIdentity: true,
		}),
		name: rand.Text(), prefix: o.Prefix, log: o.Logger, now: o.Now, committed: map[graph.Tenant]bool{}, wake: make(chan struct{}, 1), callTimeout: timeout, ctx: ctx, end: end,
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.done.Go(func() { p.publish(ctx) })
	return p
}

// channel is the channel of commit notifications.
func (p *Peers) channel() string { return p.prefix + ":commits" }

// Listen calls onCommit when another server has committed something to a tenant, until Close.
// onCommit must not block.
func (p *Peers) Listen(onCommit func(graph.Tenant)) {
	p.done.Go(func() { p.listen(p.ctx, onCommit) })
}

// discardLogger drops what the Redis client would write to the standard error at every failed
// attempt to connect.
type discardLogger struct{}

// Printf drops a line.
func (discardLogger) Printf(context.Context, string, ...any) {}

// Close closes the connection.
func (p *Peers) Close() error {
	p.end()
	p.done.Wait()
	return p.client.Close()
}

// Announce notifies the other servers of a commit to a tenant. It does not block, and joins
// waiting notifications about one tenant.
func (p *Peers) Announce(t graph.Tenant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.committed[t] = true
	select {
	case p.wake <- struct{}{}:
	default: // a notification is about to be sent
	}
}

// publish sends notifications until ctx ends. It drops those that can't be sent: the other
// servers poll as well.
func (p *Peers) publish(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		}
		p.mu.Lock()
		committed := p.committed
		p.committed = map[graph.Tenant]bool{}
		p.mu.Unlock()
		for t := range committed {
			if err := p.client.Publish(ctx, p.channel(), string(t)+" "+p.name).Err(); p.noteOutcome(ctx, err) != nil {
				break
			}
		}
	}
}

// listen passes on the tenants that other servers commit to.
func (p *Peers) listen(ctx context.Context, onCommit func(graph.Tenant)) {
	p.subscribe(ctx, p.channel(), func(text string) {
		name, who, _ := strings.Cut(text, " ")
		if t := graph.Tenant(name); who != p.name && (graph.Scope{Tenant: t}).Validate() == nil {
			onCommit(t)
		}
	})
}

// subscribe passes on the messages of a channel until ctx ends. The client subscribes again by
// itself after a lost connection.
func (p *Peers) subscribe(ctx context.Context, channel string, onMessage func(string)) {
	subscription := p.client.Subscribe(ctx, channel)
	defer func() { _ = subscription.Close() }() // nothing is lost
	received := subscription.Channel(redis.WithChannelHealthCheckInterval(time.Second))
	for {
		select {
		case <-ctx.Done():
			return
		case m, more := <-received:
			if !more {
				return
			}
			onMessage(m.Payload)
		}
	}
}

// Ready returns nil if Redis answers.
func (p *Peers) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.callTimeout)
	defer cancel()
	return p.noteOutcome(ctx, p.client.Ping(ctx).Err())
}

// noteOutcome logs when Redis becomes unavailable and available, and wraps the error.
func (p *Peers) noteOutcome(ctx context.Context, err error) error {
	switch {
	case err != nil && ctx.Err() == context.Canceled: // the caller has gone
	case err != nil && !p.unavailable.Swap(true):
		p.log.Warn("[CIRCUIT BREAKER] Redis does not answer; servers poll for each other's commits, and each applies rate limits by itself", "error", err)
	case err == nil && p.unavailable.Swap(false):
		p.log.Info("[CIRCUIT BREAKER] Redis is back")
	}
	if err != nil {
		if ctx.Err() != context.Canceled {
			p.skipUntil.Store(p.now().Add(retryAfter).UnixNano())
		}
		return fmt.Errorf("redis: %w", err)
	}
	p.skipUntil.Store(0)
	return nil
}

// skipOptional reports whether Redis has failed to answer lately.
func (p *Peers) skipOptional() bool { return p.skipUntil.Load() > p.now().UnixNano() }
