package engine

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/somnograph/somnograph/graph"
)

// Where the store is a cluster, searches answer hits that were read before from memory: a
// journey a search is most of what one costs. The feed says which of them changed, whoever
// changed them, so they are as old as what the index knows. ADR 31.
const (
	keptBytes = 64 << 20             // of all together, about
	keptBase  = 1 << 10              // bytes of a memory besides its texts
	keptFor   = time.Second          // how long behind the last look at the feed they are served
	heedFor   = 5 * time.Millisecond // how long a search waits for what this server wrote to be heeded
)

// keptKey names a memory among those of all tenants.
type keptKey struct {
	tenant graph.Tenant
	id     graph.ID
}

// keptMemories remembers memories as they stand in the store. It is safe for concurrent use.
type keptMemories struct {
	mu    sync.Mutex
	kept  *simplelru.LRU[keptKey, *graph.Memory]
	bytes int
	epoch int // counts what was dropped: what was read before is not kept
}

func newKeptMemories() *keptMemories {
	k := &keptMemories{}
	kept, err := simplelru.NewLRU(keptBytes/keptBase, func(_ keptKey, m *graph.Memory) { k.bytes -= keptSize(m) })
	if err != nil { // only a size below 1
		panic(err)
	}
	k.kept = kept
	return k
}

func keptSize(m *graph.Memory) int { return keptBase + len(m.Content) + len(m.Summary) }

// get answers the memories that are kept, nil for the others, and the epoch under which
// those may be kept that are read from now on.
func (k *keptMemories) get(t graph.Tenant, ids []graph.ID) (found []*graph.Memory, epoch int) {
	found = make([]*graph.Memory, len(ids))
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, id := range ids {
		found[i], _ = k.kept.Get(keptKey{t, id})
	}
	return found, k.epoch
}

// keep takes memories that were read from the store in the epoch.
func (k *keptMemories) keep(t graph.Tenant, ms []*graph.Memory, epoch int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch != k.epoch {
		return
	}
	for _, m := range ms {
		if m == nil || m.Status() == graph.Forgotten {
			continue
		}
		key := keptKey{t, m.ID}
		k.kept.Remove(key)
		k.kept.Add(key, m)
		k.bytes += keptSize(m)
	}
	for k.bytes > keptBytes {
		k.kept.RemoveOldest()
	}
}

// drop forgets memories that changed.
func (k *keptMemories) drop(t graph.Tenant, ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.epoch++
	for _, id := range ids {
		k.kept.Remove(keptKey{t, id})
	}
}

// hitsStored are the memories of hits as they stand in the store, in their order; what is
// missing is nil.
func (e *Engine) hitsStored(ctx context.Context, t *tenant, chosen []scored) ([]*graph.Memory, error) {
	ids := make([]graph.ID, len(chosen))
	for i, k := range chosen {
		ids[i] = k.Doc.ID
	}
	read := func(ids []graph.ID) (found []*graph.Memory, err error) {
		err = t.View(ctx, func(r graph.Reader) error { found, err = r.Memories(ids); return err })
		return found, err
	}
	if e.exclusive() {
		return read(ids)
	}
	heeded := t.followedLately(ctx) // first: what is heeded is dropped by then
	found, epoch := e.hitsKept.get(t.scope.Tenant, ids)
	if !heeded {
		clear(found)
	}
	var missing []graph.ID
	var places []int
	for i, m := range found {
		if m == nil {
			missing, places = append(missing, ids[i]), append(places, i)
			continue
		}
		now := *m // what is kept is nobody's to change
		now.Usage = chosen[i].Doc.Usage
		found[i] = &now
	}
	if len(missing) == 0 {
		return found, nil
	}
	stored, err := read(missing)
	if err != nil {
		return nil, err
	}
	for i, m := range stored {
		if found[places[i]] = m; m != nil {
			mine := *m
			stored[i] = &mine
		}
	}
	e.hitsKept.keep(t.scope.Tenant, stored, epoch)
	return found, nil
}

// followedLately reports whether all is heeded that this server has written, and all that any
// had written a short while ago.
func (t *tenant) followedLately(ctx context.Context) bool {
	c, ok := t.engine.store.(graph.Shared)
	if !ok {
		return false
	}
	head, age := c.KnownHead(t.scope)
	if age > keptFor {
		return false
	}
	head = max(head, t.cursor())
	timer := time.NewTimer(heedFor)
	defer timer.Stop()
	for {
		at, more := t.followed.look()
		if at >= head {
			return true
		}
		select {
		case <-more:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// servedByNone returns when no server answers any more what it read before an erasure that
// was committed by now.
func (e *Engine) servedByNone() {
	if e.exclusive() {
		return
	}
	timer := time.NewTimer(keptFor + keptFor/4)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-e.ctx.Done():
	}
}
