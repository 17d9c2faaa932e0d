package dgraphstore

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// Limits of one transaction.
const (
	maxConflictRetries = 40       // retries after conflicts
	maxTxRows          = 2000     // rows that it may write
	maxTxBytes         = 16 << 20 // of their records and vectors
)

var (
	// errConflict is returned for a transaction that lost against another one.
	errConflict = errors.New("dgraphstore: conflict")
	// errRowExists is returned if a row exists that a transaction assumed to be missing.
	errRowExists = errors.New("dgraphstore: a row that was assumed to be new already exists")
)

// tx is a graph.Tx: a reader on a snapshot, and the writes to commit.
type tx struct{ *reader }

// rowID names a row.
type rowID struct {
	kind *rowKind
	key  string
}

// edit is a write of a row.
type edit struct {
	stored row
	record string // the new record; "" removes it
}

// txWrites is what a transaction has read and what it will write. It is sent to Dgraph when
// the transaction commits.
type txWrites struct {
	readKeys, writtenKeys map[keyHash]struct{}
	seen                  map[rowID]row // stored rows, also missing ones
	edits                 map[rowID]*edit
	editOrder             []rowID        // order of the first writes
	dropped               map[rowID]bool // damaged memories, whose stored facts are unknown
	vectors               map[graph.ID][]float32
	usage                 map[graph.ID]string   // sealed usage of memories, "" removes it
	foldedUses            []string              // uids of the folded uses
	receiptIDs            map[string][]graph.ID // new ids of receipts, by key of the receipt
	settings              map[string]string     // names of the written settings, by key
	changes               []graph.Change
	recorded              wire.Stamp // latest instant recorded here
	byteCount             int
	vectorIndex           *vectorIndexState // new state of the vector index; nil: unchanged
	failed                error             // why it can't commit, whatever fn returns
	erases                map[rowID]bool    // sealed rows whose former text must become unreadable
	destroyedLists        []string          // uids of the lists of retired keys that are done
	mark                  keyring.Mark      // what the cluster learns of the keys

	assumedUnused  func(graph.ID) bool // reports whether an id is assumed to be unused, without reading; nil: none is
	missing        map[string]struct{} // keys of nodes and notes that were assumed to be missing
	verifySnapshot func() error        // checks that an assumed snapshot is the newest; nil: it is known to be
}

func newWrites() *txWrites {
	return &txWrites{
		readKeys: map[keyHash]struct{}{}, writtenKeys: map[keyHash]struct{}{}, seen: map[rowID]row{}, edits: map[rowID]*edit{}, dropped: map[rowID]bool{},
		vectors: map[graph.ID][]float32{}, usage: map[graph.ID]string{}, receiptIDs: map[string][]graph.ID{},
		missing: map[string]struct{}{}, settings: map[string]string{}, erases: map[rowID]bool{},
	}
}

func (writes *txWrites) addRead(m keyHash)  { writes.readKeys[m] = struct{}{} }
func (writes *txWrites) addWrite(m keyHash) { writes.writtenKeys[m] = struct{}{} }

// keepSeen keeps a stored row.
func (writes *txWrites) keepSeen(kind *rowKind, key string, r row) {
	if _, ok := writes.seen[rowID{kind, key}]; !ok {
		writes.seen[rowID{kind, key}] = r
	}
}

// knownRow returns a row that is known without a query: one that was read, or a missing one
// if the id is newer than all ids of the tenant. The commit checks the latter.
func (writes *txWrites) knownRow(ks keyspace, kind *rowKind, key string) (row, bool) {
	if r, ok := writes.seen[rowID{kind, key}]; ok {
		return r, true
	}
	if writes.assumedUnused == nil || kind.key != bareNodes.key && kind != notes {
		return row{}, false
	}
	if id := graph.ID(key[max(0, len(key)-idSize):]); !id.Valid() || !writes.assumedUnused(id) {
		return row{}, false
	}
	writes.missing[key] = struct{}{}
	writes.keepSeen(kind, key, row{})
	return row{}, true
}

// hasWrites reports whether there is anything to commit.
func (writes *txWrites) hasWrites() bool {
	return len(writes.editOrder) > 0 || len(writes.vectors) > 0 || len(writes.usage) > 0 || len(writes.foldedUses) > 0 || len(writes.receiptIDs) > 0 || writes.vectorIndex != nil ||
		len(writes.destroyedLists) > 0 || writes.mark != (keyring.Mark{})
}

// noteRecorded keeps the latest recorded instant.
func (writes *txWrites) noteRecorded(at time.Time) {
	writes.recorded = max(writes.recorded, wire.StampOf(graph.Millis(at)))
}

// addChange appends a change. A zero instant means the latest recorded one.
func (writes *txWrites) addChange(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	writes.noteRecorded(at)
	writes.changes = append(writes.changes, graph.Change{At: graph.Millis(at), Node: node, Kind: kind, ID: id, Namespace: namespace})
}

// addBytes counts what is written. A transaction that is too large stays so.
func (writes *txWrites) addBytes(bytes int) error {
	writes.byteCount += bytes
	if writes.byteCount > maxTxBytes || len(writes.editOrder)+len(writes.vectors) > maxTxRows {
		writes.failed = graph.ErrTooLarge
	}
	return writes.failed
}

// guardKey marks a key as read and written: of two transactions that do so, one runs again.
func (t tx) guardKey(what string, words ...string) error {
	if err := t.pointRead(what, words...); err != nil {
		return err
	}
	t.writes.addWrite(keyHashOf(what, words...))
	return nil
}

// putRow writes the record of a row; "" removes it.
func (t tx) putRow(kind *rowKind, key, next string) error {
	_, stored, err := t.readRecord(kind, key)
	if err != nil {
		t.writes.failed = err
		return err
	}
	id := rowID{kind, key}
	if _, ok := t.writes.edits[id]; !ok {
		t.writes.editOrder = append(t.writes.editOrder, id)
	}
	t.writes.edits[id] = &edit{stored: stored, record: next}
	return t.writes.addBytes(len(next))
}

// putGuarded is putRow of a row on whose key transactions conflict.
func (t tx) putGuarded(kind *rowKind, what, key, next string) error {
	if err := t.guardKey(what, key); err != nil {
		return err
	}
	return t.putRow(kind, key, next)
}

// Update runs fn in a transaction and commits it durably; fn runs again on conflict. It
// returns the cursor of the last change, zero if there was none.
func (s *Store) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (_ graph.Cursor, err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return 0, err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationWrite)
	defer end(&err)
	return s.update(ctx, scope.Tenant, func(t tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, t graph.Tenant, fn func(tx) error) (graph.Cursor, error) {
	ctx, release := s.acquireLease(ctx, t)
	defer release()
	assume := assumptions{headKnown: true, idsUnused: true}
	for n := 1; ; n++ {
		cursor, err := s.tryUpdate(ctx, t, fn, assume)
		switch {
		case errors.Is(err, errStaleSnapshot):
			assume.headKnown = false
			continue
		case errors.Is(err, errRowExists):
			assume = assumptions{}
			continue
		case !errors.Is(err, errConflict):
			return cursor, err
		case n > maxConflictRetries:
			return 0, graph.ErrConflict
		}
		assume.headKnown = false
		if err := calls.Pause(ctx, s.options.Backoff(n)); err != nil {
			return 0, err
		}
	}
}

// assumptions are what a transaction assumes without a query. The commit checks them.
type assumptions struct {
	headKnown bool // the last known commit is the newest
	idsUnused bool // ids that were not read and are newer than all others are unused
}

// errStaleSnapshot is returned for a transaction whose snapshot may not be the newest and
// whose result only the newest can confirm.
var errStaleSnapshot = errors.New("dgraphstore: the snapshot may be old")

// tryUpdate runs fn once. On an assumed snapshot the result counts only if fn commits: the
// commit finds out what the snapshot lacks. An error, or a run without writes, may come from
// an old state.
func (s *Store) tryUpdate(ctx context.Context, tenant graph.Tenant, fn func(tx) error, assume assumptions) (graph.Cursor, error) {
	defer s.reads.Begin()()
	snap, base, assumed := s.snapshotAtLastCommit(tenant, assume.headKnown)
	if !assumed {
		head, err := snap.readHead(ctx, tenant) // begins the snapshot
		if err != nil {
			return 0, err
		}
		base = head
	}
	r := newReader(ctx, snap, tenant)
	r.head, r.writes = &base, newWrites()
	if assume.idsUnused {
		r.writes.assumedUnused = func(id graph.ID) bool { return idMillis(id) > base.Newest }
	}
	if assumed {
		r.writes.verifySnapshot = func() error { return s.verifyHead(ctx, tenant, base) }
	}
	err := s.run(tx{r}, fn)
	r.end()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case r.writes.verifySnapshot != nil && (err != nil || r.writes.failed != nil || !r.writes.hasWrites()):
		return 0, errStaleSnapshot
	case len(r.writes.missing) > 0 && (err != nil || r.writes.failed != nil):
		return 0, errRowExists // the error may be due to a node that exists
	case err != nil:
		return 0, err
	case r.writes.failed != nil:
		return 0, r.writes.failed
	case !r.writes.hasWrites():
		return 0, nil
	}
	d, err := r.makeDraft()
	if err != nil {
		return 0, err
	}
	return s.observeCommit(ctx, tenant, base, d)
}

// run runs the function of a transaction. If it panics, the transaction is discarded and the process goes on.
func (s *Store) run(t tx, fn func(tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = graph.Recovered(s.options.Logger, p)
		}
	}()
	return fn(t)
}

// observeCommit commits a draft and lets the observer see it.
func (s *Store) observeCommit(ctx context.Context, tenant graph.Tenant, base tenantHead, d *draft) (_ graph.Cursor, err error) {
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationCommit)
	defer end(&err)
	return s.commitDraft(ctx, tenant, base, d)
}

// snapshotAtLastCommit begins a snapshot at the last known commit, if that is likely the
// newest; else one at a timestamp that the cluster chooses.
func (s *Store) snapshotAtLastCommit(tenant graph.Tenant, assume bool) (snap *snapshot, base tenantHead, assumed bool) {
	snap = s.newSnapshot()
	if !assume || s.options.Login != nil { // with access control Dgraph accepts only timestamps that it has given out for reading
		return snap, tenantHead{}, false
	}
	at, ok := s.ledgers.get(tenant).freshLastCommit(s.options.Now())
	if ok { // including the uses that this process has counted since
		snap.readTs = max(at.readTs, s.lastUseTs.Load())
	}
	return snap, at.head, ok
}

// verifyHead checks that a tenant is still at a head.
func (s *Store) verifyHead(ctx context.Context, tenant graph.Tenant, base tenantHead) error {
	head, err := s.newSnapshot().readHead(ctx, tenant)
	switch {
	case err != nil:
		return err
	case head.Commit != base.Commit:
		return errStaleSnapshot
	}
	return nil
}
