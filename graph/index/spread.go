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
type active struct {
	place
	level  float64
	by     float64 // the strongest single emission
	entity graph.ID
}

// stop is an entity on the way.
type stop struct {
	id    graph.ID
	level float64
	from  graph.ID // the entity before it; empty for a seed
}

// place is a slot of one of the views of a query.
type place struct {
	part int
	slot uint32
}

// spreading is one run over the views of a query.
type spreading struct {
	atlas    *atlas
	parts    []*partQuery
	byName   map[string]int // namespace → place in parts
	scope    scope
	recorded int64 // instant at which entities and relations must be known
	valid    int64 // instant at which relations must hold
	budget   int
	hops     int
	stops    map[graph.ID]stop
	next     map[graph.ID]stop
	memories []active
	borrowed *[]active // what memories began as
}

var activePool = sync.Pool{New: func() any { return new([]active) }}

// reached are the places in spreading.memories, from 1, by slot.
type reached []int32

var reachedPool = sync.Pool{New: func() any { return new(reached) }}

// takeReached returns n zeros. Give them back, as zeros, to the pool.
func takeReached(n int) *reached {
	r := reachedPool.Get().(*reached)
	if len(*r) < n {
		*r = make(reached, n+n/8)
	}
	return r
}

// at is what was reached at a place, if anything.
func (s *spreading) at(p place) *active {
	if r := s.parts[p.part].reached; r != nil {
		if i := (*r)[p.slot]; i > 0 {
			return &s.memories[i-1]
		}
	}
	return nil
}

// reach is what was reached at a place, made where it is new.
func (s *spreading) reach(p place) *active {
	part := s.parts[p.part]
	if part.reached == nil {
		part.reached = takeReached(part.view.n)
	}
	i := &(*part.reached)[p.slot]
	if *i == 0 {
		s.memories = append(s.memories, active{place: p})
		*i = int32(len(s.memories))
	}
	return &s.memories[*i-1]
}

// free gives back what the run borrowed.
func (s *spreading) free() {
	for _, m := range s.memories {
		(*s.parts[m.part].reached)[m.slot] = 0
	}
	for _, p := range s.parts {
		if p.reached != nil {
			reachedPool.Put(p.reached)
			p.reached = nil
		}
	}
	clear(s.memories)
	*s.borrowed = s.memories[:0]
	activePool.Put(s.borrowed)
	s.memories = nil
}

// run spreads from the seeds and returns the memories that were reached.
func (s *spreading) run(seeds []graph.ID) []active {
	s.stops = map[graph.ID]stop{}
	s.borrowed = activePool.Get().(*[]active)
	s.memories = *s.borrowed
	var frontier []stop
	for _, id := range seeds {
		if _, twice := s.stops[id]; !twice && s.known(id) != nil {
			frontier = append(frontier, stop{id: id, level: 1})
			s.stops[id] = stop{id: id, level: 1}
		}
	}
	for hop := 1; hop <= s.hops && len(frontier) > 0; hop++ {
		s.next = map[graph.ID]stop{}
		slices.SortFunc(frontier, func(a, b stop) int {
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
			s.expand(from, hop < s.hops)
		}
		frontier = frontier[:0]
		for id, st := range s.next {
			s.stops[id] = st
			frontier = append(frontier, st)
		}
	}
	return s.memories
}

// known is the entity if the read may know it at its instant, else nil.
func (s *spreading) known(id graph.ID) *graph.Entity {
	e := s.atlas.entity(id)
	if e == nil || !s.scope.sees(e) || millis(e.FirstSeen) > s.recorded {
		return nil
	}
	return e
}

// expand emits from an entity to its memories and, where onward, towards others.
func (s *spreading) expand(from stop, onward bool) {
	e := s.atlas.entity(from.id)
	if e == nil {
		return // an erasure took it since it was reached: the atlas is that of now
	}
	var items []posting
	part, here := s.byName[e.Namespace]
	if here {
		_, items = s.parts[part].view.lists.get(keyEntity, string(from.id))
	}
	edges := s.atlas.around(from.id)
	emit := from.level / damping(len(items)+len(edges))
	for i := len(items) - 1; i >= 0 && s.budget > 0; i-- { // newest first
		p := s.parts[part]
		if !p.pass.all.Has(items[i].slot) {
			continue
		}
		s.budget--
		m := s.reach(place{part, items[i].slot})
		m.level = 1 - (1-m.level)*(1-emit)
		if emit > m.by {
			m.by, m.entity = emit, from.id
		}
		if onward {
			others := p.view.doc(items[i].slot).Entities
			for _, id := range others {
				s.offer(id, from.id, emit*hopDecay/damping(len(others)))
			}
		}
	}
	if onward {
		s.relate(from, edges, emit)
	}
}

// relate passes activation along relations that are known and hold.
func (s *spreading) relate(from stop, edges []*tie, emit float64) {
	strongest := 0.0
	for _, r := range edges {
		if s.holds(r) {
			strongest = max(strongest, s.strength(r))
		}
	}
	if strongest <= 0 {
		return
	}
	for _, r := range edges {
		if !s.holds(r) {
			continue
		}
		other := r.target
		if other == from.id {
			other = r.source
		}
		s.offer(other, from.id, emit*hopDecay*s.strength(r)/strongest)
	}
}

func (s *spreading) holds(r *tie) bool {
	return r.recorded <= s.recorded && r.validFrom <= s.valid && (r.validTo == 0 || s.valid < r.validTo)
}

// strength is what is left of a relation's strength at the recorded instant.
func (s *spreading) strength(r *tie) float64 {
	days := float64(s.recorded-r.strengthAt) / 86_400_000
	return r.strength * math.Exp2(-max(0, days)/strengthHalfLife)
}

// offer activates an entity of the next hop.
func (s *spreading) offer(id, from graph.ID, level float64) {
	if _, entered := s.stops[id]; entered {
		return
	}
	have, offered := s.next[id]
	if !offered && s.known(id) == nil {
		return
	}
	if level > have.level || level == have.level && from < have.from {
		s.next[id] = stop{id: id, level: level, from: from}
	}
}

// via are the entities from a seed to the one that reached a memory.
func (s *spreading) via(last graph.ID) []graph.ID {
	var path []graph.ID
	for id := last; id != ""; id = s.stops[id].from {
		path = append(path, id)
	}
	slices.Reverse(path)
	return path
}

// damping is 1 + ln f for a fan of f ≥ 1, else 1.
func damping(fan int) float64 { return 1 + math.Log(float64(max(1, fan))) }

func compareScores[T ~float32 | ~float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
