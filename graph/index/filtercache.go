package index

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph/index/slots"
)

// Most queries, and every write, filter only by present status, for everybody or for some users.
// The matches of a chunk for such a filter stay valid until the chunk's columns change or a time
// to live in it expires. So they are cached from view to view, and after a write only the
// changed chunks are filtered again.

// cachedFilter holds the matches of one filter by present status.
type cachedFilter struct {
	statuses uint32
	users    []uint32 // ordinals; nil: any user
	slotMatches
	chunks       []validity
	viewValidity validity // of the whole view for which it was computed
}

// validity says how long the matches of a chunk, or of a whole view, are valid.
type validity struct {
	serial      uint64 // of the columns, or of the view
	from, until int64  // milliseconds; no time to live expires in [from, until)
	count       int    // matches in the chunk
}

// maxCachedFilters is how many filters are cached. Each takes a quarter of a megabyte for a
// partition of a million memories.
const maxCachedFilters = 8

// filterCache holds the latest filters of a partition, newest first. Views share it.
type filterCache struct {
	mu           sync.Mutex
	entries      []*cachedFilter
	reusedChunks int // chunks that were not filtered again
}

// get returns the cached matches of a filter, or nil.
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

// put stores the matches of a filter. They replace its previous entry, or else the oldest entry
// when the cache is full.
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

// answers reports whether x has the matches of a filter.
func (x *cachedFilter) answers(s *compiledFilter) bool {
	return x.statuses == s.statuses && (x.users == nil) == (s.users == nil) && slices.Equal(x.users, s.users)
}

// filterPresent returns the slots of a view that have the requested status now and belong to the
// requested users.
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

// validAt reports whether the validity covers a serial at an instant.
func (x *validity) validAt(serial uint64, now int64) bool {
	return x.serial == serial && x.from <= now && now < x.until
}

// filterChunk filters the first n slots of chunk c.
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

// nextExpiry returns the first instant after now at which a time to live in the columns expires.
func nextExpiry(col *columns, n int, now int64) int64 {
	next := int64(math.MaxInt64)
	for _, at := range col.expiresAt[:n] {
		if at > now {
			next = min(next, at)
		}
	}
	return next
}
