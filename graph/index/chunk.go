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
	docs    [slots.ChunkSize]atomic.Pointer[Doc] // nil: the slot is dead
	terms   [slots.ChunkSize]*memoryTerms
	columns *columns
}

// columns hold what filters read of chunkSize slots, column by column. Instants are
// Unix milliseconds; 0 is absent.
type columns struct {
	serial                              uint64 // other columns of the partition, or these before they were published, have another
	flags                               [slots.ChunkSize]uint8
	status, memoryType, consent         [slots.ChunkSize]uint8 // ordinals in graph.Statuses, graph.Types, graph.Consents
	user, session, project, subject     [slots.ChunkSize]uint32
	before, after                       [slots.ChunkSize]uint32 // neighbours in the session, by event time; none at its ends
	length                              [slots.ChunkSize]float32
	questionShare                       [slots.ChunkSize]float32
	occurred, firstRecorded, stateSince [slots.ChunkSize]int64 // event time, first and last recorded state
	expiresAt, validFrom, validTo       [slots.ChunkSize]int64
	authority, importance               [slots.ChunkSize]float64
}

// Flags of a slot.
const (
	flagLive      = 1 << iota // the slot holds a memory
	flagVector                // its vector is in the scan
	flagVectorBit = 1         // the place of flagVector
)

func newChunk(serial uint64) *chunk { return &chunk{columns: &columns{serial: serial}} }

// clone is a copy to be changed. Its caller is the only one who changes c.
func (c *chunk) clone() *chunk {
	n := &chunk{terms: c.terms, columns: c.columns}
	for i := range c.docs {
		n.docs[i].Store(c.docs[i].Load())
	}
	return n
}

// fill writes the columns of a slot from its Doc, but for the neighbours and the flag of
// the vector. groups are the ordinals of its user, session, project and subject.
func (c *columns) fill(i uint32, d *Doc, g listOrdinals, length float32) {
	last := d.History[len(d.History)-1]
	c.flags[i] = c.flags[i]&flagVector | flagLive
	c.status[i] = ordinal(graph.Statuses, last.Status)
	c.memoryType[i] = ordinal(graph.Types, d.Type)
	c.consent[i] = ordinal(graph.Consents, d.Consent)
	c.user[i], c.session[i], c.project[i], c.subject[i] = g.user, g.session, g.project, g.subject
	c.length[i], c.questionShare[i] = length, d.QuestionShare
	c.occurred[i], c.firstRecorded[i], c.stateSince[i] = unixMillis(d.OccurredAt), unixMillis(d.History[0].From), unixMillis(last.From)
	c.expiresAt[i], c.validFrom[i], c.validTo[i] = unixMillis(d.ExpiresAt), unixMillis(d.ValidFrom), unixMillis(last.ValidTo)
	c.authority[i], c.importance[i] = d.Authority, d.Importance
}

// clear leaves nothing of a slot.
func (c *columns) clear(i uint32) {
	c.flags[i], c.status[i], c.memoryType[i], c.consent[i] = 0, 0, 0, 0
	c.user[i], c.session[i], c.project[i], c.subject[i] = 0, 0, 0, 0
	c.before[i], c.after[i] = slots.None, slots.None
	c.length[i], c.questionShare[i], c.authority[i], c.importance[i] = 0, 0, 0, 0
	c.occurred[i], c.firstRecorded[i], c.stateSince[i] = 0, 0, 0
	c.expiresAt[i], c.validFrom[i], c.validTo[i] = 0, 0, 0
}

// ordinal is the place of v in the list; what is not in it has a place behind it.
func ordinal[T comparable](list []T, v T) uint8 {
	if i := slices.Index(list, v); i >= 0 {
		return uint8(i)
	}
	return uint8(len(list))
}

// mask is the set of ordinals of the values.
func ordinalMask[T comparable](list []T, values []T) uint32 {
	var m uint32
	for _, v := range values {
		if i := slices.Index(list, v); i >= 0 {
			m |= 1 << i
		}
	}
	return m
}

// millis is the instant in Unix milliseconds, 0 where it is absent.
func unixMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
