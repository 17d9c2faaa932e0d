package workspace

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

const (
	saidKept    = 8192  // prepared statements that are cached; one takes a few kilobytes
	relatedKept = 32768 // relations of two statements that are cached; one takes about 250 bytes
)

// SaidCache caches the statements of memories as the relation model reads them, and the relations of two.
// The text of an id never changes, consecutive writes are compared with the same neighbours, and searches
// find the same memories again. Every entry belongs to a tenant. It is safe for concurrent use.
type SaidCache struct {
	lookups
	mu      sync.Mutex
	kept    *simplelru.LRU[tenantMemory, *reader.Prepared]
	related *simplelru.LRU[relatedKey, reader.Relation]
	epoch   int // number of forgets; statements read before one are not cached
}

// relatedKey is two memories of a tenant.
type relatedKey struct {
	tenant         graph.Tenant
	earlier, later graph.ID
}

func newSaidCache() *SaidCache {
	kept, err := simplelru.NewLRU[tenantMemory, *reader.Prepared](saidKept, nil)
	if err != nil { // only for a size below 1
		panic(err)
	}
	related, err := simplelru.NewLRU[relatedKey, reader.Relation](relatedKept, nil)
	if err != nil {
		panic(err)
	}
	return &SaidCache{kept: kept, related: related}
}

// Relate returns the relation of two stored memories of a tenant, from the cache if possible.
func (x *SaidCache) Relate(of graph.Tenant, earlier, later *graph.Memory) reader.Relation {
	pair := relatedKey{of, earlier.ID, later.ID}
	x.mu.Lock()
	r, known := x.related.Get(pair)
	epoch := x.epoch
	x.mu.Unlock()
	if known {
		return r
	}
	r = x.Read(of, earlier).Relate(x.Read(of, later))
	x.mu.Lock()
	defer x.mu.Unlock()
	if epoch == x.epoch {
		x.related.Add(pair, r)
	}
	return r
}

// Get returns a cached statement, or nil.
func (x *SaidCache) Get(of graph.Tenant, id graph.ID) *reader.Prepared {
	x.mu.Lock()
	defer x.mu.Unlock()
	p, known := x.kept.Get(tenantMemory{of, id})
	x.count(known)
	return p
}

// Read returns the statement of a stored memory of a tenant, from the cache if possible.
func (x *SaidCache) Read(of graph.Tenant, m *graph.Memory) *reader.Prepared {
	key := tenantMemory{of, m.ID}
	x.mu.Lock()
	p, known := x.kept.Get(key)
	x.count(known)
	epoch := x.epoch
	x.mu.Unlock()
	if known {
		return p
	}
	p = reader.Prepare(StatementBy(m))
	x.mu.Lock()
	defer x.mu.Unlock()
	if epoch == x.epoch {
		x.kept.Add(key, p)
	}
	return p
}

// forget empties the cache, so that no text remains after an erasure.
func (x *SaidCache) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.kept.Purge()
	x.related.Purge()
	x.epoch++
}

// StatementBy returns what a memory says, who said it and when, for the relation model. A
// subject, predicate and object that the caller gave replace the reading of the text.
func StatementBy(m *graph.Memory) reader.Statement {
	s := reader.Statement{Text: m.Content, Speaker: Speaker(m), User: lifecycle.UserIn(m), At: m.OccurredAt}
	if m.Stated {
		s.Subject, s.Predicate, s.Object = m.Subject, m.Predicate, m.Object
		s.Single = extract.Functional(m.Predicate)
	}
	return s
}

// PrincipalOf returns the principal of a write: the source that it names, where the sources
// of the caller are principals themselves, else the caller.
func PrincipalOf(c Caller, source string) string {
	if c.Sources && source != "" {
		return source
	}
	return c.Name
}

// SameSpeaker reports whether two memories are by the same principal, user, role and agent. A
// memory without a stored principal has no known speaker.
func SameSpeaker(a, b *graph.Memory) bool {
	return a.Principal != "" && a.Principal == b.Principal && a.User == b.User && a.SourceKind == b.SourceKind && a.Agent == b.Agent
}

// NamedSpeaker reports whether it is known who "I" is in the text of a memory.
func NamedSpeaker(m *graph.Memory) bool {
	if m.SourceKind == graph.FromUser {
		return m.User != ""
	}
	return m.Agent != ""
}
