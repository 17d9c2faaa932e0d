package index

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// atlas holds the entities and relations of a tenant. What it hands out is never
// changed; the lock is held for single look-ups only.
type atlas struct {
	mu        sync.RWMutex
	entities  map[graph.ID]*graph.Entity
	byName    map[entityName]graph.ID
	tokens    map[graph.ID][]string
	whole     map[uint64][]graph.ID // sum of the tokens of a name; two names may have one
	longest   int                   // no name ever had more tokens
	byPart    map[string][]graph.ID // any token of a person's name of several
	relations map[graph.ID]*tie
	edges     map[graph.ID][]*tie // by either end
}

// tie is what spreading asks of a relation. Instants are Unix milliseconds, 0 is absent.
type tie struct {
	id, source, target                       graph.ID
	strength                                 float64 // at strengthAt
	strengthAt, recorded, validFrom, validTo int64
}

func newTie(r *graph.Relation) *tie {
	return &tie{
		id: r.ID, source: r.Source, target: r.Target, strength: r.Strength, strengthAt: millis(r.StrengthAt),
		recorded: millis(r.RecordedAt), validFrom: millis(r.ValidFrom), validTo: millis(r.ValidTo),
	}
}

func newAtlas() *atlas {
	return &atlas{
		entities: map[graph.ID]*graph.Entity{}, byName: map[entityName]graph.ID{}, tokens: map[graph.ID][]string{},
		whole: map[uint64][]graph.ID{}, byPart: map[string][]graph.ID{},
		relations: map[graph.ID]*tie{}, edges: map[graph.ID][]*tie{},
	}
}

func (a *atlas) entity(id graph.ID) *graph.Entity {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.entities[id]
}

// named is the entity of a name.
func (a *atlas) named(n entityName) (graph.ID, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	id, known := a.byName[n]
	return id, known
}

// around are the relations of an entity, by id.
func (a *atlas) around(id graph.ID) []*tie {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.edges[id]
}

// putEntity writes an entity, new or changed; tokens are those of its canonical name.
func (a *atlas) putEntity(e *graph.Entity, tokens []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeEntity(e.ID)
	a.entities[e.ID], a.tokens[e.ID], a.byName[nameOf(e)] = e, tokens, e.ID
	if len(tokens) == 0 {
		return
	}
	a.longest = max(a.longest, len(tokens))
	sum := sumOf(tokens)
	a.whole[sum] = with(a.whole[sum], e.ID)
	if e.Type == graph.Person && len(tokens) > 1 {
		for _, t := range tokens {
			a.byPart[t] = with(a.byPart[t], e.ID)
		}
	}
}

func (a *atlas) dropEntity(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeEntity(id)
}

func (a *atlas) removeEntity(id graph.ID) {
	tokens := a.tokens[id]
	if len(tokens) > 0 {
		without(a.whole, sumOf(tokens), id)
		for _, t := range tokens {
			without(a.byPart, t, id)
		}
	}
	if e := a.entities[id]; e != nil && a.byName[nameOf(e)] == id {
		delete(a.byName, nameOf(e))
	}
	delete(a.entities, id)
	delete(a.tokens, id)
}

func (a *atlas) putRelation(r *tie) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeRelation(r.id)
	a.relations[r.id] = r
	a.edges[r.source] = joined(a.edges[r.source], r)
	if r.target != r.source {
		a.edges[r.target] = joined(a.edges[r.target], r)
	}
}

func (a *atlas) dropRelation(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeRelation(id)
}

func (a *atlas) removeRelation(id graph.ID) {
	r := a.relations[id]
	if r == nil {
		return
	}
	delete(a.relations, id)
	for _, end := range [...]graph.ID{r.source, r.target} {
		kept := slices.DeleteFunc(slices.Clone(a.edges[end]), func(o *tie) bool { return o.id == id })
		if len(kept) == 0 {
			delete(a.edges, end)
			continue
		}
		a.edges[end] = kept
	}
}

// joined is the list with r in its place by id; the list itself is left as it is.
func joined(rs []*tie, r *tie) []*tie {
	at, _ := slices.BinarySearchFunc(rs, r.id, func(o *tie, id graph.ID) int { return compare(o.id, id) })
	if at == len(rs) {
		return append(rs, r) // behind what anybody reads
	}
	return slices.Insert(rs[:len(rs):len(rs)], at, r)
}

// with is the ids with one in its place; who reads ids sees nothing of it.
func with(ids []graph.ID, id graph.ID) []graph.ID {
	at, found := slices.BinarySearch(ids, id)
	switch {
	case found:
		return ids
	case at == len(ids):
		return append(ids, id) // behind what anybody reads
	}
	return slices.Insert(ids[:len(ids):len(ids)], at, id)
}

// sumOf is the sum of tokens, one taken up after the other.
func sumOf(tokens []string) (sum uint64) {
	for _, t := range tokens {
		sum = takenUp(sum, t)
	}
	return sum
}

func takenUp(sum uint64, token string) uint64 {
	return (sum ^ xxhash.Sum64String(token)) * 0x9e3779b97f4a7c15 // odd: nothing is lost
}

func without[K comparable](m map[K][]graph.ID, key K, id graph.ID) {
	at, found := slices.BinarySearch(m[key], id)
	switch {
	case !found:
	case len(m[key]) == 1:
		delete(m, key)
	default:
		m[key] = slices.Delete(slices.Clone(m[key]), at, at+1)
	}
}

// scope says whose entities a read may know.
type scope struct{ namespaces, users []string }

func (s scope) sees(e *graph.Entity) bool {
	return (len(s.namespaces) == 0 || slices.Contains(s.namespaces, e.Namespace)) &&
		(len(s.users) == 0 || slices.Contains(s.users, e.User))
}

// find answers the entities in scope whose name stands in the text, in order, each
// once. At every place the longest name wins; where no whole name stands, a part of
// a person's name counts if it belongs to one person only. A name or part that is a
// stop word ("Will") counts only where it is written with a capital.
func (a *atlas) find(tokens []string, capital []bool, s scope) []graph.ID {
	var found []graph.ID
	for i := 0; i < len(tokens); {
		ids, length := a.wholeNames(tokens[i:], capital[i], s)
		if length == 0 {
			ids, length = a.partOfName(tokens[i], capital[i], s), 1
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

// wholeNames are the entities with the longest name that the tokens begin with.
func (a *atlas) wholeNames(tokens []string, capital bool, s scope) (ids []graph.ID, length int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	sum := uint64(0)
	for n := 1; n <= min(a.longest, len(tokens)); n++ {
		sum = takenUp(sum, tokens[n-1])
		if n == 1 && text.IsStopWord(tokens[0]) && !capital {
			continue
		}
		var seen []graph.ID
		for _, id := range a.whole[sum] {
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

// partOfName are the persons whose names have the token, if all have one name.
func (a *atlas) partOfName(token string, capital bool, s scope) []graph.ID {
	if text.IsStopWord(token) && !capital || utf8.RuneCountInString(token) < 2 {
		return nil
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	var ids []graph.ID
	for _, id := range a.byPart[token] {
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
