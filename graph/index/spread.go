package index

import (
	"math"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Spreading activation (Collins and Loftus, 1975; the fan effect of Anderson, 1974):
// every seed starts with activation 1. An entity with activation a and fan f (its
// mentions and relations, as they stand now) emits
//
//	e = a / (1 + ln f)
//
// to each memory that mentions it, so that a hub says little to any of them. Along a
// relation it passes e·hopDecay·w to the other entity, w being the relation's strength
// now over the strongest around; through a memory with m entities it passes
// e·hopDecay/(1 + ln m) to the others. An entity takes the highest of what reaches it and is
// entered once. A memory's activation is 1 − Π(1 − e) over what reaches it, in [0,1].
const (
	hopDecay         = 0.5
	spreadBudget     = 5000 // entities and memories visited in one query
	strengthHalfLife = 90.0 // days, of a relation's strength
	defaultHops      = 2
	maxHops          = 6
)

// active is a memory that was reached.
type activatedMemory struct {
	slotRef
	level     float64
	strongest float64 // the strongest single emission
	entity    graph.ID
}

// stop is an entity on the way.
type activatedEntity struct {
	id    graph.ID
	level float64
	from  graph.ID // the entity before it; empty for a seed
}

// place is a slot of one of the views of a query.
type slotRef struct {
	part int
	slot uint32
}

// spreading is one run over the views of a query.
type activation struct {
	entities        *entityIndex
	parts           []*partitionQuery
	partitionByName map[string]int // namespace → place in parts
	scope           entityScope
	recorded        int64 // instant at which entities and relations must be known
	valid           int64 // instant at which relations must hold
	budget          int
	hops            int
	activated       map[graph.ID]activatedEntity
	next            map[graph.ID]activatedEntity
	memories        []activatedMemory
	memoriesBuf     *[]activatedMemory // what memories began as
}

var activePool = sync.Pool{New: func() any { return new([]activatedMemory) }}

// reached are the places in spreading.memories, from 1, by slot.
type reachedSlots []int32

var reachedSlotsPool = sync.Pool{New: func() any { return new(reachedSlots) }}

// takeReached returns n zeros. Give them back, as zeros, to the pool.
func takeReachedSlots(n int) *reachedSlots {
	r := reachedSlotsPool.Get().(*reachedSlots)
	if len(*r) < n {
		*r = make(reachedSlots, n+n/8)
	}
	return r
}

// at is what was reached at a place, if anything.
func (s *activation) reachedAt(p slotRef) *activatedMemory {
	if r := s.parts[p.part].reached; r != nil {
		if i := (*r)[p.slot]; i > 0 {
			return &s.memories[i-1]
		}
	}
	return nil
}

// reach is what was reached at a place, made where it is new.
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

// free gives back what the run borrowed.
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

// run spreads from the seeds and returns the memories that were reached.
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
			if a.level != b.level {
				return compareScores(b.level, a.level)
			}
			return compare(a.id, b.id)
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

// known is the entity if the read may know it at its instant, else nil.
func (s *activation) visibleEntity(id graph.ID) *graph.Entity {
	e := s.entities.entity(id)
	if e == nil || !s.scope.sees(e) || unixMillis(e.FirstSeen) > s.recorded {
		return nil
	}
	return e
}

// expand emits from an entity to its memories and, where onward, towards others.
func (s *activation) emit(from activatedEntity, onward bool) {
	e := s.entities.entity(from.id)
	if e == nil {
		return // an erasure took it since it was reached: the atlas is that of now
	}
	var items []posting
	part, here := s.partitionByName[e.Namespace]
	if here {
		_, items = s.parts[part].view.postings.lookup(keyEntity, string(from.id))
	}
	edges := s.entities.relationsOf(from.id)
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

// relate passes activation along relations that are known and hold.
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

// strength is what is left of a relation's strength at the recorded instant.
func (s *activation) currentStrength(r *relation) float64 {
	days := float64(s.recorded-r.strengthAt) / 86_400_000
	return r.strength * math.Exp2(-max(0, days)/strengthHalfLife)
}

// offer activates an entity of the next hop.
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

// via are the entities from a seed to the one that reached a memory.
func (s *activation) path(last graph.ID) []graph.ID {
	var path []graph.ID
	for id := last; id != ""; id = s.activated[id].from {
		path = append(path, id)
	}
	slices.Reverse(path)
	return path
}

// damping is 1 + ln f for a fan of f ≥ 1, else 1.
func fanFactor(fan int) float64 { return 1 + math.Log(float64(max(1, fan))) }

func compareScores[T ~float32 | ~float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
