package badgerstore

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// A commit is a group of waiting transactions. One goroutine makes all commits, so that
// they share Badger's sync, which is the cost of a commit. It takes the waiting
// transactions, rejects those that conflict with a commit after their snapshot or with
// another one of the group, gives the others cursors, and writes them as one transaction of
// Badger, whose timestamp is the number of the commit. Only then do snapshots see it.

// waitingTx is a transaction that waits to be committed.
type waitingTx struct {
	writes *txWriter
	commit uint64 // its number; 0: none
	cursor graph.Cursor
	err    error
	done   chan struct{}
}

// commitWriter hands the writes to the committer and waits until they are durable. It
// returns the last cursor, errConflict, or the error of a write.
func (s *Store) commitWriter(w *txWriter) (graph.Cursor, error) {
	if w.err != nil || len(w.written.entries) == 0 {
		return 0, w.err
	}
	if len(w.retired) > 0 {
		k := w.ks.retiredKey(w.retired)
		w.setValue(k, seal(k, formWhole, retiredPayload(s.options.Now(), w.retired)), 0)
		if w.err != nil {
			return 0, w.err
		}
	}
	if err := w.fillJournal(); err != nil {
		return 0, err
	}
	t := &waitingTx{writes: w, done: make(chan struct{})}
	s.order.enqueue(t)
	<-t.done
	if t.err == nil && len(w.retired) > 0 {
		s.shredder.add(retirement{tenant: w.tenant, commit: t.commit, at: s.options.Now(), numbers: w.retired})
	}
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
			for group := s.order.dequeue(s.maxTx); len(group) > 0; group = s.order.dequeue(s.maxTx) {
				s.commitMu.Lock()
				s.commitGroup(group)
				s.commitMu.Unlock()
				for _, t := range group {
					close(t.done)
				}
			}
		}
	}
}

// commitGroup commits the transactions of a group that have no conflict.
func (s *Store) commitGroup(group []*waitingTx) {
	if err := s.failure.Load(); err != nil {
		for _, t := range group {
			t.err = *err
		}
		return
	}
	last := s.order.lastCommit // only this goroutine changes it
	g := &groupCommit{store: s, number: last.Commit + 1, cursor: last.Cursor, recorded: map[graph.Tenant]wire.Stamp{}, rings: map[graph.Tenant]keyring.Mark{}}
	for _, t := range group {
		if s.order.conflicts(t.writes) {
			t.err = errConflict
			continue
		}
		if t.err = g.addChanges(t); t.err == nil {
			s.order.addWrites(g.number, t.writes)
			g.members = append(g.members, t)
		}
	}
	if len(g.members) == 0 {
		return
	}
	g.txn = s.db.NewTransactionAt(last.Commit, true)
	defer g.txn.Discard()
	next, err := g.writeRows(last)
	if err != nil { // nothing was written
		s.order.undoWrites(g.number)
		g.failAll(err)
		return
	}
	err = g.txn.CommitAt(g.number, nil)
	if err == nil && s.watermark != nil {
		err = s.watermark.setCommit(next.Commit, next.Chain)
	}
	if err != nil {
		s.failWrites(err)
		g.failAll(fmt.Errorf("%w: %w", graph.ErrUncertain, err))
		return
	}
	maps.Copy(s.order.ringMarks, g.rings)
	phases := map[graph.Tenant]namePhase{}
	for _, t := range g.members {
		if t.writes.namePhase > 0 {
			phases[t.writes.tenant] = t.writes.namePhase
		}
	}
	s.db.SetDiscardTs(s.order.setLast(next, g.recorded, phases))
	if s.options.afterCommit != nil {
		s.options.afterCommit()
	}
	for _, t := range g.members {
		t.commit = g.number
		s.feeds.advance(t.writes.heads)
	}
}

// groupCommit is a commit being made.
type groupCommit struct {
	store    *Store
	txn      *badger.Txn
	number   uint64
	cursor   uint64
	digest   []byte // keys and values of the change rows
	recorded map[graph.Tenant]wire.Stamp
	rings    map[graph.Tenant]keyring.Mark // those that change
	members  []*waitingTx
}

// failAll sets err as the result of all members.
func (g *groupCommit) failAll(err error) {
	for _, t := range g.members {
		t.cursor, t.err = 0, err
	}
}

// addChanges gives the changes of a transaction their cursors and rows.
func (g *groupCommit) addChanges(t *waitingTx) error {
	w := t.writes
	for tenant, at := range w.recorded {
		g.recorded[tenant] = max(g.latestRecorded(tenant), at)
	}
	for _, c := range w.changes {
		at := c.At
		if at.IsZero() {
			at = max(g.latestRecorded(c.tenant), g.store.usage.latestUse(c.tenant)).Time()
		}
		k, v, err := changeRow(c, g.cursor+1, at)
		if err != nil {
			return err
		}
		g.cursor++
		g.digest = append(append(g.digest, k...), v...)
		w.written.entries[string(k)] = rowWrite{value: v}
		w.heads[c.tenant] = graph.Cursor(g.cursor)
		t.cursor = graph.Cursor(g.cursor)
	}
	return nil
}

// latestRecorded is the latest recorded instant of a tenant.
func (g *groupCommit) latestRecorded(t graph.Tenant) wire.Stamp {
	return max(g.recorded[t], g.store.order.latestRecorded(t))
}

func (g *groupCommit) setRow(k key, e rowWrite) error {
	var err error
	if e.deleted {
		err = g.txn.Delete(k)
	} else {
		err = g.txn.SetEntry(badger.NewEntry(k, e.value).WithMeta(e.meta))
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrTxnTooBig):
		return graph.ErrTooLarge
	}
	return fmt.Errorf("badgerstore: write: %w", err)
}

// changeRow is the row of a change.
func changeRow(c tenantChange, cursor uint64, at time.Time) (k key, v []byte, err error) {
	stored, err := wire.ChangeOf(c.Change, wire.StampOf(at))
	if err != nil {
		return nil, nil, err
	}
	row, err := encode(stored)
	if err != nil {
		return nil, nil, err
	}
	k = newKeyspace(c.tenant).rowKey(rowChange, be64(cursor))
	return k, seal(k, formWhole, row), nil
}

// writeRows writes the rows of all members, and those of the commit itself.
func (g *groupCommit) writeRows(last commitLink) (commitLink, error) {
	for _, t := range g.members {
		for tenant, m := range t.writes.rings {
			known := g.store.order.ringMarks[tenant]
			if known == (keyring.Mark{}) { // nothing is sealed yet, for example in a store that is being restored
				ring, err := g.store.Ring(tenant)
				if err != nil {
					return commitLink{}, err
				}
				m.First = max(m.First, ring.First())
			}
			if known.Join(m) != known {
				g.rings[tenant] = g.rings[tenant].Join(known).Join(m)
			}
		}
		for k, e := range t.writes.written.entries {
			if err := g.setRow(key(k), e); err != nil {
				return commitLink{}, err
			}
		}
	}
	for t, at := range g.recorded {
		k := newKeyspace(t).rowKey(rowLastRecorded)
		if err := g.setRow(k, rowWrite{value: seal(k, formWhole, be64(uint64(at)))}); err != nil {
			return commitLink{}, err
		}
		if !g.store.order.hasTenant(t) {
			rows := []key{storeKey(rowTenant, []byte(t)...)}
			if g.store.keys != nil { // it never has a row that is not sealed
				rows = append(rows, newKeyspace(t).rowKey(rowSealed))
			}
			for _, k := range rows {
				if err := g.setRow(k, rowWrite{value: seal(k, formWhole, nil)}); err != nil {
					return commitLink{}, err
				}
			}
			if k := newKeyspace(t).rowKey(rowNames); g.store.keys != nil {
				if err := g.setRow(k, rowWrite{value: seal(k, formWhole, []byte{byte(g.store.order.newNames)})}); err != nil {
					return commitLink{}, err
				}
			}
		}
	}
	for t, m := range g.rings {
		k := newKeyspace(t).rowKey(rowGeneration)
		if err := g.setRow(k, rowWrite{value: seal(k, formWhole, markPayload(m))}); err != nil {
			return commitLink{}, err
		}
	}
	if err := g.writeJournal(); err != nil {
		return commitLink{}, err
	}
	next := last.nextLink(g.cursor, sha256.Sum256(g.digest))
	return next, g.setRow(next.key(), rowWrite{value: seal(next.key(), formWhole, next.encode())})
}
