package dgraphstore

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	remembered = 1024        // of how many commits of a tenant a ledger keeps the marks
	recalled   = 4096        // of how many changes it keeps what they are
	standsFor  = time.Second // how long a tenant is taken to stand where this process left it
	others     = time.Second // how long it is not, once another process committed
)

// ledgers holds a ledger a tenant.
type ledgers struct {
	mu  sync.Mutex
	all map[graph.Tenant]*ledger
}

func (l *ledgers) init() { l.all = map[graph.Tenant]*ledger{} }

func (l *ledgers) of(t graph.Tenant) *ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	led := l.all[t]
	if led == nil {
		led = &ledger{turn: make(chan struct{}, 1), wrote: map[uint64][]mark{}}
		l.all[t] = led
	}
	return led
}

// ledger knows the latest commits of a tenant. One request of this process at a time has
// its turn with it: two that were sent at once would only abort each other.
type ledger struct {
	turn  chan struct{}
	head  head
	fresh bool              // head was true when this process last heard of it
	wrote map[uint64][]mark // by number of the commit

	mu      sync.Mutex // guards what follows
	waiting []*waiter
	stand   standing
	foreign time.Time // when another process was last seen to commit
	recent  []commitChanges
	changes int    // in recent
	asked   uint64 // number of the commit at which the tenant stood when it was last asked
}

// waiter is a draft that waits for its place.
type waiter struct {
	base   head // what its snapshot shows at least
	draft  *draft
	cursor graph.Cursor
	err    error
	done   chan struct{} // closed when cursor and err are there
}

// standing is where a tenant stands behind a commit of this process.
type standing struct {
	head  head
	at    uint64 // timestamp of Dgraph's at which a snapshot shows it; 0: not known
	since time.Time
}

// commitChanges are the changes of a commit.
type commitChanges struct {
	number  uint64
	changes []graph.Change
}

// enqueue lets a draft wait.
func (l *ledger) enqueue(p *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, p)
}

// withdraw takes a draft back and reports whether it was still waiting.
func (l *ledger) withdraw(p *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.Index(l.waiting, p)
	if at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
	}
	return at >= 0
}

// dequeue takes the drafts that fit into one request: the first, and as many behind it as
// together stay within the bounds of one transaction.
func (l *ledger) dequeue() []*waiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, items, bytes := 0, 0, 0
	for _, p := range l.waiting {
		items, bytes = items+p.draft.items, bytes+p.draft.bytes
		if n > 0 && (items > maxItems || bytes > maxBytes) {
			break
		}
		n++
	}
	group := slices.Clone(l.waiting[:n])
	l.waiting = slices.Delete(l.waiting, 0, n)
	return group
}

// stands takes note of where this process left the tenant.
func (l *ledger) stands(at standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stand = at
}

// overtaken takes note of a commit of another process.
func (l *ledger) overtaken(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stand, l.foreign = standing{}, now
}

// caughtUp takes note of where others left the tenant, who leave it to this process now.
func (l *ledger) caughtUp(at standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stand, l.foreign = at, time.Time{}
}

// assumed answers where the tenant stands as far as this process knows, unless it heard of
// others or nothing was committed for a while.
func (l *ledger) assumed(now time.Time) (standing, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	age := now.Sub(l.stand.since)
	return l.stand, l.stand.at != 0 && age >= 0 && age < standsFor && now.Sub(l.foreign) >= others
}

// remember keeps the changes of a commit of this process. None are known where another's
// stand before it.
func (l *ledger) remember(n uint64, changes []graph.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.recent) > 0 && l.recent[len(l.recent)-1].number >= n {
		return // it was read before its answer came
	}
	l.keep(commitChanges{n, changes})
}

// keep keeps the changes of a commit; l.mu is held.
func (l *ledger) keep(c commitChanges) {
	if len(l.recent) > 0 && l.recent[len(l.recent)-1].number+1 != c.number {
		l.recent, l.changes = nil, 0
	}
	l.recent = append(l.recent, c)
	for l.changes += len(c.changes); l.changes > recalled && len(l.recent) > 1; {
		l.changes -= len(l.recent[0].changes)
		l.recent = slices.Delete(l.recent, 0, 1)
	}
}

// unheard is the number of the first commit whose changes are not known; 0 where there is
// nothing yet to go on from.
func (l *ledger) unheard() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.recent) > 0 {
		return l.recent[len(l.recent)-1].number + 1
	}
	return l.asked
}

// heard takes note of commits that were read, in order, up to the last of a tenant. Where
// there are more than were read, what was known before them is of no use.
func (l *ledger) heard(last uint64, fresh []commitChanges) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = max(l.asked, last)
	for _, c := range fresh {
		if len(l.recent) == 0 || c.number > l.recent[len(l.recent)-1].number {
			l.keep(c)
		}
	}
	if len(l.recent) > 0 && l.recent[len(l.recent)-1].number < last {
		l.recent, l.changes = nil, 0
	}
}

// forget lets the next commit be the first whose changes are known.
func (l *ledger) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recent, l.changes = nil, 0
}

// behind answers changes behind a cursor that this process made itself, at most limit, as
// far as it knows all that lie between. It answers none where it does not know.
func (l *ledger) behind(after graph.Cursor, limit int) (found []graph.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := uint64(after) >> placeBits // what of it comes behind the cursor must be known too
	if len(l.recent) == 0 || from < l.recent[0].number {
		return nil
	}
	for _, c := range l.recent[min(uint64(len(l.recent)), from-l.recent[0].number):] {
		for _, change := range c.changes {
			if change.Cursor > after && len(found) < limit {
				found = append(found, change)
			}
		}
	}
	return found
}

// add keeps the marks of a commit of this process, or of one that was read.
func (l *ledger) add(n uint64, wrote []mark) {
	l.wrote[n] = wrote
	if len(l.wrote) <= 2*remembered {
		return
	}
	for k := range l.wrote {
		if k+remembered < n {
			delete(l.wrote, k)
		}
	}
}

// lost reports whether a commit behind base, up to head, wrote what is in reads.
func (s *Store) lost(ctx context.Context, l *ledger, ks keyspace, base, head uint64, reads map[mark]struct{}) (bool, error) {
	for n := base + 1; n <= head; n++ {
		wrote, ok := l.wrote[n]
		if !ok {
			if err := s.recall(ctx, l, ks, n, min(head, n+chunk-1)); err != nil {
				return false, err
			}
			if wrote, ok = l.wrote[n]; !ok {
				return false, broken(ks.commit(n), "a commit is missing")
			}
		}
		for _, m := range wrote {
			if _, ok := reads[m]; ok {
				return true, nil
			}
		}
	}
	return false, nil
}

// recall reads the marks of commits that this process did not make or has forgotten.
func (s *Store) recall(ctx context.Context, l *ledger, ks keyspace, from, to uint64) error {
	cs, err := s.snapshot().commits(ctx, ks, from, to)
	for _, c := range cs {
		marks, err := unmarks(ks.commit(c.number), c.Wrote)
		if err != nil {
			return err
		}
		l.add(c.number, marks)
	}
	return err
}

// marks is the text of what a commit wrote.
func marks(wrote map[mark]struct{}) (string, []mark) {
	list := make([]mark, 0, len(wrote))
	b := make([]byte, 0, 8*len(wrote))
	for m := range wrote {
		list = append(list, m)
		b = binary.BigEndian.AppendUint64(b, uint64(m))
	}
	return base64.StdEncoding.EncodeToString(b), list
}

func unmarks(key, text string) ([]mark, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil, broken(key, "not a list of marks")
	}
	list := make([]mark, 0, len(b)/8)
	for ; len(b) > 0; b = b[8:] {
		list = append(list, mark(binary.BigEndian.Uint64(b)))
	}
	return list, nil
}
