// Package peers lets the servers of one store know of each other through Redis: who
// commits rings a bell, so that the others look at once what is new, and all of them spend
// from one budget a tenant.
//
// Nothing that must be true is in Redis. The feed and the leases are in the store; a bell
// that nobody hears is made up for by the next look, and a budget that can't be asked for
// is kept by each server alone. So Redis may be killed, emptied and started again at any
// time: that makes servers slower to hear of each other, never wrong. ADR 31.
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

// patience bounds one call of Redis: whoever waits has a way to go on without it.
const patience = 500 * time.Millisecond

// pauses is how long a Redis that did not answer is not asked for what can be had without it:
// one that is silent and not gone would cost each request its patience.
const pauses = time.Second

// Options say where Redis is. Addr is required.
type Options struct {
	Addr     string      // host:port
	User     string      // empty: the default one
	Password string      // empty: none
	TLS      *tls.Config // nil: the connection is not encrypted
	Prefix   string      // before every name in Redis: servers of one store have the same
	Logger   *slog.Logger
}

// Peers is this server's line to the others. Open makes one.
type Peers struct {
	client *redis.Client
	me     string // this server's name among the others
	prefix string
	log    *slog.Logger

	mu   sync.Mutex
	rung map[graph.Tenant]bool // that committed since the last message
	ring chan struct{}

	patience time.Duration // bounds one call
	away     atomic.Bool   // the last call failed
	rest     atomic.Int64  // until when it is not asked for what can be had without, nanoseconds since 1970
	ctx      context.Context
	end      context.CancelFunc
	done     sync.WaitGroup
}

// Open makes the line. A Redis that is away is no error: it is asked again.
func Open(o Options) *Peers { return open(o, patience) }

func open(o Options, patience time.Duration) *Peers {
	redis.SetLogger(silence{})
	ctx, end := context.WithCancel(context.Background())
	p := &Peers{
		client: redis.NewClient(&redis.Options{
			Addr: o.Addr, Username: o.User, Password: o.Password, TLSConfig: o.TLS, DialTimeout: patience, ReadTimeout: patience, WriteTimeout: patience,
			DialerRetries: 1, MaxRetries: 1, DisableIdentity: true,
		}),
		me: rand.Text(), prefix: o.Prefix, log: o.Logger, rung: map[graph.Tenant]bool{}, ring: make(chan struct{}, 1), patience: patience, ctx: ctx, end: end,
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.done.Go(func() { p.tell(ctx) })
	return p
}

// channel is where the bell rings.
func (p *Peers) channel() string { return p.prefix + ":commits" }

// Listen lets heard be told that another server has committed something to a tenant, until
// Close. It must not wait.
func (p *Peers) Listen(heard func(graph.Tenant)) {
	p.done.Go(func() { p.listen(p.ctx, heard) })
}

// silence takes what the client would write to the standard error, past our log, at every
// attempt to reach a Redis that is away.
type silence struct{}

// Printf drops a line.
func (silence) Printf(context.Context, string, ...any) {}

// Close ends the line.
func (p *Peers) Close() error {
	p.end()
	p.done.Wait()
	return p.client.Close()
}

// Committed tells the other servers that something was committed to a tenant. It never
// waits: messages about one tenant that wait become one.
func (p *Peers) Committed(t graph.Tenant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rung[t] = true
	select {
	case p.ring <- struct{}{}:
	default: // the bell is about to ring
	}
}

// tell sends on what was committed until ctx ends. What can't be sent is dropped: the
// others look by themselves.
func (p *Peers) tell(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.ring:
		}
		p.mu.Lock()
		rung := p.rung
		p.rung = map[graph.Tenant]bool{}
		p.mu.Unlock()
		for t := range rung {
			if err := p.client.Publish(ctx, p.channel(), string(t)+" "+p.me).Err(); p.note(ctx, err) != nil {
				break
			}
		}
	}
}

// listen hands on the tenants that servers commit to.
func (p *Peers) listen(ctx context.Context, heard func(graph.Tenant)) {
	p.hear(ctx, p.channel(), func(text string) {
		name, who, _ := strings.Cut(text, " ")
		if t := graph.Tenant(name); who != p.me && (graph.Scope{Tenant: t}).Validate() == nil {
			heard(t)
		}
	})
}

// hear hands on what is said in a channel until ctx ends. The client subscribes again by
// itself where the connection was lost.
func (p *Peers) hear(ctx context.Context, channel string, heard func(string)) {
	messages := p.client.Subscribe(ctx, channel)
	defer func() { _ = messages.Close() }() // nothing is lost with it
	said := messages.Channel(redis.WithChannelHealthCheckInterval(time.Second))
	for {
		select {
		case <-ctx.Done():
			return
		case m, more := <-said:
			if !more {
				return
			}
			heard(m.Payload)
		}
	}
}

// Ready answers nil where Redis does.
func (p *Peers) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.note(ctx, p.client.Ping(ctx).Err())
}

// note logs when Redis goes and when it is back, and answers the error.
func (p *Peers) note(ctx context.Context, err error) error {
	switch {
	case err != nil && ctx.Err() == context.Canceled: // who asked has gone
	case err != nil && !p.away.Swap(true):
		p.log.Warn("[CIRCUIT BREAKER] Redis does not answer; servers hear of each other by looking, and each keeps its own budgets", "error", err)
	case err == nil && p.away.Swap(false):
		p.log.Info("[CIRCUIT BREAKER] Redis is back")
	}
	if err != nil {
		if ctx.Err() != context.Canceled {
			p.rest.Store(time.Now().Add(pauses).UnixNano())
		}
		return fmt.Errorf("redis: %w", err)
	}
	p.rest.Store(0)
	return nil
}

// resting reports whether Redis has just not answered.
func (p *Peers) resting() bool { return p.rest.Load() > time.Now().UnixNano() }
