package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// engraveWaits is how long a sleep waits before each further attempt to engrave what the
// recess refused. SPEC section 5.
func engraveWaits() []time.Duration {
	return []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, time.Minute}
}

// engrave hands a memory to the recess, and again after a while where it is refused. When
// all attempts were in vain, a letter says so, health warns of it and the memory comes
// again in the next night; the others of this night are tried once each, for a recess that
// is away would keep every one of them waiting.
func (n *night) engrave(ctx context.Context, m *graph.Memory, vector []float32) error {
	attempts := 0
	try := func() error {
		attempts++
		return n.e.recess.Engrave(ctx, n.t.scope, m, vector, n.c.At)
	}
	err := try()
	from := n.e.Now()
	for _, wait := range n.e.engraveWaits {
		if err == nil || n.refused || n.c.MaxTime > 0 && n.spent()+wait > n.c.MaxTime {
			break
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		err = try()
	}
	n.idle += n.e.Now().Sub(from)
	if err != nil {
		n.refused = true
		n.e.unengraved(ctx, n.t, m, attempts, err)
	}
	return err
}

// unengraved writes down that the recess refused a memory.
func (e *Engine) unengraved(ctx context.Context, t *tenant, m *graph.Memory, attempts int, why error) {
	at := t.Now()
	err := t.Update(ctx, func(tx graph.Tx) error {
		if now, err := tx.Memory(m.ID); err != nil || now.Status() == graph.Forgotten {
			return err
		}
		return putLetter(tx, m, WorkEngrave, attempts, why, at)
	})
	if err != nil {
		e.log.Error("[ENGRAM] that it was refused could not be written down", "id", m.ID, "error", err)
	}
}
