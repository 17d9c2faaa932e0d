package badgerstore

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// A commit is a group of transactions that waited at the same time. One goroutine
// makes all commits, so that they share Badger's sync, which is what a commit costs:
// it takes what waits, drops what lost against a commit since its snapshot or against
// another one of the group, numbers the rest and writes it as one transaction of
// Badger's, whose timestamp is the number of the commit. Only then do snapshots see it.

// waiting is a transaction that wants to be committed.
type waiting struct {
	w      *writer
	cursor graph.Cursor
	err    error
	done   chan struct{}
}

// commit hands w to the committer and waits until it is durable. It answers the last
// cursor, or errConflict.
func (s *Store) commit(w *writer) (graph.Cursor, error) {
	t := &waiting{w: w, done: make(chan struct{})}
	s.order.enqueue(t)
	<-t.done
	return t.cursor, t.err
}

// runCommits is the committer. It ends when stop is closed, which is after the last
// transaction.
func (s *Store) runCommits(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-s.order.wake:
			for group := s.order.take(s.limit); len(group) > 0; group = s.order.take(s.limit) {
				s.commitGroup(group)
				for _, t := range group {
					close(t.done)
				}
			}
		}
	}
}

// commitGroup commits what of the group can be.
func (s *Store) commitGroup(group []*waiting) {
	if err := s.failure.Load(); err != nil {
		for _, t := range group {
			t.err = *err
		}
		return
	}
	last := s.order.last // only this goroutine changes it
	g := &grouping{store: s, number: last.Commit + 1, cursor: last.Cursor, recorded: map[graph.Tenant]wire.Stamp{}}
	for _, t := range group {
		if s.order.lost(t.w) {
			t.err = errConflict
			continue
		}
		if t.err = g.add(t); t.err == nil {
			s.order.wrote(g.number, t.w)
			g.taken = append(g.taken, t)
		}
	}
	if len(g.taken) == 0 {
		return
	}
	g.txn = s.db.NewTransactionAt(last.Commit, true)
	defer g.txn.Discard()
	next, err := g.fill(last)
	if err != nil { // nothing was written
		s.order.unwrite(g.number)
		g.refuse(err)
		return
	}
	err = g.txn.CommitAt(g.number, nil)
	if err == nil && s.mark != nil {
		err = s.mark.commit(next.Commit, next.Chain)
	}
	if err != nil {
		s.fail(err)
		g.refuse(fmt.Errorf("%w: %w", graph.ErrUncertain, err))
		return
	}
	s.db.SetDiscardTs(s.order.committed(next, g.recorded))
	for _, t := range g.taken {
		s.feeds.committed(t.w.heads)
	}
}

// grouping is a commit in the making.
type grouping struct {
	store    *Store
	txn      *badger.Txn
	number   uint64
	cursor   uint64
	digest   []byte // keys and values of the change rows
	recorded map[graph.Tenant]wire.Stamp
	taken    []*waiting
}

// refuse answers err to all that was taken.
func (g *grouping) refuse(err error) {
	for _, t := range g.taken {
		t.cursor, t.err = 0, err
	}
}

// add gives the changes of a transaction their cursors and rows.
func (g *grouping) add(t *waiting) error {
	w := t.w
	for tenant, at := range w.recorded {
		g.recorded[tenant] = max(g.known(tenant), at)
	}
	for _, c := range w.changes {
		at := c.At
		if at.IsZero() {
			at = max(g.known(c.tenant), g.store.usage.latest(c.tenant)).Time()
		}
		k, v, err := changeEntry(c, g.cursor+1, at)
		if err != nil {
			return err
		}
		g.cursor++
		g.digest = append(append(g.digest, k...), v...)
		w.own.entries[string(k)] = entry{value: v}
		w.heads[c.tenant] = graph.Cursor(g.cursor)
		t.cursor = graph.Cursor(g.cursor)
	}
	return nil
}

// known is the latest recorded instant of a tenant.
func (g *grouping) known(t graph.Tenant) wire.Stamp {
	return max(g.recorded[t], g.store.order.latest(t))
}

func (g *grouping) set(k key, e entry) error {
	if e.gone {
		return writeError(g.txn.Delete(k))
	}
	return writeError(g.txn.SetEntry(badger.NewEntry(k, e.value).WithMeta(e.meta)))
}

// changeEntry is the row of a change.
func changeEntry(c change, cursor uint64, at time.Time) (k key, v []byte, err error) {
	id, err := wire.UUID("id", c.ID)
	if err != nil {
		return nil, nil, err
	}
	row, err := encode(&wire.Change{At: wire.StampOf(at), Node: string(c.Node), Kind: string(c.Kind), ID: id[:], Namespace: c.Namespace})
	if err != nil {
		return nil, nil, err
	}
	k = newKeyspace(c.tenant).row(rowChange, be64(cursor))
	return k, seal(k, formWhole, row), nil
}

// fill writes what was taken, and the rows of the commit itself.
func (g *grouping) fill(last link) (link, error) {
	for _, t := range g.taken {
		for k, e := range t.w.own.entries {
			if err := g.set(key(k), e); err != nil {
				return link{}, err
			}
		}
	}
	for t, at := range g.recorded {
		k := newKeyspace(t).row(rowLastRecorded)
		if err := g.set(k, entry{value: seal(k, formWhole, be64(uint64(at)))}); err != nil {
			return link{}, err
		}
		if !g.store.order.knows(t) {
			k := storeKey(rowTenant, []byte(t)...)
			if err := g.set(k, entry{value: seal(k, formWhole, nil)}); err != nil {
				return link{}, err
			}
		}
	}
	next := last.next(g.cursor, sha256.Sum256(g.digest))
	return next, g.set(next.key(), entry{value: seal(next.key(), formWhole, next.encode())})
}
