package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// engraveWaits is how long a sleep waits before each further attempt to engrave what the
// recess refused. SPEC section 5.
func engraveWaits() []time.Duration {
	return []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, time.Minute}
}

// engrave hands a memory to the recess, and again after a while where it is refused. When
// all attempts were in vain, health warns of it and the memory comes again in the next
// night; the others of this night are tried once each, for a recess that is away would
// keep every one of them waiting.
func (n *night) engrave(ctx context.Context, m *graph.Memory, vector []float32) error {
	try := func() error {
		err := n.e.recess.Engrave(ctx, n.t.scope, m, vector, n.c.At)
		if err != nil {
			n.t.unengraved.refuse(m.ID, err, n.e.Now())
		} else {
			n.t.unengraved.settled(m.ID)
		}
		return err
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
	n.refused = n.refused || err != nil
	return err
}

// unengraved are the memories that the recess refused, as far as the caller may see them
// and they still wait.
func (e *Engine) unengraved(c Caller, t *tenant) []DeadLetter {
	return slices.DeleteFunc(t.unengraved.list(0), func(x DeadLetter) bool {
		d, there := e.index.Doc(t.scope, x.ID)
		if !there || !c.sees(d.Namespace, d.User) {
			return true
		}
		s := d.History[len(d.History)-1]
		return s.Tier == graph.L3 || s.Status != graph.Active
	})
}
