package index

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph/index/slots"
)

// Most questions, and every write, ask for what stands at present, of everybody or of some
// users. What of a chunk passes them holds as long as nobody writes the chunk's columns and
// no time to live in it runs out, so it is kept from view to view: a write costs a look at the
// chunks that it changed.

// stands is what passed a question for what stands at present.
type cachedFilter struct {
	statuses uint32
	users    []uint32 // ordinals; nil: anybody
	slotMatches
	chunks       []validity
	viewValidity validity // of the view that it was made for
}

// standing is until when a chunk of stands, or all of it, holds.
type validity struct {
	serial      uint64 // of the columns that were looked at, or of the view
	from, until int64  // milliseconds: between them no time to live runs out
	count       int
}

// keptStands is how many questions are kept: a partition of a million memories takes a
// quarter of a megabyte for each.
const maxCachedFilters = 8

// keptSieves are the latest answers of a partition, newest first. Views share them.
type filterCache struct {
	mu           sync.Mutex
	entries      []*cachedFilter
	reusedChunks int // chunks that were not looked at again
}

// get answers what is kept of a question; nil: nothing.
func (k *filterCache) get(s *compiledFilter) *cachedFilter {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, x := range k.entries {
		if x.answers(s) {
			return x
		}
	}
	return nil
}

// put keeps an answer in the place of the one before it, or of the oldest.
func (k *filterCache) put(s *compiledFilter, fresh *cachedFilter, saved int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reusedChunks += saved
	at := slices.IndexFunc(k.entries, func(x *cachedFilter) bool { return x.answers(s) })
	if at < 0 {
		if len(k.entries) < maxCachedFilters {
			k.entries = append(k.entries, nil)
		}
		at = len(k.entries) - 1
	}
	copy(k.entries[1:at+1], k.entries[:at])
	k.entries[0] = fresh
}

// asks reports whether it is the answer to a question.
func (x *cachedFilter) answers(s *compiledFilter) bool {
	return x.statuses == s.statuses && (x.users == nil) == (s.users == nil) && slices.Equal(x.users, s.users)
}

// standing is what of a view stands now and belongs to the users asked for.
func (v *view) filterPresent(s *compiledFilter) slotMatches {
	old := v.filterCache.get(s)
	if old != nil && old.viewValidity.validAt(v.serial, s.now) {
		return old.slotMatches
	}
	fresh := &cachedFilter{statuses: s.statuses, users: s.users, chunks: make([]validity, len(v.chunks))}
	fresh.all, fresh.vectors = slots.NewSet(v.n), slots.NewSet(v.n)
	fresh.viewValidity = validity{serial: v.serial, from: math.MinInt64, until: math.MaxInt64}
	saved := 0
	for c, ch := range v.chunks {
		n := min(slots.ChunkSize, v.n-c*slots.ChunkSize)
		if old != nil && c < len(old.chunks) && old.chunks[c].validAt(ch.columns.serial, s.now) {
			from := c * slots.ChunkSize / 64
			copy(fresh.all[from:], old.all[from:min(from+slots.ChunkSize/64, len(old.all))])
			copy(fresh.vectors[from:], old.vectors[from:min(from+slots.ChunkSize/64, len(old.vectors))])
			fresh.chunks[c] = old.chunks[c]
			saved++
		} else {
			fresh.filterChunk(s, ch, c, n)
		}
		part := &fresh.chunks[c]
		fresh.slotMatches.count += part.count
		fresh.viewValidity.from, fresh.viewValidity.until = max(fresh.viewValidity.from, part.from), min(fresh.viewValidity.until, part.until)
	}
	v.filterCache.put(s, fresh, saved)
	return fresh.slotMatches
}

// holds reports whether it is true at an instant of what has a serial.
func (x *validity) validAt(serial uint64, now int64) bool {
	return x.serial == serial && x.from <= now && now < x.until
}

// look looks at the first n slots of chunk c.
func (x *cachedFilter) filterChunk(s *compiledFilter, ch *chunk, c, n int) {
	col, count := ch.columns, 0
	for from := 0; from < n; from += 64 {
		var all, vectors uint64
		for j := range min(64, n-from) {
			i := uint32(from + j)
			if !s.passesNow(col, i) || s.users != nil && !slices.Contains(s.users, col.user[i]) {
				continue
			}
			all |= 1 << j
			vectors |= uint64(col.flags[i]>>flagVectorBit&1) << j
		}
		w := (c*slots.ChunkSize + from) / 64
		x.all[w], x.vectors[w] = all, vectors
		count += bits.OnesCount64(all)
	}
	x.chunks[c] = validity{serial: col.serial, from: s.now, until: nextExpiry(col, n, s.now), count: count}
}

// nextExpiry is the first instant after now at which a time to live in the columns runs out.
func nextExpiry(col *columns, n int, now int64) int64 {
	next := int64(math.MaxInt64)
	for _, at := range col.expiresAt[:n] {
		if at > now {
			next = min(next, at)
		}
	}
	return next
}
