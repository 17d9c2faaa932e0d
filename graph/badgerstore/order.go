package badgerstore

import (
	"errors"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// errConflict is returned for a transaction that lost against another one.
var errConflict = errors.New("badgerstore: conflict")

// commitOrder knows the last commit, which snapshots are open, and which keys were written
// since the oldest of them began.
type commitOrder struct {
	mu              sync.Mutex
	lastCommit      commitLink
	lastRecorded    map[graph.Tenant]wire.Stamp              // latest recorded instant of each known tenant
	ringMarks       map[graph.Tenant]keyring.Mark            // what was committed of the keys of each tenant; only the committer changes it
	namePhases      map[graph.Tenant]*[namesKeyed + 1]uint64 // from which commit on each phase of its names holds; without an entry: newNames
	newNames        namePhase                                // of tenants without an entry; tests set another than namesKeyed
	viewSnapshots   snapshots
	updateSnapshots snapshots
	lastWriters     map[uint64]uint64 // hash of a key → number of the latest commit that wrote it
	writtenKeys     []commitKeys      // the same by commit, oldest first
	queue           []*waitingTx
	wake            chan struct{}
}

// snapshots counts the open snapshots by commit.
type snapshots map[uint64]int

// oldest is the lowest commit with an open snapshot, or bound.
func (s snapshots) oldest(bound uint64) uint64 {
	for n := range s {
		bound = min(bound, n)
	}
	return bound
}

// commitKeys is the hashes of the keys that one commit wrote.
type commitKeys struct {
	number uint64
	keys   []uint64
}

func newCommitOrder() *commitOrder {
	return &commitOrder{
		lastRecorded: map[graph.Tenant]wire.Stamp{}, ringMarks: map[graph.Tenant]keyring.Mark{}, namePhases: map[graph.Tenant]*[namesKeyed + 1]uint64{}, newNames: namesKeyed, viewSnapshots: snapshots{}, updateSnapshots: snapshots{},
		lastWriters: map[uint64]uint64{}, wake: make(chan struct{}, 1),
	}
}

// load restores the state at the last commit.
func (o *commitOrder) load(db *badger.DB, last commitLink) error {
	o.lastCommit = last
	db.SetDiscardTs(last.Commit)
	return eachTenant(db, last.Commit, func(t graph.Tenant, r rowReader) (err error) {
		if o.lastRecorded[t], err = readLastRecorded(r); err != nil {
			return err
		}
		o.ringMarks[t], err = readRingMark(r)
		return err
	})
}

// readLastRecorded reads the latest recorded instant of a tenant.
func readLastRecorded(r rowReader) (wire.Stamp, error) {
	at, err := r.readUint64(r.ks.rowKey(rowLastRecorded))
	return wire.Stamp(at), err
}

// beginSnapshot opens a snapshot at the last commit. The caller must end it.
func (o *commitOrder) beginSnapshot(among snapshots) uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	among[o.lastCommit.Commit]++
	return o.lastCommit.Commit
}

// endSnapshot closes a snapshot.
func (o *commitOrder) endSnapshot(among snapshots, base uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if among[base]--; among[base] == 0 {
		delete(among, base)
	}
}

// last is the number of the last commit.
func (o *commitOrder) last() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lastCommit.Commit
}

// oldestSnapshot is the lowest commit with an open snapshot, or the last one.
func (o *commitOrder) oldestSnapshot() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.viewSnapshots.oldest(o.updateSnapshots.oldest(o.lastCommit.Commit))
}

// oldestUpdate is the lowest commit with the open snapshot of a transaction that may write, or the
// last one.
func (o *commitOrder) oldestUpdate() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.updateSnapshots.oldest(o.lastCommit.Commit)
}

func (o *commitOrder) enqueue(t *waitingTx) {
	o.mu.Lock()
	o.queue = append(o.queue, t)
	o.mu.Unlock()
	notify(o.wake)
}

// dequeue returns the waiting transactions that fit into one commit.
func (o *commitOrder) dequeue(limit txSize) []*waitingTx {
	o.mu.Lock()
	defer o.mu.Unlock()
	var sum txSize
	for i, t := range o.queue {
		sum.add(t.writes.size)
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

// conflicts reports whether a key that w has read was written since its snapshot.
func (o *commitOrder) conflicts(w *txWriter) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k := range w.readKeys {
		if o.lastWriters[k] > w.base {
			return true
		}
	}
	return false
}

// addWrites records what w writes in the commit.
func (o *commitOrder) addWrites(number uint64, w *txWriter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	keys := make([]uint64, 0, len(w.written.entries))
	for k := range w.written.entries {
		h := keyHash(key(k))
		o.lastWriters[h] = number
		keys = append(keys, h)
	}
	o.writtenKeys = append(o.writtenKeys, commitKeys{number, keys})
}

// undoWrites removes a commit that failed. Keys that it shares with earlier commits count as
// written by the commit before it, which can only cost a retry.
func (o *commitOrder) undoWrites(number uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.writtenKeys {
		if o.writtenKeys[i].number == number {
			o.writtenKeys[i].number = number - 1
			for _, k := range o.writtenKeys[i].keys {
				o.lastWriters[k] = number - 1
			}
		}
	}
}

// setLast records the last commit, drops what no open update can conflict with any more,
// and returns up to which commit Badger may discard old versions.
func (o *commitOrder) setLast(next commitLink, at map[graph.Tenant]wire.Stamp, phases map[graph.Tenant]namePhase) (discard uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lastCommit = next
	for t, p := range phases {
		o.setNamePhase(t, p, next.Commit)
	}
	for t, s := range at {
		o.lastRecorded[t] = s
	}
	oldest := o.updateSnapshots.oldest(next.Commit)
	n := 0
	for ; n < len(o.writtenKeys) && o.writtenKeys[n].number <= oldest; n++ {
		for _, k := range o.writtenKeys[n].keys {
			if o.lastWriters[k] <= oldest {
				delete(o.lastWriters, k)
			}
		}
	}
	o.writtenKeys = o.writtenKeys[n:]
	return o.viewSnapshots.oldest(oldest)
}

// setNamePhase records that a phase of a tenant's names, with those before it, holds from a commit on. The
// caller holds mu, or is opening the store.
func (o *commitOrder) setNamePhase(t graph.Tenant, phase namePhase, from uint64) {
	starts := o.namePhases[t]
	if starts == nil {
		starts = &[namesKeyed + 1]uint64{}
		o.namePhases[t] = starts
	}
	for p := phase; p > namesHashed && starts[p] == 0; p-- {
		starts[p] = from
	}
}

// namePhase is the phase of a tenant's names in a snapshot.
func (o *commitOrder) namePhase(t graph.Tenant, base uint64) namePhase {
	o.mu.Lock()
	defer o.mu.Unlock()
	starts := o.namePhases[t]
	if starts == nil {
		return o.newNames
	}
	phase := namesKeyed
	for phase > namesHashed && (starts[phase] == 0 || starts[phase] > base) {
		phase--
	}
	return phase
}

// latestRecorded is the latest recorded instant of a tenant.
func (o *commitOrder) latestRecorded(t graph.Tenant) wire.Stamp {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lastRecorded[t]
}

// hasTenant reports whether the tenant holds data.
func (o *commitOrder) hasTenant(t graph.Tenant) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, ok := o.lastRecorded[t]
	return ok
}
