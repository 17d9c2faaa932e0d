package index

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// posting is the frequency of a term in a memory, weighted by field.
type posting struct {
	slot      uint32
	frequency float32
}

// postingList holds the slots of one key, ascending. The part that a reader has loaded never
// changes: the writer appends to it or makes a new slice.
type postingList struct {
	ordinal  uint32 // number of the key, never reused
	kind     keyKind
	key      string
	postings []posting
	topics   []uint16 // of a word, see Topics
}

// keyKind is the kind of a list's key.
type keyKind uint8

const (
	keyTerm keyKind = iota
	keyUser
	keySession
	keyProject
	keySubject
	keyTag
	keyEntity
	keyClaim // 8 bytes of a claim key, see ClaimKeys; no Doc names it
)

type listKey struct {
	kind keyKind
	key  string
}

// postings map keys to the slots that have them, for one writer and many readers. The lock is
// held only for single lookups.
type postings struct {
	mu     sync.RWMutex
	lists  map[listKey]*postingList
	slots  map[graph.ID]uint32
	recent []*postingList // recently used lists, by quickHash; nil while there are few lists
	// byOrdinal holds the lists by ordinal, nil for a removed list. Ordinal 0 is not used.
	byOrdinal []*postingList
	topics    Topics // nil: no word has topics
}

func newPostings(topics Topics) *postings {
	return &postings{topics: topics, lists: map[listKey]*postingList{}, byOrdinal: make([]*postingList, 1), slots: map[graph.ID]uint32{}}
}

// slotOf returns the slot of a memory.
func (p *postings) slotOf(id graph.ID) (uint32, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	s, known := p.slots[id]
	return s, known
}

func (p *postings) setSlot(id graph.ID, slot uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots[id] = slot
}

func (p *postings) removeSlot(id graph.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.slots, id)
}

// lookup returns the ordinal and the postings of a key; 0 and nil if there is no list.
func (p *postings) lookup(kind keyKind, key string) (uint32, []posting) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	l := p.lists[listKey{kind, key}]
	if l == nil {
		return 0, nil
	}
	return l.ordinal, l.postings
}

// intern returns the list of a key and makes it if there is none. It copies the key, so that the
// list does not keep a larger text in memory.
func (p *postings) intern(kind keyKind, key string) *postingList {
	if p.recent == nil {
		return p.lookUpOrAdd(kind, key)
	}
	at := &p.recent[quickHash(kind, key)%recentListCount]
	if l := *at; l == nil || l.kind != kind || l.key != key {
		*at = p.lookUpOrAdd(kind, key)
	}
	return *at
}

// recentListCount is how many lists can be found without the map: a word often repeats soon. The
// cache is worth its memory only from minListsForRecent lists on.
const recentListCount, minListsForRecent = 1 << 12, 1 << 11

// quickHash hashes a key by a few of its bytes.
func quickHash(kind keyKind, key string) uint64 {
	x := uint64(kind) + uint64(len(key))<<8
	for i := 0; i < len(key); i += max(1, len(key)/8) {
		x = (x ^ uint64(key[i])) * 0x100000001b3 // FNV prime
	}
	return x ^ x>>32
}

// lookUpOrAdd is intern without the cache.
func (p *postings) lookUpOrAdd(kind keyKind, key string) *postingList {
	k := listKey{kind, key}
	if l := p.lists[k]; l != nil { // the only writer may read without the lock
		return l
	}
	if p.recent == nil && len(p.lists) >= minListsForRecent {
		p.recent = make([]*postingList, recentListCount)
	}
	k.key = strings.Clone(key)
	l := &postingList{ordinal: uint32(len(p.byOrdinal)), kind: kind, key: k.key}
	if kind == keyTerm && p.topics != nil {
		l.topics = p.topics.Of(k.key)
	}
	p.mu.Lock()
	p.lists[k], p.byOrdinal = l, append(p.byOrdinal, l)
	p.mu.Unlock()
	return l
}

// add puts a slot into lists with its frequencies. It replaces the posting of a slot that is
// already in a list.
func (p *postings) add(slot uint32, entries []entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range entries {
		it := posting{slot, e.frequency}
		items := e.list.postings
		if n := len(items); n == 0 || items[n-1].slot < slot {
			e.list.postings = append(items, it)
			continue
		}
		at, found := slices.BinarySearchFunc(items, slot, func(x posting, s uint32) int { return cmp.Compare(x.slot, s) })
		fresh := make([]posting, 0, len(items)+1)
		fresh = append(append(fresh, items[:at]...), it)
		if found {
			at++
		}
		e.list.postings = append(fresh, items[at:]...)
	}
}

// entry is a list of a slot, with the slot's frequency there.
type entry struct {
	list      *postingList
	frequency float32
}

// removeSlots removes slots from lists. An empty list is removed with its key. It makes the new
// lists before it takes the lock, because there is no other writer.
func (p *postings) removeSlots(gone map[*postingList][]uint32) {
	fresh := make(map[*postingList][]posting, len(gone))
	for l, slots := range gone {
		fresh[l] = l.withoutSlots(slots)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	lost := false
	for l, items := range fresh {
		l.postings = items
		if len(items) == 0 {
			delete(p.lists, listKey{l.kind, l.key})
			p.byOrdinal[l.ordinal] = nil
			lost = true
		}
	}
	if lost {
		clear(p.recent)
	}
}

// withoutSlots returns the postings of a list without some slots.
func (l *postingList) withoutSlots(slots []uint32) []posting {
	slices.Sort(slots)
	kept := make([]posting, 0, max(0, len(l.postings)-len(slots)))
	for _, it := range l.postings {
		for len(slots) > 0 && slots[0] < it.slot {
			slots = slots[1:]
		}
		if len(slots) == 0 || slots[0] != it.slot {
			kept = append(kept, it)
		}
	}
	return kept
}
