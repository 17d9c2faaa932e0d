package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	sealBatch    = 100              // rows that one transaction seals
	sealProgress = 10 * time.Second // time between two lines in the log
	sealRetry    = time.Minute      // time until sealing is tried again after an error
)

// errStopped is returned when the store is closed.
var errStopped = errors.New("badgerstore: closing")

// sealStored seals the rows that were written before the store had keys, in the background until
// stop is closed. Then Badger's tables are written again, so that they do not hold the former
// rows; only then tenants are marked as sealed. What was interrupted is done again.
func (s *Store) sealStored(stop <-chan struct{}) {
	for {
		err := s.sealTenants(stop)
		if err == nil {
			close(s.sealed)
			return
		}
		if errors.Is(err, errStopped) {
			return
		}
		s.options.Logger.Error("[WRITE] rows of earlier versions could not be sealed, trying again in a minute", "error", err)
		select {
		case <-stop:
			return
		case <-time.After(sealRetry):
		}
	}
}

// waitSealed waits until the rows that were written before the store had keys are sealed.
func (s *Store) waitSealed(ctx context.Context) error {
	select {
	case <-s.sealed:
		return nil
	case <-s.closed:
		return graph.ErrClosed
	case <-ctx.Done():
		return fmt.Errorf("%w: rows of earlier versions are being sealed; the erasure is complete after that: %w", graph.ErrUnavailable, ctx.Err())
	}
}

// sealing is the progress of sealing the rows of earlier versions.
type sealing struct {
	tenants []graph.Tenant        // without the mark, or with names that are not HMACs yet
	marked  map[graph.Tenant]bool // those with the mark
	rows    int                   // that are read for it, in these tenants
	begun   bool                  // something was written again before
	seen    int
	sealed  int
	said    time.Time
}

// sealTenants seals the tenants that are not marked.
func (s *Store) sealTenants(stop <-chan struct{}) (err error) {
	defer s.guardReads(&err)
	p, err := s.unsealed()
	if err != nil || len(p.tenants) == 0 {
		return err
	}
	if p.rows > 0 && s.options.KeepPlain {
		return errStopped
	}
	p.said = s.options.Now()
	if p.rows > 0 {
		s.options.Logger.Info("[WRITE] sealing the rows of earlier versions; reads and writes go on", "rows", p.rows)
	}
	for _, t := range p.tenants {
		if err := s.keyNames(t, p, stop); err != nil {
			return err
		}
		if err := s.keySessions(t, p, stop); err != nil {
			return err
		}
		if p.marked[t] {
			continue
		}
		if err := s.sealTenant(t, p, stop); err != nil {
			return err
		}
	}
	if p.rows > 0 || p.begun {
		if err := s.usage.leaveLog(s); err != nil {
			return err
		}
		if err := s.waitForReaders(stop); err != nil { // a table keeps the versions that one reads
			return err
		}
		if err := s.rewriteTables(); err != nil {
			return err
		}
	}
	for _, t := range p.tenants {
		w := s.beginWriter(t)
		w.putMarker(w.ks.rowKey(rowSealed))
		w.putNamePhase(namesKeyed)
		_, err := s.commitWriter(w)
		w.release()
		if err != nil {
			return err
		}
	}
	if p.rows > 0 || p.begun {
		if err := s.waitForReaders(stop); err != nil { // a reader keeps the files of former tables
			return err
		}
		s.options.Logger.Info("[WRITE] the rows of earlier versions are sealed", "rows", p.seen)
	}
	return nil
}

// waitForReaders waits until no read is open that began before the last commit.
func (s *Store) waitForReaders(stop <-chan struct{}) error {
	for last := s.order.last(); s.order.oldestSnapshot() < last; {
		select {
		case <-stop:
			return errStopped
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// unsealed lists the tenants that are not marked, and counts their rows with content.
func (s *Store) unsealed() (*sealing, error) {
	p := &sealing{marked: map[graph.Tenant]bool{}}
	base := s.order.beginSnapshot(s.order.viewSnapshots)
	defer s.order.endSnapshot(s.order.viewSnapshots, base)
	err := eachTenant(s.db, base, func(t graph.Tenant, r rowReader) error {
		_, done, err := r.rowMeta(r.ks.rowKey(rowSealed))
		phase := s.order.namePhase(t, base)
		if err != nil || done && phase == namesKeyed {
			return err
		}
		p.tenants, p.begun, p.marked[t] = append(p.tenants, t), p.begun || phase > namesHashed, done
		for row, content := range sealedRows {
			if content && !done || nameRows[row].kind != 0 {
				err = errors.Join(err, r.scanStored(r.ks.rowKey(byte(row)), func(key, []byte) error { p.rows++; return nil }))
			}
		}
		return err
	})
	return p, err
}

// sealTenant seals the rows of a tenant.
func (s *Store) sealTenant(t graph.Tenant, p *sealing, stop <-chan struct{}) error {
	ks := newKeyspace(t)
	for row, content := range sealedRows {
		if !content {
			continue
		}
		for from := ks.rowKey(byte(row)); from != nil; {
			select {
			case <-stop:
				return errStopped
			default:
			}
			seen, sealed, next, err := s.resealRows(t, ks.rowKey(byte(row)), from, func(number uint64) bool { return number == 0 })
			if err != nil {
				return err
			}
			from, p.sealed = next, p.sealed+sealed
			s.saySealing(p, seen)
		}
	}
	return nil
}

// saySealing counts rows that are done, and logs the progress now and then.
func (s *Store) saySealing(p *sealing, seen int) {
	p.seen += seen
	if now := s.options.Now(); now.Sub(p.said) >= sealProgress {
		p.said = now
		s.options.Logger.Info("[WRITE] sealing the rows of earlier versions", "done", p.seen, "of", max(p.seen, p.rows))
	}
}

// rewriteTables writes all rows into new tables of Badger, without former versions of them. Badger
// writes what it has in memory into a table only when it drops a prefix, so a row is written and
// dropped.
func (s *Store) rewriteTables() error {
	k := storeKey(rowFlush)
	w := s.beginWriter("")
	w.putMarker(k)
	_, err := s.commitWriter(w)
	w.release()
	if err != nil {
		return err
	}
	s.commitMu.Lock()
	err = s.db.DropPrefix(k)
	s.commitMu.Unlock()
	if err == nil {
		err = s.db.Flatten(1)
	}
	if err != nil {
		return fmt.Errorf("badgerstore: write the tables again: %w", err)
	}
	return nil
}

// resealRows puts a batch of rows with a prefix again, from a key on, if wants says so of the number
// of their key; 0: the row is not sealed. It returns the key to go on from; nil: there are no more. A
// row that another transaction changes meanwhile is sealed by it.
func (s *Store) resealRows(t graph.Tenant, prefix, from key, wants func(number uint64) bool) (seen, sealed int, next key, err error) {
	for {
		seen = 0
		w := s.beginWriter(t)
		w.sameRows = true
		var keys []key
		var payloads [][]byte
		var metas []byte
		next = nil
		err = w.scanRows(prefix, from, false, func(k key, payload []byte) (bool, error) {
			if seen == sealBatch {
				next = append(key(nil), k...)
				return false, nil
			}
			seen++
			row, ok, err := w.findRow(k)
			if err != nil || !ok {
				return false, err
			}
			if _, number := w.storedRow(k); w.err == nil && row.meta() != stubMeta && wants(number) {
				keys = append(keys, append(key(nil), k...))
				payloads = append(payloads, append([]byte(nil), payload...))
				metas = append(metas, row.meta())
			}
			return true, w.err
		})
		for i, k := range keys {
			if err != nil {
				break
			}
			w.putRow(k, payloads[i], metas[i])
		}
		if err == nil {
			_, err = s.commitWriter(w)
		}
		w.release()
		if !errors.Is(err, errConflict) {
			return seen, len(keys), next, err
		}
	}
}
