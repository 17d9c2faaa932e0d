package index

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Slots number the memories of a partition from 0. A memory keeps its slot until it
// is forgotten; slots are renumbered only when a partition is rebuilt.

// chunk holds what is known of chunkSize slots. Published chunks are never changed, but for
// Docs that differ from the ones before in their usage alone (writer.replace): every search
// counts uses, and no copy is worth that.
type chunk struct {
	docs [slots.ChunkSize]atomic.Pointer[Doc] // nil: the slot is dead
	text [slots.ChunkSize]*terms
	col  *columns
}

// columns hold what filters read of chunkSize slots, column by column. Instants are
// Unix milliseconds; 0 is absent.
type columns struct {
	serial                          uint64 // other columns of the partition, or these before they were published, have another
	flags                           [slots.ChunkSize]uint8
	status, kind, consent           [slots.ChunkSize]uint8 // ordinals in graph.Statuses, graph.Types, graph.Consents
	user, session, project, subject [slots.ChunkSize]uint32
	before, after                   [slots.ChunkSize]uint32 // neighbours in the session, by event time; none at its ends
	length                          [slots.ChunkSize]float32
	asks                            [slots.ChunkSize]float32
	occurred, born, since           [slots.ChunkSize]int64 // event time, first and last recorded state
	expires, validFrom, validTo     [slots.ChunkSize]int64
	authority, importance           [slots.ChunkSize]float64
}

// Flags of a slot.
const (
	flagLive      = 1 << iota // the slot holds a memory
	flagVector                // its vector is in the scan
	flagVectorBit = 1         // the place of flagVector
)

func newChunk(serial uint64) *chunk { return &chunk{col: &columns{serial: serial}} }

// clone is a copy to be changed. Its caller is the only one who changes c.
func (c *chunk) clone() *chunk {
	n := &chunk{text: c.text, col: c.col}
	for i := range c.docs {
		n.docs[i].Store(c.docs[i].Load())
	}
	return n
}

// fill writes the columns of a slot from its Doc, but for the neighbours and the flag of
// the vector. groups are the ordinals of its user, session, project and subject.
func (c *columns) fill(i uint32, d *Doc, g groupIDs, length float32) {
	last := d.History[len(d.History)-1]
	c.flags[i] = c.flags[i]&flagVector | flagLive
	c.status[i] = ordinal(graph.Statuses, last.Status)
	c.kind[i] = ordinal(graph.Types, d.Type)
	c.consent[i] = ordinal(graph.Consents, d.Consent)
	c.user[i], c.session[i], c.project[i], c.subject[i] = g.user, g.session, g.project, g.subject
	c.length[i], c.asks[i] = length, d.Asks
	c.occurred[i], c.born[i], c.since[i] = millis(d.OccurredAt), millis(d.History[0].From), millis(last.From)
	c.expires[i], c.validFrom[i], c.validTo[i] = millis(d.ExpiresAt), millis(d.ValidFrom), millis(last.ValidTo)
	c.authority[i], c.importance[i] = d.Authority, d.Importance
}

// clear leaves nothing of a slot.
func (c *columns) clear(i uint32) {
	c.flags[i], c.status[i], c.kind[i], c.consent[i] = 0, 0, 0, 0
	c.user[i], c.session[i], c.project[i], c.subject[i] = 0, 0, 0, 0
	c.before[i], c.after[i] = slots.None, slots.None
	c.length[i], c.asks[i], c.authority[i], c.importance[i] = 0, 0, 0, 0
	c.occurred[i], c.born[i], c.since[i] = 0, 0, 0
	c.expires[i], c.validFrom[i], c.validTo[i] = 0, 0, 0
}

// ordinal is the place of v in the list; what is not in it has a place behind it.
func ordinal[T comparable](list []T, v T) uint8 {
	if i := slices.Index(list, v); i >= 0 {
		return uint8(i)
	}
	return uint8(len(list))
}

// mask is the set of ordinals of the values.
func mask[T comparable](list []T, values []T) uint32 {
	var m uint32
	for _, v := range values {
		if i := slices.Index(list, v); i >= 0 {
			m |= 1 << i
		}
	}
	return m
}

// millis is the instant in Unix milliseconds, 0 where it is absent.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
