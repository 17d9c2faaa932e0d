package audit

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Rotate replaces the keys of a tenant's chain by random ones: who has the former ones can neither sign
// the roots nor make the rows from now on. The chain goes on: the root of the former epoch, under the
// former key, names the new one. No call may be running. What was interrupted is finished by the next
// use of the chain. A tenant without a chain gets none.
func (l *Log) Rotate(ctx context.Context, scope graph.Scope) error {
	if l == nil {
		return nil
	}
	if c, err := readChain(l.Keys, scope); c == nil || err != nil {
		return err
	}
	if _, err := l.Seal(ctx, scope); err != nil {
		return err
	}
	t := l.tenant(scope)
	t.sealing.Lock()
	defer t.sealing.Unlock()
	next := *t.chain
	next.Next = make([]byte, len(next.Seed))
	if err := l.Keys.Fill(next.Next); err != nil {
		return fmt.Errorf("audit: randomness: %w", err)
	}
	if next.Day.IsZero() { // a root has a day; it stays the same if this is interrupted
		next.Day = next.dayOf(l.Now())
	}
	if err := next.save(); err != nil {
		return err
	}
	t.chain = &next
	if err := l.finishRotation(ctx, t); err != nil {
		t.chain = nil // read again
		return err
	}
	t.pending.Store(&pendingKey{chain: t.chain.Chain, key: t.chain.Pending})
	return nil
}

// finishRotation seals all rows under the former keys, signs the root that names the next key, and puts
// the new keys in their place. Each step can be repeated. The caller holds t.sealing.
func (l *Log) finishRotation(ctx context.Context, t *tenant) error {
	if err := l.catchUp(ctx, t); err != nil {
		return err
	}
	for {
		n, err := l.sealSome(ctx, t, true)
		if err != nil {
			return fmt.Errorf("audit: seal rows: %w", err)
		}
		if n > 0 {
			continue
		}
		if err := l.endEpoch(ctx, t); err != nil {
			return err
		}
		t.caughtUp = true
		return nil
	}
}

// replaceKeys puts the next keys of c in the place of the former ones.
func (l *Log) replaceKeys(ctx context.Context, t *tenant, c *chain) error {
	// The record of what restores took away has a MAC under the former key: its bytes stay valid, and no
	// other ones.
	err := l.Store.View(ctx, t.scope, func(r graph.Reader) error {
		c.Restores = nil
		_, intact, err := readRestores(r, t.chain)
		if err != nil || !intact {
			return err
		}
		text, err := r.Setting(restoresSetting)
		if errors.Is(err, graph.ErrNotFound) {
			return nil
		}
		sum := sha256.Sum256(text)
		c.Restores = sum[:]
		return err
	})
	if err != nil {
		return fmt.Errorf("audit: read the record of restores: %w", err)
	}
	c.Seed, c.Next, c.Pending = c.Next, nil, mac(c.Next, []byte("pending"))
	// Rows of the same day belong to the next epoch.
	c.Epoch, c.Floor, c.Day = c.Epoch+1, c.Day, time.Time{}
	return nil
}
