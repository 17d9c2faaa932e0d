package recess

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Withdraw takes engravings back, durably: the memories are not engraved any more,
// their files stay as they are. One that is not engraved is left alone. A withdrawn
// memory can be appended again.
func (r *Recess) Withdraw(_ context.Context, scope graph.Scope, ids ...graph.ID) error {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return err
	}
	t.change.Lock()
	defer t.change.Unlock()
	t.commit.Lock()
	defer t.commit.Unlock()
	if t.closed {
		return graph.ErrClosed
	}
	var there [][16]byte
	for _, id := range ids {
		if b, err := id.Bytes(); err == nil && t.find(b).there() {
			there = append(there, b)
		}
	}
	if len(there) == 0 {
		return nil
	}
	e := event{Withdraw: joinIDs(there), UpTo: t.next - 1}
	if err := t.record(e); err != nil {
		return err
	}
	next := t.manifest.clone()
	next.apply(e, nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.manifest = next
	for _, layer := range t.layers {
		for _, id := range there {
			for p := layer[id]; p != nil; p = p.older {
				p.withdrawn = true
			}
		}
	}
	return nil
}
