package peers

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/somnograph/somnograph/graph"
)

// One server of a store at a time holds the write lease of a tenant. A server requests it
// before a write, and hands it over between two writes to the server that asked for it. A
// server that dies loses it after leaseTTL. The lease is not a lock: if two servers believe
// that they hold it, the store detects their conflict and they lose time. ADR 31.
const (
	leaseTTL           = time.Second            // how long a server holds it without a renewal
	maxHoldWhileWanted = 150 * time.Millisecond // how long a server that keeps writing holds it while another one waits
	leaseRetryEvery    = 50 * time.Millisecond  // how often a waiting server asks again: messages may be lost
	leaseWait          = 2 * time.Second        // how long a write waits for it before it continues without
)

// acquireScript takes the lease KEYS[1] for the server ARGV[1] if it is free or already that
// server's. Otherwise it publishes in the channel ARGV[3] that the server wants the lease of
// the tenant ARGV[4] from its holder.
var acquireScript = redis.NewScript(`
local has = redis.call('get', KEYS[1])
if not has or has == ARGV[1] then
	redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
	return 1
end
redis.call('publish', ARGV[3], 'want ' .. ARGV[1] .. ' ' .. has .. ' ' .. ARGV[4])
return 0`)

// handOverScript passes the lease KEYS[1] from the server ARGV[1] to the server ARGV[3], and publishes ARGV[5].
var handOverScript = redis.NewScript(`
if redis.call('get', KEYS[1]) == ARGV[1] then
	redis.call('set', KEYS[1], ARGV[3], 'px', ARGV[2])
	redis.call('publish', ARGV[4], ARGV[5])
end
return 0`)

// WriteLeases are the write leases of tenants as this server knows them.
type WriteLeases struct {
	peers        *Peers
	now          func() time.Time
	ttl, maxWait time.Duration // leaseTTL and leaseWait, except in tests

	mu     sync.Mutex
	leases map[graph.Tenant]*writeLease
}

// writeLease is the lease of one tenant.
type writeLease struct {
	held      bool
	heldSince time.Time     // when this server got it
	heldUntil time.Time     // when it expires, unless it is renewed
	writers   int           // writes under way with it
	acquiring int           // calls of Acquire that have not returned
	wantedBy  string        // the server that asked for it; "": none
	pending   bool          // a request or a hand-over is under way
	changed   chan struct{} // closed when any of this changes
}

// WriteLeases returns the write leases of this server. now is a clock for durations. Call it
// once, before anything is written.
func (p *Peers) WriteLeases(now func() time.Time) *WriteLeases {
	leases := &WriteLeases{peers: p, now: now, ttl: leaseTTL, maxWait: leaseWait, leases: map[graph.Tenant]*writeLease{}}
	p.done.Go(func() { p.subscribe(p.ctx, leases.channel(), leases.onMessage) })
	return leases
}

// The names in Redis are part of the protocol between servers of different versions.

func (w *WriteLeases) channel() string { return w.peers.prefix + ":pens" }
func (w *WriteLeases) key(tenant graph.Tenant) []string {
	return []string{w.peers.prefix + ":pen:" + string(tenant)}
}

// onMessage handles a message: "want", the asking server, the holder, the tenant; or "given",
// the previous holder, the new holder, the tenant.
func (w *WriteLeases) onMessage(text string) {
	words := strings.SplitN(text, " ", 4)
	if len(words) != 4 {
		return
	}
	kind, sender, holder, tenant := words[0], words[1], words[2], graph.Tenant(words[3])
	w.mu.Lock()
	defer w.mu.Unlock()
	lease := w.leases[tenant]
	switch {
	case lease == nil || sender == w.peers.name:
	case kind == "given" && holder == w.peers.name:
		lease.notify()
	case kind == "want" && lease.held:
		lease.wantedBy = sender
		w.handOverIfWanted(tenant, lease)
	case kind == "want" && holder == w.peers.name && lease.acquiring == 0 && !lease.pending: // it was handed over to this server, which no longer wants it
		w.handOver(tenant, lease, sender)
	}
}

// notify wakes the waiting calls; w.mu is held.
func (l *writeLease) notify() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Acquire waits until this server holds the lease of the tenant, and returns the function that
// releases it. It calls acquired first if another server may have written since this server
// last held the lease. If Redis is unavailable or the lease does not come in time, the write
// continues without it.
func (w *WriteLeases) Acquire(ctx context.Context, tenant graph.Tenant, acquired func()) (release func()) {
	began := w.now()
	w.mu.Lock()
	lease := w.leases[tenant]
	if lease == nil {
		lease = &writeLease{changed: make(chan struct{})}
		w.leases[tenant] = lease
	}
	lease.acquiring++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		lease.acquiring--
		w.mu.Unlock()
	}()
	for w.now().Sub(began) < w.maxWait && ctx.Err() == nil && !w.peers.unavailable.Load() {
		w.mu.Lock()
		now := w.now()
		changed, ask := (<-chan struct{})(lease.changed), false
		switch {
		case lease.pending:
		case lease.held && now.Before(lease.heldUntil) && (lease.wantedBy == "" || now.Sub(lease.heldSince) < maxHoldWhileWanted):
			if ask = lease.wantedBy == "" && lease.heldUntil.Sub(now) < w.ttl/2; !ask {
				lease.writers++
				w.mu.Unlock()
				return func() { w.release(tenant, lease) }
			}
		default: // not or no longer this server's, or another server waits for it
			ask = !lease.held || lease.wantedBy == ""
		}
		if !ask {
			w.mu.Unlock()
			waitForChange(ctx, changed)
			continue
		}
		lease.pending = true
		w.mu.Unlock()
		if changed := w.request(ctx, tenant, lease, acquired); changed != nil {
			waitForChange(ctx, changed)
		}
	}
	return func() {}
}

// waitForChange returns when changed is closed, or when it is time to ask again.
func waitForChange(ctx context.Context, changed <-chan struct{}) {
	timer := time.NewTimer(leaseRetryEvery)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}

// request asks for the lease, which is pending meanwhile. If another server holds it, request
// returns a channel that is closed when that changes.
func (w *WriteLeases) request(ctx context.Context, tenant graph.Tenant, lease *writeLease, acquired func()) (changed <-chan struct{}) {
	began := w.now()
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.peers.callTimeout)
	granted, err := acquireScript.Run(within, w.peers.client, w.key(tenant), w.peers.name, w.ttl.Milliseconds(), w.channel(), string(tenant)).Int()
	cancel()
	held := w.peers.noteOutcome(ctx, err) == nil && granted == 1
	w.mu.Lock()
	newlyHeld := held && (!lease.held || !began.Before(lease.heldUntil))
	w.mu.Unlock()
	if newlyHeld {
		acquired() // before any write begins with the lease
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if held {
		lease.heldUntil = began.Add(w.ttl)
	}
	if newlyHeld {
		lease.heldSince, lease.wantedBy = w.now(), ""
	}
	lease.held, lease.pending = held, false
	lease.notify()
	if !held {
		changed = lease.changed
	}
	return changed
}

// release ends a write with the lease.
func (w *WriteLeases) release(tenant graph.Tenant, lease *writeLease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lease.writers--
	w.handOverIfWanted(tenant, lease)
}

// handOverIfWanted hands the lease over if another server wants it and no write here uses it;
// w.mu is held.
func (w *WriteLeases) handOverIfWanted(tenant graph.Tenant, lease *writeLease) {
	if lease.writers > 0 || lease.wantedBy == "" || lease.pending || !lease.held {
		return
	}
	w.handOver(tenant, lease, lease.wantedBy)
}

// handOver passes the lease to another server; w.mu is held.
func (w *WriteLeases) handOver(tenant graph.Tenant, lease *writeLease, to string) {
	lease.held, lease.wantedBy, lease.pending = false, "", true
	w.peers.done.Go(func() {
		within, cancel := context.WithTimeout(context.Background(), w.peers.callTimeout)
		defer cancel()
		err := handOverScript.Run(within, w.peers.client, w.key(tenant), w.peers.name, w.ttl.Milliseconds(), to, w.channel(), "given "+w.peers.name+" "+to+" "+string(tenant)).Err()
		_ = w.peers.noteOutcome(within, err) // the waiting server asks again
		w.mu.Lock()
		defer w.mu.Unlock()
		lease.pending = false
		lease.notify()
	})
}
