package index

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Spreading activation (Collins and Loftus, 1975; the fan effect of Anderson, 1974): every seed
// starts with activation 1. An entity with activation a and fan f (its current mentions and
// relations) emits
//
//	e = a / (1 + ln f)
//
// to each memory that mentions it, so a hub activates each of them only a little. Along a
// relation it passes e·hopDecay·w to the other entity; w is the relation's strength now divided
// by the strongest relation of the entity. Through a memory with m entities it passes
// e·hopDecay/(1 + ln m) to the others. An entity takes the highest activation that reaches it
// and is visited once. A memory's activation is 1 − Π(1 − e) over all emissions that reach it,
// in [0,1].
const (
	hopDecay         = 0.5
	spreadBudget     = 5000 // entities and memories visited in one query
	strengthHalfLife = 90.0 // days, for the strength of a relation
	defaultHops      = 2
	maxHops          = 6
)

// activatedMemory is a memory that activation reached.
type activatedMemory struct {
	slotRef
	level     float64
	strongest float64  // the strongest single emission
	entity    graph.ID // the entity of that emission
}

// activatedEntity is an entity that activation reached.
type activatedEntity struct {
	id    graph.ID
	level float64
	from  graph.ID // the previous entity on the path; empty for a seed
}

// slotRef is a slot of one of the views of a query.
type slotRef struct {
	part int
	slot uint32
}

// activation is one run over the views of a query.
type activation struct {
	entities        *entityIndex
	parts           []*partitionQuery
	partitionByName map[string]int // namespace → index in parts
	scope           entityScope
	stated          func([]*relation) []*relation // those of the relations that are visible; nil: all are
	recorded        int64                         // entities and relations must be recorded at this instant
	valid           int64                         // relations must be valid at this instant
	budget          int
	hops            int
	activated       map[graph.ID]activatedEntity
	next            map[graph.ID]activatedEntity
	memories        []activatedMemory
	memoriesBuf     *[]activatedMemory // pooled buffer of memories
}

var activePool = sync.Pool{New: func() any { return new([]activatedMemory) }}

// reachedSlots are, by slot, the places in activation.memories, from 1; 0: not reached.
type reachedSlots []int32

var reachedSlotsPool = sync.Pool{New: func() any { return new(reachedSlots) }}

// takeReachedSlots takes at least n zeros from the pool. The caller returns them to the pool as
// zeros.
func takeReachedSlots(n int) *reachedSlots {
	r := reachedSlotsPool.Get().(*reachedSlots)
	if len(*r) < n {
		*r = make(reachedSlots, n+n/8)
	}
	return r
}

// reachedAt returns the reached memory of a slot, or nil.
func (s *activation) reachedAt(p slotRef) *activatedMemory {
	if r := s.parts[p.part].reached; r != nil {
		if i := (*r)[p.slot]; i > 0 {
			return &s.memories[i-1]
		}
	}
	return nil
}

// memoryAt returns the reached memory of a slot and adds it if it is new.
func (s *activation) memoryAt(p slotRef) *activatedMemory {
	part := s.parts[p.part]
	if part.reached == nil {
		part.reached = takeReachedSlots(part.view.n)
	}
	i := &(*part.reached)[p.slot]
	if *i == 0 {
		s.memories = append(s.memories, activatedMemory{slotRef: p})
		*i = int32(len(s.memories))
	}
	return &s.memories[*i-1]
}

// free returns the pooled buffers of the run.
func (s *activation) free() {
	for _, m := range s.memories {
		(*s.parts[m.part].reached)[m.slot] = 0
	}
	for _, p := range s.parts {
		if p.reached != nil {
			reachedSlotsPool.Put(p.reached)
			p.reached = nil
		}
	}
	clear(s.memories)
	*s.memoriesBuf = s.memories[:0]
	activePool.Put(s.memoriesBuf)
	s.memories = nil
}

// run spreads activation from the seeds and returns the memories that it reached.
func (s *activation) run(seeds []graph.ID) []activatedMemory {
	s.activated = map[graph.ID]activatedEntity{}
	s.memoriesBuf = activePool.Get().(*[]activatedMemory)
	s.memories = *s.memoriesBuf
	var frontier []activatedEntity
	for _, id := range seeds {
		if _, twice := s.activated[id]; !twice && s.visibleEntity(id) != nil {
			frontier = append(frontier, activatedEntity{id: id, level: 1})
			s.activated[id] = activatedEntity{id: id, level: 1}
		}
	}
	for hop := 1; hop <= s.hops && len(frontier) > 0; hop++ {
		s.next = map[graph.ID]activatedEntity{}
		slices.SortFunc(frontier, func(a, b activatedEntity) int {
			if c := cmp.Compare(b.level, a.level); c != 0 {
				return c
			}
			return cmp.Compare(a.id, b.id)
		})
		for _, from := range frontier {
			if s.budget <= 0 {
				return s.memories
			}
			s.budget--
			s.emit(from, hop < s.hops)
		}
		frontier = frontier[:0]
		for id, st := range s.next {
			s.activated[id] = st
			frontier = append(frontier, st)
		}
	}
	return s.memories
}

// visibleEntity returns the entity if it is in scope and was first seen by the recorded instant,
// else nil.
func (s *activation) visibleEntity(id graph.ID) *graph.Entity {
	e := s.entities.entity(id)
	if e == nil || !s.scope.sees(e) || unixMillis(e.FirstSeen) > s.recorded {
		return nil
	}
	return e
}

// emit activates the memories of an entity and, if onward is set, the entities next to it.
func (s *activation) emit(from activatedEntity, onward bool) {
	e := s.entities.entity(from.id)
	if e == nil {
		return // an erasure removed it after it was reached: the entity index is always current
	}
	var items []posting
	part, here := s.partitionByName[e.Namespace]
	if here {
		_, items = s.parts[part].view.lookup(keyEntity, string(from.id))
	}
	edges := s.entities.relationsOf(from.id)
	if s.stated != nil {
		edges = s.stated(edges)
	}
	emit := from.level / fanFactor(len(items)+len(edges))
	for i := len(items) - 1; i >= 0 && s.budget > 0; i-- { // newest first
		p := s.parts[part]
		if !p.matches.all.Has(items[i].slot) {
			continue
		}
		s.budget--
		m := s.memoryAt(slotRef{part, items[i].slot})
		m.level = 1 - (1-m.level)*(1-emit)
		if emit > m.strongest {
			m.strongest, m.entity = emit, from.id
		}
		if onward {
			others := p.view.doc(items[i].slot).Entities
			for _, id := range others {
				s.activate(id, from.id, emit*hopDecay/fanFactor(len(others)))
			}
		}
	}
	if onward {
		s.emitAlongRelations(from, edges, emit)
	}
}

// emitAlongRelations passes activation along relations that are recorded and valid.
func (s *activation) emitAlongRelations(from activatedEntity, edges []*relation, emit float64) {
	strongest := 0.0
	for _, r := range edges {
		if s.isValid(r) {
			strongest = max(strongest, s.currentStrength(r))
		}
	}
	if strongest <= 0 {
		return
	}
	for _, r := range edges {
		if !s.isValid(r) {
			continue
		}
		other := r.target
		if other == from.id {
			other = r.source
		}
		s.activate(other, from.id, emit*hopDecay*s.currentStrength(r)/strongest)
	}
}

func (s *activation) isValid(r *relation) bool {
	return r.recorded <= s.recorded && r.validFrom <= s.valid && (r.validTo == 0 || s.valid < r.validTo)
}

// currentStrength returns the decayed strength of a relation at the recorded instant.
func (s *activation) currentStrength(r *relation) float64 {
	days := float64(s.recorded-r.strengthAt) / 86_400_000
	return r.strength * math.Exp2(-max(0, days)/strengthHalfLife)
}

// activate adds an entity to the next hop, or raises its activation there.
func (s *activation) activate(id, from graph.ID, level float64) {
	if _, entered := s.activated[id]; entered {
		return
	}
	have, offered := s.next[id]
	if !offered && s.visibleEntity(id) == nil {
		return
	}
	if level > have.level || level == have.level && from < have.from {
		s.next[id] = activatedEntity{id: id, level: level, from: from}
	}
}

// path returns the entities from a seed to last.
func (s *activation) path(last graph.ID) []graph.ID {
	var path []graph.ID
	for id := last; id != ""; id = s.activated[id].from {
		path = append(path, id)
	}
	slices.Reverse(path)
	return path
}

// fanFactor is 1 + ln f for a fan of f ≥ 1, else 1.
func fanFactor(fan int) float64 { return 1 + math.Log(float64(max(1, fan))) }
