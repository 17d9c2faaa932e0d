package recess

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Withdraw durably revokes engravings. The memories are no longer engraved; their files do not
// change. It skips memories that are not engraved. A withdrawn memory can be appended
// again.
func (r *Recess) Withdraw(_ context.Context, scope graph.Scope, ids ...graph.ID) error {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return err
	}
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	if t.closed {
		return graph.ErrClosed
	}
	var there [][16]byte
	for _, id := range ids {
		if b, err := id.Bytes(); err == nil && t.locate(b).engraved() {
			there = append(there, b)
		}
	}
	if len(there) == 0 {
		return nil
	}
	if err := t.putInForce(manifestEvent{Withdraw: joinIDs(there), UpTo: t.nextSeq - 1}); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, layer := range t.journalLayers {
		for _, id := range there {
			for p := layer[id]; p != nil; p = p.older {
				p.withdrawn = true
			}
		}
	}
	return nil
}
