package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/graph"
)

// With a cluster store, searches serve hits from an in-memory cache, because one round trip is
// most of the latency of a search. The change feed names the memories that any server changed,
// so that cached hits are as recent as the index. ADR 31.
const (
	hitCacheBytes = 64 << 20             // approximate total
	hitOverhead   = 1 << 10              // bytes per memory besides its texts
	hitMaxAge     = time.Second          // maximum age of the last read of the feed while hits are served from the cache
	applyWait     = 5 * time.Millisecond // maximum wait of a search for this server's writes to be applied
)

// hitKey identifies a memory of a tenant.
type hitKey struct {
	tenant graph.Tenant
	id     graph.ID
}

// hitCache caches memories as stored. It is safe for concurrent use.
type hitCache struct {
	lookups
	mu    sync.Mutex
	kept  *simplelru.LRU[hitKey, *graph.Memory]
	bytes int
	epoch int // number of drops; a memory read before a drop is not cached
}

func newHitCache() *hitCache {
	k := &hitCache{}
	kept, err := simplelru.NewLRU(hitCacheBytes/hitOverhead, func(_ hitKey, m *graph.Memory) { k.bytes -= hitSize(m) })
	if err != nil { // only for a size below 1
		panic(err)
	}
	k.kept = kept
	return k
}

func hitSize(m *graph.Memory) int { return hitOverhead + len(m.Content) + len(m.Summary) }

// Get returns the cached memories, nil for the others. Memories that are read from the store
// afterwards must be passed to Keep with the returned epoch.
func (k *hitCache) Get(t graph.Tenant, ids []graph.ID) (found []*graph.Memory, epoch int) {
	found = make([]*graph.Memory, len(ids))
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, id := range ids {
		var known bool
		found[i], known = k.kept.Get(hitKey{t, id})
		k.count(known)
	}
	return found, k.epoch
}

// Keep caches memories that were read from the store in the epoch.
func (k *hitCache) Keep(t graph.Tenant, ms []*graph.Memory, epoch int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch != k.epoch {
		return
	}
	for _, m := range ms {
		if m == nil || m.Status() == graph.Forgotten {
			continue
		}
		key := hitKey{t, m.ID}
		k.kept.Remove(key)
		k.kept.Add(key, m)
		k.bytes += hitSize(m)
	}
	for k.bytes > hitCacheBytes {
		k.kept.RemoveOldest()
	}
}

// drop removes changed memories.
func (k *hitCache) drop(t graph.Tenant, ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.epoch++
	for _, id := range ids {
		k.kept.Remove(hitKey{t, id})
	}
}

// AppliedLately reports whether this server has applied all of its own writes and, up to
// hitMaxAge ago, all writes of other servers.
func (t *Tenant) AppliedLately(ctx context.Context) bool {
	c, ok := t.space.Store.(graph.Shared)
	if !ok {
		return false
	}
	head, age := c.KnownHead(t.Scope)
	if age > hitMaxAge {
		return false
	}
	head = max(head, t.Cursor())
	timer := time.NewTimer(applyWait)
	defer timer.Stop()
	for {
		at, more := t.applied.current()
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

// WaitForStaleHits returns when no server still serves cached hits from before an erasure that
// is already committed.
func (ws *Space) WaitForStaleHits() {
	if ws.Exclusive() {
		return
	}
	timer := time.NewTimer(hitMaxAge + hitMaxAge/4)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ws.Ctx.Done():
	}
}
