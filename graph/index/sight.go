package index

import (
	"context"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Every query reads views that are restricted to the sight of its scope. A restricted view has
// the slots of the visible memories, and its numbers (memories, mean length, and the frequencies of
// words and mentions) count these only. So a score does not depend on what is not visible. The one
// exception is the neighbour graph of a large namespace: it is searched approximately, and which
// memories it misses may depend on all of them.

// maxSights is how many restricted views a partition keeps, the latest.
const maxSights = 8

// sightCache holds the latest restricted views of a partition. Views share it.
type sightCache struct {
	mu      sync.Mutex
	entries []*sightView // newest first
}

// sightView is what a sight shows of a view. Its chunks stay valid until their columns change.
type sightView struct {
	sight  graph.Sight
	view   *view // restricted
	serial uint64
	chunks []sightChunk
}

// sightChunk counts what is visible in a chunk.
type sightChunk struct {
	serial uint64 // of the columns
	live   int
	length float64 // sum
}

// views returns the views of the namespaces, sorted by name, as the sight shows them. Without
// namespaces it returns all.
func (t *tenant) views(s graph.Sight, namespaces []string) []*view {
	var out []*view
	for _, p := range t.partitions(namespaces) {
		if s.Namespace(p.name) {
			out = append(out, p.seenBy(s))
		}
	}
	return out
}

// seenBy returns the last view of a partition in a visible namespace as the sight shows it.
func (p *partition) seenBy(s graph.Sight) *view {
	v := p.view.Load()
	if !s.LimitsOwners() && !s.LimitsClasses() {
		return v
	}
	return v.sights.of(v, graph.Sight{User: s.User, Agent: s.Agent, Consents: s.Consents, Sensitivity: s.Sensitivity})
}

// of returns the view restricted to a sight.
func (k *sightCache) of(v *view, s graph.Sight) *view {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := slices.IndexFunc(k.entries, func(x *sightView) bool { return x.sight.Equal(s) })
	var old *sightView
	if at >= 0 {
		old = k.entries[at]
		if old.serial == v.serial {
			return old.view
		}
		k.entries = slices.Delete(k.entries, at, at+1)
	}
	fresh := restrict(v, s, old)
	k.entries = slices.Insert(k.entries, 0, fresh)
	if len(k.entries) > maxSights {
		k.entries = slices.Delete(k.entries, maxSights, len(k.entries))
	}
	return fresh.view
}

// restrict makes the restricted view. It takes unchanged chunks from an older one, which may be
// nil.
func restrict(v *view, s graph.Sight, old *sightView) *sightView {
	seen := *v
	seen.seen, seen.live, seen.lengthNorm = slots.NewSet(v.n), 0, 0
	fresh := &sightView{sight: s, view: &seen, serial: v.serial, chunks: make([]sightChunk, len(v.chunks))}
	user, _ := v.postings.lookup(keyUser, s.User) // 0: nobody
	length := 0.0
	for c, ch := range v.chunks {
		n := min(slots.ChunkSize, v.n-c*slots.ChunkSize)
		from := c * slots.ChunkSize / 64
		to := min(from+slots.ChunkSize/64, len(seen.seen))
		if old != nil && c < len(old.chunks) && old.chunks[c].serial == ch.columns.serial && to <= len(old.view.seen) {
			copy(seen.seen[from:to], old.view.seen[from:to])
			fresh.chunks[c] = old.chunks[c]
		} else {
			fresh.chunks[c] = restrictChunk(ch, s, user, n, func(i int) { seen.seen.Add(uint32(c*slots.ChunkSize + i)) })
		}
		seen.live += fresh.chunks[c].live
		length += fresh.chunks[c].length
	}
	if seen.live > 0 {
		seen.lengthNorm = float32(bm25K1 * bm25B / (length / float64(seen.live)))
	}
	return fresh
}

// restrictChunk calls add for each of the first n places of a chunk whose memory is visible.
func restrictChunk(ch *chunk, s graph.Sight, user uint32, n int, add func(i int)) sightChunk {
	col := ch.columns
	out := sightChunk{serial: col.serial}
	for i := range n {
		if col.flags[i]&flagLive == 0 || s.Agent == "" && s.User != "" && col.user[i] != 0 && col.user[i] != user {
			continue
		}
		if s.Agent != "" || s.LimitsClasses() {
			d := ch.docs[i].Load()
			if d == nil || !s.Class(d.Consent, d.Sensitivity) || !s.Owner(d.Namespace, d.User) {
				continue
			}
		}
		add(i)
		out.live++
		out.length += float64(col.length[i])
	}
	return out
}

// shows reports whether the view has a memory in a slot.
func (v *view) shows(slot uint32) bool { return v.seen == nil || v.seen.Has(slot) }

// lookup returns the ordinal and the postings of a key, of the visible memories; 0 and nil if
// there is no list.
func (v *view) lookup(kind keyKind, key string) (uint32, []posting) {
	ordinal, items := v.postings.lookup(kind, key)
	if v.seen == nil {
		return ordinal, items
	}
	kept := make([]posting, 0, min(len(items), v.live))
	for _, it := range items {
		if v.seen.Has(it.slot) {
			kept = append(kept, it)
		}
	}
	return ordinal, kept
}

// only returns the matches that are in a set.
func (p slotMatches) only(seen slots.Set) slotMatches {
	out := slotMatches{all: make(slots.Set, len(p.all)), vectors: make(slots.Set, len(p.vectors))}
	for i := range min(len(p.all), len(seen)) {
		out.all[i] = p.all[i] & seen[i]
	}
	for i := range min(len(p.vectors), len(seen)) {
		out.vectors[i] = p.vectors[i] & seen[i]
	}
	out.count = out.all.Count()
	return out
}

// entitiesOf returns which entities a query of a scope shows.
func (t *tenant) entitiesOf(s graph.Sight, namespaces, users []string) entityScope {
	return entityScope{namespaces, users, s, func(e *graph.Entity) bool {
		for _, v := range t.views(s, []string{e.Namespace}) {
			if _, items := v.lookup(keyEntity, string(e.ID)); len(items) > 0 {
				return true
			}
		}
		return false
	}}
}

// statedTo returns a function that returns those of the relations that the sight shows: both ends
// are visible, and so is one of the memories that state it, if any does. It is nil if all
// relations of visible entities are visible. The memories of a relation are read from the store
// when they are first needed. Relations that can't be read are not visible.
func (t *tenant) statedTo(ctx context.Context, s graph.Sight) func([]*relation) []*relation {
	if s.Whole() {
		return nil
	}
	shown := t.entitiesOf(s, nil, nil)
	return func(all []*relation) []*relation {
		if err := t.readStating(ctx, all); err != nil && ctx.Err() == nil {
			t.opts.Logger.Warn("index: the memories of relations could not be read", "tenant", t.scope.Tenant, "error", err)
		}
		var kept []*relation
		for _, r := range all {
			stating := r.statedBy.Load()
			if stating == nil || !t.showsEntity(shown, r.source) || !t.showsEntity(shown, r.target) {
				continue
			}
			visible := func(id graph.ID) bool { _, _, d := t.findMemory(s, id); return d != nil }
			if len(*stating) == 0 || slices.ContainsFunc(*stating, visible) {
				kept = append(kept, r)
			}
		}
		return kept
	}
}

func (t *tenant) showsEntity(s entityScope, id graph.ID) bool {
	e := t.entities.entity(id)
	return e != nil && s.sees(e)
}

// relationsStatedTo returns the ids of those of the relations that the sight shows.
func (t *tenant) relationsStatedTo(s graph.Sight, ids []graph.ID) []graph.ID {
	stated := t.statedTo(context.Background(), s)
	if stated == nil {
		return ids
	}
	kept := []graph.ID{}
	for _, r := range stated(t.entities.relationsByID(ids)) {
		kept = append(kept, r.id)
	}
	return kept
}

// readStating reads which memories state the relations, where that is not known yet.
func (t *tenant) readStating(ctx context.Context, all []*relation) error {
	var ids []graph.ID
	for _, r := range all {
		if r.statedBy.Load() == nil {
			ids = append(ids, r.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return t.store.View(ctx, t.scope, func(reader graph.Reader) error {
		if ahead, ok := reader.(graph.Expecter); ok {
			if err := ahead.Expect(graph.Expected{Relations: ids}); err != nil {
				return err
			}
		}
		for _, r := range all {
			if r.statedBy.Load() != nil {
				continue
			}
			stored, err := nilIfNotFound(reader.RelationByID(r.id))
			if err != nil {
				return err
			}
			if stored != nil { // else it is being removed
				r.statedBy.Store(&stored.Memories)
			}
		}
		return nil
	})
}
