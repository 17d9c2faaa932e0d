package audit

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// Sizes of a block. A note has at most graph.MaxNote bytes.
const (
	blockRows  = 400
	blockBytes = 96 << 10
)

// Seal writes the counted calls of a tenant, moves its rows into the chain, signs the root of a
// day that is over, and removes rows that are too old. It reports whether rows that count calls
// can still grow, so that it must be called again within a second.
func (l *Log) Seal(ctx context.Context, scope graph.Scope) (open bool, err error) {
	return l.seal(ctx, scope, false)
}

// SealAll is Seal for a log that counts no more calls: the rows of the present minute are sealed too, so that none is left that
// could be removed unseen while no server runs.
func (l *Log) SealAll(ctx context.Context, scope graph.Scope) error {
	_, err := l.seal(ctx, scope, true)
	return err
}

func (l *Log) seal(ctx context.Context, scope graph.Scope, all bool) (open bool, err error) {
	if l == nil {
		return false, nil
	}
	t := l.tenant(scope)
	t.sealing.Lock()
	defer t.sealing.Unlock()
	if t.chain == nil {
		if err := l.open(ctx, t); err != nil {
			return true, err
		}
	}
	if err := l.catchUp(ctx, t); err != nil {
		return true, err
	}
	if open, err = l.flush(ctx, t); err != nil {
		return true, fmt.Errorf("audit: write counted calls: %w", err)
	}
	for {
		if err := l.closeDay(ctx, t); err != nil {
			return true, err
		}
		n, err := l.sealSome(ctx, t, all)
		if err != nil {
			return true, fmt.Errorf("audit: seal rows: %w", err)
		}
		if n == 0 {
			return open, l.prune(ctx, t)
		}
	}
}

// catchUp takes in the rows of the store that the keys of a tenant do not know.
func (l *Log) catchUp(ctx context.Context, t *tenant) error {
	if t.caughtUp {
		return nil
	}
	var c chain
	err := l.Store.View(ctx, t.scope, func(r graph.Reader) error {
		c = t.chain.clone()
		stray, err := c.catchUp(r)
		if stray > 0 {
			l.Log.Error("[AUDIT] a row of the audit that is not of this server is in its chain; run somnograph audit verify", "tenant", t.scope.Tenant, "seq", stray)
		}
		return err
	})
	if err != nil {
		return err
	}
	if c.Epoch != t.chain.Epoch {
		if err := c.savePast(); err != nil {
			return err
		}
	}
	if c.Seq != t.chain.Seq || c.Epoch != t.chain.Epoch {
		if err := c.save(); err != nil {
			return err
		}
		*t.chain = c
	}
	t.caughtUp = true
	return nil
}

// dayOf is the day of a row, not before the day of the rows before it, nor a closed one.
func (c *chain) dayOf(at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	for _, least := range []time.Time{c.Day, c.Floor} {
		if day.Before(least) {
			day = least
		}
	}
	return day
}

// sealSome moves some rows into a block and returns their number. With all, rows that count calls of the
// present minute are moved too: nothing is counted any more. The rows of a later day are left to its epoch, unless the keys are being replaced,
// because the next keys know no row from before.
func (l *Log) sealSome(ctx context.Context, t *tenant, all bool) (int, error) {
	next := *t.chain
	moved := 0
	_, err := l.Store.Update(ctx, t.scope, func(tx graph.Tx) error {
		next, moved = *t.chain, 0
		b := &block{Chain: next.Chain, Epoch: next.Epoch, First: next.Seq + 1}
		key, size := next.macKey(), 0
		var at time.Time
		for n, err := range notes(tx, graph.NoteAudit, "", false) {
			if graph.DamagedNote(err) != "" {
				continue // Verify names it
			}
			if err != nil {
				return err
			}
			row, own := next.ownRow(n)
			if !own {
				continue // of another server, or forged: Verify names it
			}
			day := next.dayOf(row.At)
			if !all && row.Counted && !minuteOver(row.At, l.Now()) {
				continue
			}
			later := !next.Day.IsZero() && day.After(next.Day)
			if later && next.Next == nil || len(b.Rows) == blockRows || size > blockBytes {
				break
			}
			next.Day = day
			next.Seq++
			if next.MAC, err = rowMAC(key, next.MAC, next.Seq, row); err != nil {
				return err
			}
			b.Rows = append(b.Rows, sealedRow{next.MAC, row})
			size += len(n.Data)
			if err := tx.DeleteNote(graph.NoteAudit, n.ID); err != nil {
				return err
			}
			at = n.At
		}
		if moved = len(b.Rows); moved == 0 {
			return nil
		}
		data, err := json.Marshal(b)
		if err != nil {
			return err
		}
		id, err := idAfter(tx, graph.NoteAuditBlock, l.Now(), next.Chain, b.First)
		if err != nil {
			return err
		}
		return tx.PutNote(graph.Note{Kind: graph.NoteAuditBlock, ID: id, At: at, Data: data})
	})
	if err != nil || moved == 0 {
		return 0, err
	}
	if err := next.save(); err != nil {
		t.caughtUp = false // the store is ahead of the keys
		return 0, err
	}
	*t.chain = next
	return moved, nil
}

// idAfter returns an id after those of all notes of a kind, whatever process made them.
func idAfter(r graph.Reader, kind graph.NoteKind, now time.Time, chain string, seq uint64) (graph.ID, error) {
	page, err := r.Notes(kind, "", true, 1)
	last := graph.DamagedNote(err)
	if last == "" && err != nil {
		return "", err
	}
	if len(page) > 0 {
		last = page[0].ID
	}
	if last != "" {
		b, err := last.Bytes()
		if err != nil {
			return "", err
		}
		ms := int64(binary.BigEndian.Uint64(append([]byte{0, 0}, b[:6]...)))
		if after := time.UnixMilli(ms + 1); after.After(now) {
			now = after
		}
	}
	return graph.DerivedID(now, chain, strconv.FormatUint(seq, 10))
}

// closeDay signs the root of the epoch if its day is over, and begins the next epoch.
func (l *Log) closeDay(ctx context.Context, t *tenant) error {
	c := *t.chain
	if c.Day.IsZero() || l.Now().Before(c.Day.Add(24*time.Hour)) {
		return nil
	}
	return l.endEpoch(ctx, t)
}

// endEpoch signs the root of the epoch, and begins the next epoch.
func (l *Log) endEpoch(ctx context.Context, t *tenant) error {
	c := *t.chain
	r, err := c.close()
	if err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = l.Store.Update(ctx, t.scope, func(tx graph.Tx) error {
		for n, err := range notes(tx, graph.NoteAuditRoot, "", true) {
			if graph.DamagedNote(err) != "" {
				break
			}
			if err != nil {
				return err
			}
			var before root
			if strictjson.DecodeExact(n.Data, &before) == nil && before.Text == r.Text {
				return nil // written before a crash
			}
			break
		}
		id, err := idAfter(tx, graph.NoteAuditRoot, l.Now(), c.Chain, c.Seq)
		if err != nil {
			return err
		}
		return tx.PutNote(graph.Note{Kind: graph.NoteAuditRoot, ID: id, At: c.Day, Data: data})
	})
	if err != nil {
		return fmt.Errorf("audit: sign the root of a day: %w", err)
	}
	c.past[c.Epoch] = c.macKey()
	if err := c.savePast(); err != nil {
		return err
	}
	l.Log.Info("[AUDIT] root", "tenant", t.scope.Tenant, "chain", c.Chain, "day", c.Day.Format(time.DateOnly), "seq", c.Seq, "mac", b64(c.MAC), "signature", b64(r.Signature))
	if c.Next == nil {
		c.nextDay()
	} else if err := l.replaceKeys(ctx, t, &c); err != nil {
		return err
	}
	if err := c.save(); err != nil {
		return err
	}
	*t.chain = c
	return nil
}

// prune removes the blocks of epochs whose day is too long ago. Their roots stay, so that the
// chain can be checked from the last of them on.
func (l *Log) prune(ctx context.Context, t *tenant) error {
	if day := l.Now().UTC().Truncate(24 * time.Hour); !t.pruned.Equal(day) {
		if err := l.pruneBefore(ctx, t, day.Add(-l.Keep)); err != nil {
			return fmt.Errorf("audit: remove old rows: %w", err)
		}
		t.pruned = day
	}
	return nil
}

func (l *Log) pruneBefore(ctx context.Context, t *tenant, cut time.Time) error {
	c := *t.chain
	var old []graph.ID
	err := l.Store.View(ctx, t.scope, func(r graph.Reader) error {
		c, old = *t.chain, nil
		for n, err := range notes(r, graph.NoteAuditRoot, "", false) {
			if graph.DamagedNote(err) != "" {
				continue // Verify names it
			}
			if err != nil {
				return err
			}
			var signed root
			if err := strictjson.DecodeExact(n.Data, &signed); err != nil {
				continue
			}
			x, err := signed.parse()
			if err == nil && x.Chain == c.Chain && x.Day.Before(cut) && x.Epoch >= c.PrunedEpoch {
				c.Pruned, c.PrunedMAC, c.PrunedEpoch = x.Seq, x.MAC, x.Epoch+1
			}
		}
		for n, err := range notes(r, graph.NoteAuditBlock, "", false) {
			if graph.DamagedNote(err) != "" {
				continue // Verify names it
			}
			if err != nil {
				return err
			}
			b, err := decodeBlock(n)
			if err != nil || b.Chain != c.Chain {
				continue
			}
			if b.Epoch >= c.PrunedEpoch {
				break
			}
			old = append(old, n.ID)
		}
		return nil
	})
	if err != nil || c.PrunedEpoch == t.chain.PrunedEpoch && len(old) == 0 {
		return err
	}
	if err := c.save(); err != nil {
		return err
	}
	*t.chain = c
	for _, id := range old {
		if _, err := l.Store.Update(ctx, t.scope, func(tx graph.Tx) error { return tx.DeleteNote(graph.NoteAuditBlock, id) }); err != nil {
			return err
		}
	}
	return nil
}

func decodeBlock(n *graph.Note) (*block, error) {
	var b block
	if err := strictjson.DecodeExact(n.Data, &b); err != nil {
		return nil, fmt.Errorf("%w: the block %s of the audit can't be read", graph.ErrIntegrity, n.ID)
	}
	return &b, nil
}
