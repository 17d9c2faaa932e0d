package library

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
)

// part is one chunk of the content to store.
type part struct {
	headings []string
	text     string // with its headings
	hash     string
	line     int
}

// slot is one position of the next version, and how it is filled: by a chunk that stays, by one
// that had ended, or by a new one, which may replace another.
type slot struct {
	stays    *graph.Memory
	ended    *graph.Memory
	replaces *graph.Memory // by a new chunk; nil: nothing
}

// isNew reports whether the slot needs a new chunk.
func (s *slot) isNew() bool { return s.stays == nil && s.ended == nil }

// plan is the difference between the stored chunks of a document and its content.
type plan struct {
	slots []slot
	gone  []*graph.Memory // chunks that end without a successor
}

// stored are the chunks of a document that are known.
type stored struct {
	current []*graph.Memory // in order; nil where one was erased
	former  []*graph.Memory // oldest first
}

// planChanges compares content with what is stored. A chunk stays if its hash and permission are
// the same, wherever it stands. A chunk that had ended comes back for the same hash. A new chunk
// replaces one that does not stay: one between the same neighbours, preferably under the same headings.
func planChanges(parts []part, s stored, consent graph.Consent, project string, now time.Time) plan {
	p := plan{slots: make([]slot, len(parts))}
	same := func(m *graph.Memory) bool { return m.Consent == consent && m.Project == project }
	staying, ended := map[string][]*graph.Memory{}, map[string][]*graph.Memory{}
	for _, m := range s.current {
		switch {
		case m == nil || m.Chunk == nil || !same(m):
		case m.Status() == graph.Archived:
			ended[m.Chunk.Hash] = append(ended[m.Chunk.Hash], m)
		case m.Status() != graph.Forgotten:
			staying[m.Chunk.Hash] = append(staying[m.Chunk.Hash], m)
		}
	}
	for _, m := range slices.Backward(s.former) {
		if m != nil && m.Chunk != nil && same(m) && ingest.Restorable(m, now) {
			ended[m.Chunk.Hash] = append(ended[m.Chunk.Hash], m)
		}
	}
	take := func(from map[string][]*graph.Memory, hash string) *graph.Memory {
		found := from[hash]
		if len(found) == 0 {
			return nil
		}
		from[hash] = found[1:]
		return found[0]
	}
	kept := map[graph.ID]int{} // to the position in the next version
	for i, x := range parts {
		if m := take(staying, x.hash); m != nil {
			p.slots[i].stays, kept[m.ID] = m, i
		}
	}
	for i, x := range parts {
		if p.slots[i].stays == nil {
			if m := take(ended, x.hash); m != nil {
				p.slots[i].ended, kept[m.ID] = m, i
			}
		}
	}
	p.gone = pairSuccessors(p.slots, parts, s.current, kept)
	return p
}

// pairSuccessors sets which stored chunk each new one replaces. It returns the stored chunks that
// nothing replaces.
func pairSuccessors(slots []slot, parts []part, current []*graph.Memory, kept map[graph.ID]int) []*graph.Memory {
	type leaving struct {
		m   *graph.Memory
		gap int // position in the next version of the last chunk before it that stays
	}
	var old []leaving
	gap := -1
	for _, m := range current {
		if m == nil || m.Chunk == nil {
			continue
		}
		if at, stays := kept[m.ID]; stays {
			gap = at
		} else if ingest.InPlace(m) || m.Status() == graph.Archived {
			old = append(old, leaving{m, gap})
		}
	}
	headings := func(h []string) string { return strings.Join(h, "\x00") }
	// From the surest sign of a successor to the weakest.
	for _, sign := range []func(gap int, h []string) string{
		func(gap int, h []string) string { return strconv.Itoa(gap) + "\x00" + headings(h) },
		func(gap int, _ []string) string { return strconv.Itoa(gap) },
		func(_ int, h []string) string { return headings(h) },
	} {
		bySign := map[string][]int{}
		for i, x := range old {
			if x.m != nil {
				key := sign(x.gap, x.m.Chunk.Headings)
				bySign[key] = append(bySign[key], i)
			}
		}
		gap := -1
		for i := range slots {
			if !slots[i].isNew() {
				gap = i
				continue
			}
			key := sign(gap, parts[i].headings)
			if found := bySign[key]; len(found) > 0 && slots[i].replaces == nil {
				slots[i].replaces, old[found[0]].m = old[found[0]].m, nil
				bySign[key] = found[1:]
			}
		}
	}
	var gone []*graph.Memory
	for _, x := range old {
		if x.m != nil {
			gone = append(gone, x.m)
		}
	}
	return gone
}

// changes counts the memories that the plan writes.
func (p *plan) changes() int {
	n := len(p.gone)
	for i := range p.slots {
		s := &p.slots[i]
		switch {
		case s.stays != nil && s.stays.Chunk.Index != i, s.ended != nil:
			n++
		case s.isNew():
			n++
			if s.replaces != nil {
				n++
			}
		}
	}
	return n
}

// fresh counts the new chunks.
func (p *plan) fresh() int {
	n := 0
	for i := range p.slots {
		if p.slots[i].isNew() {
			n++
		}
	}
	return n
}
