package index

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// entityIndex holds the entities and relations of a tenant. Returned values never change. The
// lock is held only for single lookups.
type entityIndex struct {
	mu          sync.RWMutex
	entities    map[graph.ID]*graph.Entity
	byName      map[entityName]graph.ID
	tokens      map[graph.ID][]string
	byNameHash  map[uint64][]graph.ID // by hash of a name's tokens; names may collide
	longestName int                   // most tokens of any name so far
	byNamePart  map[string][]graph.ID // by each token of a person's name with several tokens
	relations   map[graph.ID]*relation
	edges       map[graph.ID][]*relation // by either end
}

// relation holds the fields of a relation that spreading activation uses. Instants are Unix
// milliseconds; 0 is absent.
type relation struct {
	id, source, target                       graph.ID
	strength                                 float64 // at strengthAt
	strengthAt, recorded, validFrom, validTo int64
	statedBy                                 atomic.Pointer[[]graph.ID] // memories; nil: not read yet, see tenant.statedTo
}

func newRelation(r *graph.Relation) *relation {
	return &relation{
		id: r.ID, source: r.Source, target: r.Target, strength: r.Strength, strengthAt: unixMillis(r.StrengthAt),
		recorded: unixMillis(r.RecordedAt), validFrom: unixMillis(r.ValidFrom), validTo: unixMillis(r.ValidTo),
	}
}

func newEntityIndex() *entityIndex {
	return &entityIndex{
		entities: map[graph.ID]*graph.Entity{}, byName: map[entityName]graph.ID{}, tokens: map[graph.ID][]string{},
		byNameHash: map[uint64][]graph.ID{}, byNamePart: map[string][]graph.ID{},
		relations: map[graph.ID]*relation{}, edges: map[graph.ID][]*relation{},
	}
}

func (a *entityIndex) entity(id graph.ID) *graph.Entity {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.entities[id]
}

// entityNamed returns the entity of a name.
func (a *entityIndex) entityNamed(n entityName) (graph.ID, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	id, known := a.byName[n]
	return id, known
}

// relationsOf returns the relations of an entity, by id.
func (a *entityIndex) relationsOf(id graph.ID) []*relation {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.edges[id]
}

// relationsAmong returns the ids of the relations with both ends among the entities, ascending.
func (a *entityIndex) relationsAmong(entities []graph.ID) (ids []graph.ID) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, id := range entities {
		for _, r := range a.edges[id] {
			if r.source == id && slices.Contains(entities, r.target) {
				ids = append(ids, r.id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// relationsByID returns the relations with the ids, in their order.
func (a *entityIndex) relationsByID(ids []graph.ID) (found []*relation) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, id := range ids {
		if r := a.relations[id]; r != nil {
			found = append(found, r)
		}
	}
	return found
}

// relationsAfter returns the lowest ids, at most limit, of the relations after the id after whose
// two ends pass, ascending.
func (a *entityIndex) relationsAfter(pass func(*graph.Entity) bool, after graph.ID, limit int) (ids []graph.ID) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	passes := func(id graph.ID) bool {
		e := a.entities[id]
		return e != nil && pass(e)
	}
	for id, r := range a.relations {
		if id <= after || !passes(r.source) || !passes(r.target) {
			continue
		}
		if ids = append(ids, id); len(ids) == 2*limit {
			slices.Sort(ids)
			ids = ids[:limit]
		}
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))]
}

// putEntity adds or replaces an entity; tokens are those of its canonical name.
func (a *entityIndex) putEntity(e *graph.Entity, tokens []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeEntity(e.ID)
	a.entities[e.ID], a.tokens[e.ID], a.byName[nameOfEntity(e)] = e, tokens, e.ID
	if len(tokens) == 0 {
		return
	}
	a.longestName = max(a.longestName, len(tokens))
	sum := tokensHash(tokens)
	a.byNameHash[sum] = insertID(a.byNameHash[sum], e.ID)
	if e.Type == graph.Person && len(tokens) > 1 {
		for _, t := range tokens {
			a.byNamePart[t] = insertID(a.byNamePart[t], e.ID)
		}
	}
}

func (a *entityIndex) dropEntity(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeEntity(id)
}

func (a *entityIndex) removeEntity(id graph.ID) {
	tokens := a.tokens[id]
	if len(tokens) > 0 {
		removeID(a.byNameHash, tokensHash(tokens), id)
		for _, t := range tokens {
			removeID(a.byNamePart, t, id)
		}
	}
	if e := a.entities[id]; e != nil && a.byName[nameOfEntity(e)] == id {
		delete(a.byName, nameOfEntity(e))
	}
	delete(a.entities, id)
	delete(a.tokens, id)
}

func (a *entityIndex) putRelation(r *relation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeRelation(r.id)
	a.relations[r.id] = r
	a.edges[r.source] = insertRelation(a.edges[r.source], r)
	if r.target != r.source {
		a.edges[r.target] = insertRelation(a.edges[r.target], r)
	}
}

func (a *entityIndex) dropRelation(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeRelation(id)
}

func (a *entityIndex) removeRelation(id graph.ID) {
	r := a.relations[id]
	if r == nil {
		return
	}
	delete(a.relations, id)
	for _, end := range [...]graph.ID{r.source, r.target} {
		kept := slices.DeleteFunc(slices.Clone(a.edges[end]), func(o *relation) bool { return o.id == id })
		if len(kept) == 0 {
			delete(a.edges, end)
			continue
		}
		a.edges[end] = kept
	}
}

// insertRelation returns the list with r inserted by id. Readers of the old list see no change.
func insertRelation(rs []*relation, r *relation) []*relation {
	at, _ := slices.BinarySearchFunc(rs, r.id, func(o *relation, id graph.ID) int { return cmp.Compare(o.id, id) })
	if at == len(rs) {
		return append(rs, r) // beyond the length that any reader has
	}
	return slices.Insert(rs[:len(rs):len(rs)], at, r)
}

// insertID returns the ids with id inserted in order. Readers of the old list see no change.
func insertID(ids []graph.ID, id graph.ID) []graph.ID {
	at, found := slices.BinarySearch(ids, id)
	switch {
	case found:
		return ids
	case at == len(ids):
		return append(ids, id) // beyond the length that any reader has
	}
	return slices.Insert(ids[:len(ids):len(ids)], at, id)
}

// tokensHash returns the hash of tokens in their order.
func tokensHash(tokens []string) (sum uint64) {
	for _, t := range tokens {
		sum = extendHash(sum, t)
	}
	return sum
}

func extendHash(sum uint64, token string) uint64 {
	return (sum ^ xxhash.Sum64String(token)) * 0x9e3779b97f4a7c15 // the multiplier is odd, so the step is reversible
}

func removeID[K comparable](m map[K][]graph.ID, key K, id graph.ID) {
	at, found := slices.BinarySearch(m[key], id)
	switch {
	case !found:
	case len(m[key]) == 1:
		delete(m, key)
	default:
		m[key] = slices.Delete(slices.Clone(m[key]), at, at+1)
	}
}

// entityScope limits which entities a read may see.
type entityScope struct {
	namespaces, users []string
	sight             graph.Sight
	mentioned         func(*graph.Entity) bool // by a visible memory
}

func (s entityScope) sees(e *graph.Entity) bool {
	return (len(s.namespaces) == 0 || slices.Contains(s.namespaces, e.Namespace)) &&
		(len(s.users) == 0 || slices.Contains(s.users, e.User)) && s.sight.Owner(e.Namespace, e.User) && (!s.sight.LimitsClasses() || s.mentioned(e))
}

// findInText returns the entities in scope whose name occurs in the text, in order of
// occurrence, each once. At every position the longest name wins. If no whole name matches
// there, a part of a person's name counts if it belongs to one person only. A name or part that
// is a stop word ("Will") counts only if it is capitalised.
func (a *entityIndex) findInText(tokens []string, capital []bool, s entityScope) []graph.ID {
	var found []graph.ID
	for i := 0; i < len(tokens); {
		ids, length := a.longestNames(tokens[i:], capital[i], s)
		if length == 0 {
			ids, length = a.personsByNamePart(tokens[i], capital[i], s), 1
		}
		for _, id := range ids {
			if !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
		i += length
	}
	return found
}

// longestNames returns the entities with the longest name that the tokens begin with.
func (a *entityIndex) longestNames(tokens []string, capital bool, s entityScope) (ids []graph.ID, length int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	sum := uint64(0)
	for n := 1; n <= min(a.longestName, len(tokens)); n++ {
		sum = extendHash(sum, tokens[n-1])
		if n == 1 && text.IsStopWord(tokens[0]) && !capital {
			continue
		}
		var seen []graph.ID
		for _, id := range a.byNameHash[sum] {
			if slices.Equal(a.tokens[id], tokens[:n]) && s.sees(a.entities[id]) {
				seen = append(seen, id)
			}
		}
		if len(seen) > 0 {
			ids, length = seen, n
		}
	}
	return ids, length
}

// personsByNamePart returns the persons whose names contain the token, if all have the same
// name.
func (a *entityIndex) personsByNamePart(token string, capital bool, s entityScope) []graph.ID {
	if text.IsStopWord(token) && !capital || utf8.RuneCountInString(token) < 2 {
		return nil
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	var ids []graph.ID
	for _, id := range a.byNamePart[token] {
		if !s.sees(a.entities[id]) {
			continue
		}
		if len(ids) > 0 && !slices.Equal(a.tokens[ids[0]], a.tokens[id]) {
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}
