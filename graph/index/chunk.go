package index

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Slots number the memories of a partition from 0. A memory keeps its slot until it is
// forgotten. Only a rebuild of the partition renumbers slots.

// chunk holds the data of slots.ChunkSize slots. A published chunk does not change, with one
// exception: writer.replaceDoc stores a Doc that differs from the previous one only in its
// usage. Every search counts uses, and a copy for each would cost too much.
type chunk struct {
	docs    [slots.ChunkSize]atomic.Pointer[Doc] // nil: the slot is dead
	terms   [slots.ChunkSize]*memoryTerms
	columns *columns
}

// columns hold the fields that filters read of slots.ChunkSize slots, column by column. Instants
// are Unix milliseconds; 0 is absent.
type columns struct {
	serial                              uint64 // unique in the partition; a published version has its own
	flags                               [slots.ChunkSize]uint8
	status, memoryType, consent         [slots.ChunkSize]uint8 // ordinals in graph.Statuses, graph.Types, graph.Consents
	user, session, project, subject     [slots.ChunkSize]uint32
	before, after                       [slots.ChunkSize]uint32 // neighbours in the session, by event time; slots.None at its ends
	length                              [slots.ChunkSize]float32
	questionShare                       [slots.ChunkSize]float32
	occurred, firstRecorded, stateSince [slots.ChunkSize]int64 // event time, first and last recorded state
	expiresAt, validFrom, validTo       [slots.ChunkSize]int64
	authority, importance               [slots.ChunkSize]float64
}

// Flags of a slot.
const (
	flagLive      = 1 << iota // the slot holds a memory
	flagVector                // the vector channel can search its vector
	flagVectorBit = 1         // bit number of flagVector
)

func newChunk(serial uint64) *chunk { return &chunk{columns: &columns{serial: serial}} }

// clone returns a copy that may be changed. Its caller is the only writer of c.
func (c *chunk) clone() *chunk {
	n := &chunk{terms: c.terms, columns: c.columns}
	for i := range c.docs {
		n.docs[i].Store(c.docs[i].Load())
	}
	return n
}

// fill writes the columns of a slot from its Doc, except the session neighbours and flagVector.
// g has the ordinals of its user, session, project and subject.
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

// clear resets all columns of a slot.
func (c *columns) clear(i uint32) {
	c.flags[i], c.status[i], c.memoryType[i], c.consent[i] = 0, 0, 0, 0
	c.user[i], c.session[i], c.project[i], c.subject[i] = 0, 0, 0, 0
	c.before[i], c.after[i] = slots.None, slots.None
	c.length[i], c.questionShare[i], c.authority[i], c.importance[i] = 0, 0, 0, 0
	c.occurred[i], c.firstRecorded[i], c.stateSince[i] = 0, 0, 0
	c.expiresAt[i], c.validFrom[i], c.validTo[i] = 0, 0, 0
}

// ordinal returns the index of v in the list, or the length of the list if v is not in it.
func ordinal[T comparable](list []T, v T) uint8 {
	if i := slices.Index(list, v); i >= 0 {
		return uint8(i)
	}
	return uint8(len(list))
}

// ordinalMask returns the set of ordinals of the values, as bits.
func ordinalMask[T comparable](list []T, values []T) uint32 {
	var m uint32
	for _, v := range values {
		if i := slices.Index(list, v); i >= 0 {
			m |= 1 << i
		}
	}
	return m
}

// unixMillis returns the instant in Unix milliseconds, 0 if it is absent.
func unixMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
