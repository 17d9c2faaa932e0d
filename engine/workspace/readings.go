package workspace

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

// What the engine keeps of memories as the conflict scorer read them. A text never
// changes under an id, and the same neighbours are compared with write after write.
const (
	readingsBytes = 96 << 20 // of all together, about
	readingBase   = 240      // bytes of a place among them, whatever is kept there
)

// ReadingCache remembers how memories were read. It is safe for concurrent use.
type ReadingCache struct {
	mu    sync.Mutex
	kept  *simplelru.LRU[graph.ID, conflict.Packed]
	bytes int
	epoch int // counts what was forgotten: what was read before is not kept
}

func newReadingCache() *ReadingCache {
	r := &ReadingCache{}
	kept, err := simplelru.NewLRU(readingsBytes/readingBase, func(_ graph.ID, x conflict.Packed) { r.bytes -= readingBase + len(x) })
	if err != nil { // only a size below 1
		panic(err)
	}
	r.kept = kept
	return r
}

// Get answers a reading that is kept, empty where there is none.
func (r *ReadingCache) Get(id graph.ID) conflict.Packed {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, _ := r.kept.Get(id)
	return x
}

// Epoch is the epoch under which readings may be kept of what is read from now on.
func (r *ReadingCache) Epoch() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.epoch
}

// Keep takes a reading of a memory that was read from the store in the epoch.
// What is in L0 is not kept: its subject is still to come.
func (r *ReadingCache) Keep(m *graph.Memory, x *conflict.Analysis, epoch int) {
	if m.State().Tier == graph.L0 {
		return
	}
	packed := x.Pack()
	r.mu.Lock()
	defer r.mu.Unlock()
	if epoch != r.epoch || r.kept.Contains(m.ID) {
		return
	}
	r.kept.Add(m.ID, packed)
	for r.bytes += readingBase + len(packed); r.bytes > readingsBytes; {
		r.kept.RemoveOldest()
	}
}

// Read reads a stored memory, once.
func (r *ReadingCache) Read(m *graph.Memory) conflict.Analysis {
	epoch := r.Epoch()
	if x := r.Get(m.ID); x != "" && m.State().Tier != graph.L0 {
		return x.Analysis()
	}
	x := conflict.Analyse(StatementOf(m))
	r.Keep(m, &x, epoch)
	return x
}

// forget drops everything: an erasure leaves no word behind.
func (r *ReadingCache) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Purge()
	r.epoch++
}

// StatementOf is what the conflict scorer sees of a memory.
func StatementOf(m *graph.Memory) conflict.Statement {
	return conflict.Statement{Text: m.Content, Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, At: m.OccurredAt}
}
