package workspace

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// Cache of the conflict scorer's analysis of memories. The text of an id never changes, and
// consecutive writes are compared with the same neighbours.
const (
	readingsBytes = 96 << 20 // approximate total
	readingBase   = 256      // bytes per entry besides the analysis
)

// tenantMemory is the key of what is cached of a memory. Tenants may have other texts under one id: both
// may have imported an export, one of them after a change.
type tenantMemory struct {
	tenant graph.Tenant
	id     graph.ID
}

// ReadingCache caches analysed memories. It is safe for concurrent use.
type ReadingCache struct {
	lookups
	mu    sync.Mutex
	kept  *simplelru.LRU[tenantMemory, conflict.Packed]
	bytes int
	epoch int // number of forgets; analyses begun before one are not cached
}

func newReadingCache() *ReadingCache {
	r := &ReadingCache{}
	kept, err := simplelru.NewLRU(readingsBytes/readingBase, func(_ tenantMemory, x conflict.Packed) { r.bytes -= readingBase + len(x) })
	if err != nil { // only for a size below 1
		panic(err)
	}
	r.kept = kept
	return r
}

// Get returns a cached analysis, or an empty one.
func (r *ReadingCache) Get(of graph.Tenant, id graph.ID) conflict.Packed {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, known := r.kept.Get(tenantMemory{of, id})
	r.count(known)
	return x
}

// Epoch returns the epoch under which Keep accepts the memories read from now on.
func (r *ReadingCache) Epoch() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.epoch
}

// Keep caches the analysis of a memory of a tenant that was read from the store in the epoch. It ignores
// memories in L0, whose subject is not yet set.
func (r *ReadingCache) Keep(of graph.Tenant, m *graph.Memory, x *conflict.Analysis, epoch int) {
	if m.State().Tier == graph.L0 {
		return
	}
	key, packed := tenantMemory{of, m.ID}, x.Pack()
	r.mu.Lock()
	defer r.mu.Unlock()
	if epoch != r.epoch || r.kept.Contains(key) {
		return
	}
	r.kept.Add(key, packed)
	for r.bytes += readingBase + len(packed); r.bytes > readingsBytes; {
		r.kept.RemoveOldest()
	}
}

// Read returns the analysis of a stored memory of a tenant, from the cache if possible.
func (r *ReadingCache) Read(of graph.Tenant, m *graph.Memory) conflict.Analysis {
	epoch := r.Epoch()
	if x := r.Get(of, m.ID); x != "" && m.State().Tier != graph.L0 {
		return x.Analysis()
	}
	x := conflict.Analyse(StatementOf(m))
	r.Keep(of, m, &x, epoch)
	return x
}

// forget empties the cache, so that no text remains after an erasure.
func (r *ReadingCache) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Purge()
	r.epoch++
}

// StatementOf returns the conflict scorer's input for a memory.
func StatementOf(m *graph.Memory) conflict.Statement {
	return conflict.Statement{Text: m.Content, Subject: SubjectOf(m), Predicate: m.Predicate, Object: m.Object, At: m.OccurredAt}
}

// SubjectOf is the subject of a memory. Where an earlier version took the agent that wrote a text down for the user who says "I" in it, the
// claims of the memory tell.
func SubjectOf(m *graph.Memory) string {
	if m.SourceKind != graph.FromUser || m.Stated || m.Subject == "" || m.Subject != extract.Canonical(m.Agent) {
		return m.Subject
	}
	speaker := extract.Canonical(Speaker(m))
	for _, c := range m.Claims {
		if len(c.History) > 0 && extract.Canonical(c.History[0].Subject) == speaker {
			return speaker
		}
	}
	return m.Subject
}
