package peers

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/somnograph/somnograph/graph"
)

// Of the servers of a store one at a time has the pen of a tenant. It is asked for before
// a write and given away between two, to who asked for it; who dies with it loses it
// behind penFor. Nothing rests on it: two servers that both think they have it are told
// apart by the store, and lose time. ADR 31.
const (
	penFor   = time.Second            // how long it is a server's own without being asked for again
	penKept  = 150 * time.Millisecond // how long a server that writes on and on keeps it while another waits
	penAgain = 50 * time.Millisecond  // how often who waits asks: messages may be lost
	penWait  = 2 * time.Second        // how long a write waits for it before it goes without
)

// penAsk takes the pen of KEYS[1] for the server ARGV[1] where nobody has it, or where it
// was given to this one; else it tells who has it, through the channel ARGV[3], that this
// one wants that of the tenant ARGV[4].
var penAsk = redis.NewScript(`
local has = redis.call('get', KEYS[1])
if not has or has == ARGV[1] then
	redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
	return 1
end
redis.call('publish', ARGV[3], 'want ' .. ARGV[1] .. ' ' .. has .. ' ' .. ARGV[4])
return 0`)

// penGive gives the pen of KEYS[1] from the server ARGV[1] to the server ARGV[3], and tells.
var penGive = redis.NewScript(`
if redis.call('get', KEYS[1]) == ARGV[1] then
	redis.call('set', KEYS[1], ARGV[3], 'px', ARGV[2])
	redis.call('publish', ARGV[4], ARGV[5])
end
return 0`)

// Pens are the pens of tenants as this server knows them.
type Pens struct {
	p          *Peers
	now        func() time.Time
	held, wait time.Duration // penFor and penWait, but for tests

	mu  sync.Mutex
	all map[graph.Tenant]*pen
}

// pen is that of one tenant.
type pen struct {
	mine    bool
	since   time.Time     // it is
	until   time.Time     // it is, unless it is asked for again
	users   int           // writes under way with it
	takers  int           // calls of Take that have not returned
	wanted  string        // who asked for it; "": nobody
	busy    bool          // it is being asked for, or given away
	changed chan struct{} // closed when any of this changes
}

// Pens lets servers write a tenant one behind the other. now is a clock for durations. It
// is called once, before anything is written.
func (p *Peers) Pens(now func() time.Time) *Pens {
	x := &Pens{p: p, now: now, held: penFor, wait: penWait, all: map[graph.Tenant]*pen{}}
	p.done.Go(func() { p.hear(p.ctx, x.channel(), x.told) })
	return x
}

func (x *Pens) channel() string             { return x.p.prefix + ":pens" }
func (x *Pens) key(t graph.Tenant) []string { return []string{x.p.prefix + ":pen:" + string(t)} }

// told heeds a message: "want", a server, who has the pen, the tenant; or "given", who gave it,
// who has it now, the tenant.
func (x *Pens) told(text string) {
	words := strings.SplitN(text, " ", 4)
	if len(words) != 4 {
		return
	}
	word, by, has, t := words[0], words[1], words[2], graph.Tenant(words[3])
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.all[t]
	switch {
	case n == nil || by == x.p.me:
	case word == "given" && has == x.p.me:
		n.change()
	case word == "want" && n.mine:
		n.wanted = by
		x.yield(t, n)
	case word == "want" && has == x.p.me && n.takers == 0 && !n.busy: // it was given to who wanted it no longer
		x.give(t, n, by)
	}
}

// change wakes who waits; x.mu is held.
func (n *pen) change() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// Take waits until this server has the pen of the tenant, and answers what gives it back:
// behind that others may have it. taken is called where another may have written since
// this server had it last. Where Redis is away, or the pen does not come in time, the
// write goes without.
func (x *Pens) Take(ctx context.Context, t graph.Tenant, taken func()) (back func()) {
	began := x.now()
	x.mu.Lock()
	n := x.all[t]
	if n == nil {
		n = &pen{changed: make(chan struct{})}
		x.all[t] = n
	}
	n.takers++
	x.mu.Unlock()
	defer func() {
		x.mu.Lock()
		n.takers--
		x.mu.Unlock()
	}()
	for x.now().Sub(began) < x.wait && ctx.Err() == nil && !x.p.away.Load() {
		x.mu.Lock()
		now := x.now()
		changed, ask := (<-chan struct{})(n.changed), false
		switch {
		case n.busy:
		case n.mine && now.Before(n.until) && (n.wanted == "" || now.Sub(n.since) < penKept):
			if ask = n.wanted == "" && n.until.Sub(now) < x.held/2; !ask {
				n.users++
				x.mu.Unlock()
				return func() { x.back(t, n) }
			}
		default: // not this server's, or no longer; or another waits for it
			ask = !n.mine || n.wanted == ""
		}
		if !ask {
			x.mu.Unlock()
			wait(ctx, changed)
			continue
		}
		n.busy = true
		x.mu.Unlock()
		if changed := x.ask(ctx, t, n, taken); changed != nil {
			wait(ctx, changed)
		}
	}
	return func() {}
}

// wait returns when changed is closed, or when it is time to ask again.
func wait(ctx context.Context, changed <-chan struct{}) {
	timer := time.NewTimer(penAgain)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}

// ask asks for the pen, which is busy meanwhile. Where it is another's it answers what is
// closed when that changes.
func (x *Pens) ask(ctx context.Context, t graph.Tenant, n *pen, taken func()) (changed <-chan struct{}) {
	asked := x.now()
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), x.p.patience)
	got, err := penAsk.Run(within, x.p.client, x.key(t), x.p.me, x.held.Milliseconds(), x.channel(), string(t)).Int()
	cancel()
	mine := x.p.note(ctx, err) == nil && got == 1
	x.mu.Lock()
	anew := mine && (!n.mine || !asked.Before(n.until))
	x.mu.Unlock()
	if anew {
		taken() // before any write begins with it
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if mine {
		n.until = asked.Add(x.held)
	}
	if anew {
		n.since, n.wanted = x.now(), ""
	}
	n.mine, n.busy = mine, false
	n.change()
	if !mine {
		changed = n.changed
	}
	return changed
}

// back ends a write with the pen.
func (x *Pens) back(t graph.Tenant, n *pen) {
	x.mu.Lock()
	defer x.mu.Unlock()
	n.users--
	x.yield(t, n)
}

// yield gives the pen away where it is wanted and nobody here writes with it; x.mu is held.
func (x *Pens) yield(t graph.Tenant, n *pen) {
	if n.users > 0 || n.wanted == "" || n.busy || !n.mine {
		return
	}
	x.give(t, n, n.wanted)
}

// give gives the pen to another server, if it is this one's; x.mu is held.
func (x *Pens) give(t graph.Tenant, n *pen, to string) {
	n.mine, n.wanted, n.busy = false, "", true
	x.p.done.Go(func() {
		within, cancel := context.WithTimeout(context.Background(), x.p.patience)
		defer cancel()
		err := penGive.Run(within, x.p.client, x.key(t), x.p.me, x.held.Milliseconds(), to, x.channel(), "given "+x.p.me+" "+to+" "+string(t)).Err()
		_ = x.p.note(within, err) // who waits asks again
		x.mu.Lock()
		defer x.mu.Unlock()
		n.busy = false
		n.change()
	})
}
