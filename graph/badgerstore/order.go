package badgerstore

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// errConflict says that a transaction lost against another one.
var errConflict = errors.New("badgerstore: conflict")

// order knows the commits: the last one, which snapshots are open, and who wrote what
// since the oldest of them began.
type order struct {
	mu       sync.Mutex
	last     link
	recorded map[graph.Tenant]wire.Stamp // latest recorded instant of each known tenant
	views    snapshots
	updates  snapshots
	writers  map[uint64]uint64 // hash of a key → number of the latest commit that wrote it
	written  []commitKeys      // the same by commit, oldest first
	queue    []*waiting
	wake     chan struct{}
}

// snapshots counts how many are open at each commit.
type snapshots map[uint64]int

// oldest is the lowest commit that one is open at, or that bound.
func (s snapshots) oldest(bound uint64) uint64 {
	for n := range s {
		bound = min(bound, n)
	}
	return bound
}

// commitKeys is what one commit wrote.
type commitKeys struct {
	number uint64
	keys   []uint64
}

func newOrder() *order {
	return &order{
		recorded: map[graph.Tenant]wire.Stamp{}, views: snapshots{}, updates: snapshots{},
		writers: map[uint64]uint64{}, wake: make(chan struct{}, 1),
	}
}

// load takes up where the last commit stood.
func (o *order) load(db *badger.DB, last link) error {
	o.last = last
	db.SetDiscardTs(last.Commit)
	tenants, err := tenantsOf(db, last.Commit)
	if err != nil {
		return err
	}
	txn := db.NewTransactionAt(last.Commit, false)
	defer txn.Discard()
	for _, t := range tenants {
		if o.recorded[t], err = recorded(rows{txn: txn, ks: newKeyspace(t)}); err != nil {
			return err
		}
	}
	return nil
}

// recorded reads the latest recorded instant of a tenant.
func recorded(r rows) (at wire.Stamp, err error) {
	k := r.ks.row(rowLastRecorded)
	err = r.get(k, func(_ byte, v []byte) error {
		if len(v) != 8 {
			return broken(k, "not an instant")
		}
		at = wire.Stamp(binary.BigEndian.Uint64(v))
		return nil
	})
	if errors.Is(err, graph.ErrNotFound) {
		err = nil
	}
	return at, err
}

// begin opens a snapshot at the last commit, among views or updates. It must be ended.
func (o *order) begin(among snapshots) uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	among[o.last.Commit]++
	return o.last.Commit
}

// end closes a snapshot.
func (o *order) end(among snapshots, base uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if among[base]--; among[base] == 0 {
		delete(among, base)
	}
}

func (o *order) enqueue(t *waiting) {
	o.mu.Lock()
	o.queue = append(o.queue, t)
	o.mu.Unlock()
	signal(o.wake)
}

// take answers the transactions that wait, as many as fit into one commit.
func (o *order) take(limit size) []*waiting {
	o.mu.Lock()
	defer o.mu.Unlock()
	var sum size
	for i, t := range o.queue {
		sum.add(t.w.size)
		if i > 0 && !sum.within(limit) {
			group := o.queue[:i:i]
			o.queue = o.queue[i:]
			return group
		}
	}
	group := o.queue
	o.queue = nil
	return group
}

// lost reports whether a key that w has read was written since its snapshot.
func (o *order) lost(w *writer) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k := range w.reads {
		if o.writers[k] > w.base {
			return true
		}
	}
	return false
}

// wrote remembers what w writes in the commit.
func (o *order) wrote(number uint64, w *writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	keys := make([]uint64, 0, len(w.own.entries))
	for k := range w.own.entries {
		h := keyHash(key(k))
		o.writers[h] = number
		keys = append(keys, h)
	}
	o.written = append(o.written, commitKeys{number, keys})
}

// unwrite forgets a commit that is not made. What was written before under the same
// keys counts as written by it all the same: that can cost a retry, no more.
func (o *order) unwrite(number uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.written {
		if o.written[i].number == number {
			o.written[i].number = number - 1
			for _, k := range o.written[i].keys {
				o.writers[k] = number - 1
			}
		}
	}
}

// committed makes a commit the last one, forgets what no open update can conflict with
// any more, and answers up to which commit old versions may go.
func (o *order) committed(next link, at map[graph.Tenant]wire.Stamp) (discard uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = next
	for t, s := range at {
		o.recorded[t] = s
	}
	oldest := o.updates.oldest(next.Commit)
	n := 0
	for ; n < len(o.written) && o.written[n].number <= oldest; n++ {
		for _, k := range o.written[n].keys {
			if o.writers[k] <= oldest {
				delete(o.writers, k)
			}
		}
	}
	o.written = o.written[n:]
	return o.views.oldest(oldest)
}

// latest is the latest recorded instant of a tenant.
func (o *order) latest(t graph.Tenant) wire.Stamp {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.recorded[t]
}

// knows reports whether the tenant holds anything.
func (o *order) knows(t graph.Tenant) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, ok := o.recorded[t]
	return ok
}
