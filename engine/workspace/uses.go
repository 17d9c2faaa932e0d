package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Use is a use of memories, as opposed to an exposure: their text was not only shown. ADR 62.
type Use struct {
	Memories []graph.ID
	Source   string // who used them; a source reinforces a memory once a day
	Session  string // see SessionOf; empty: a repetition, which is no evidence of use in a session
	At       time.Time
}

// SessionOf names the session of a use by a source: the conversation if it has a name, else the
// source and the UTC day.
func SessionOf(source, conversation string, at time.Time) string {
	if conversation == "" {
		return "day\x00" + source + "\x00" + strconv.Itoa(int(graph.Day(at)))
	}
	return "session\x00" + source + "\x00" + conversation
}

// Reinforcement names the use of a memory by a source that repeats it. It is a source of its
// own, so that a repetition and a use count apart.
func Reinforcement(id graph.ID, source string, at time.Time) Use {
	return Use{Memories: []graph.ID{id}, Source: "repeats\x00" + source, At: at}
}

// usage is the form in which stores count the use, but for a key of the store.
func (u Use) usage() graph.Use {
	if u.Session == "" {
		return graph.Use{At: u.At}
	}
	sum := sha256.Sum256([]byte(u.Session))
	return graph.Use{At: u.At, Sessions: graph.Sessions{binary.BigEndian.Uint64(sum[:8])}}
}

// maxUsedToday is the number of memories of a day whose sources are remembered.
const maxUsedToday = 1 << 16

// useLedger knows who used which memory today, so that a source reinforces a memory once a day.
// It is safe for concurrent use.
type useLedger struct {
	mu      sync.Mutex
	day     int32
	sources map[graph.ID][]uint64 // hashes of the sources of the day

	uses, exposures atomic.Int64
}

// take returns the memories that the use counts for, and remembers its source. days returns the
// days of use of a memory as far as the index knows them. A memory that was used today by unknown
// sources (before a restart, or on another server) does not count again.
func (l *useLedger) take(u Use, days func(graph.ID) []int32) []graph.ID {
	h := fnv.New64a()
	_, _ = h.Write([]byte(u.Source)) // never fails
	source, day := h.Sum64(), graph.Day(u.At)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.day != day || l.sources == nil {
		l.day, l.sources = day, map[graph.ID][]uint64{}
	}
	var counts []graph.ID
	for _, id := range u.Memories {
		if slices.Contains(counts, id) || slices.Contains(l.sources[id], source) {
			continue
		}
		if _, today := slices.BinarySearch(days(id), day); today && l.sources[id] == nil {
			continue
		}
		if l.sources[id] == nil && len(l.sources) >= maxUsedToday {
			continue
		}
		l.sources[id] = append(l.sources[id], source)
		counts = append(counts, id)
	}
	return counts
}

// forgetDay forgets the sources of the day after a failure or an erasure.
func (l *useLedger) forgetDay() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sources = nil
}

// Reinforces reports whether a repetition by a source would be the first of the day.
func (t *Tenant) Reinforces(u Use) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(u.Source)) // never fails
	l := &t.uses
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.day != graph.Day(u.At) || !slices.Contains(l.sources[u.Memories[0]], h.Sum64())
}

// FirstToday returns the memories to which the source of u does something for the first time on
// the day, and remembers it. It is for reinforcements that are no uses.
func (t *Tenant) FirstToday(u Use) []graph.ID {
	return t.uses.take(u, func(graph.ID) []int32 { return nil })
}

// Expose counts memories that were shown and not used. It has no consequence.
func (t *Tenant) Expose(n int) { t.uses.exposures.Add(int64(max(0, n))) }

// UsesAndExposures returns how many uses and exposures were counted since the tenant was opened.
func (t *Tenant) UsesAndExposures() (uses, exposures int) {
	return int(t.uses.uses.Load()), int(t.uses.exposures.Load())
}

// CountUses durably counts a use, once for each memory, source and UTC day, and updates the
// index. It returns the memories for which it counted, and whether the store accepted that. If
// the store accepts no writes, as on a full disk, reads still answer and committed writes stay
// acknowledged.
func (ws *Space) CountUses(ctx context.Context, t *Tenant, u Use) (counted []graph.ID, ok bool) {
	counted = t.uses.take(u, func(id graph.ID) []int32 {
		if d, known := ws.Index.Doc(t.Scope, id); known {
			return d.Usage.Days
		}
		return nil
	})
	if len(counted) == 0 {
		return nil, true
	}
	use := u.usage()
	use.Sessions = graph.KeyedSessions(ws.Store, t.Scope.Tenant, use.Sessions)
	if err := ws.Store.CountUses(ctx, t.Scope, counted, use); err != nil {
		ws.Log.Warn("[READ] uses were not counted", "items", len(counted), "error", err)
		t.uses.forgetDay()
		return nil, false
	}
	t.uses.uses.Add(int64(len(counted)))
	ws.Index.Touch(t.Scope, counted, use)
	return counted, true
}
