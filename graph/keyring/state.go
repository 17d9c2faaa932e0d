package keyring

import (
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

const stateName = "reserved"

// ringState is what a ring knows besides its keys. It is a file.
type ringState struct {
	reserved   uint64 // numbers below it may have been given out
	generation uint64 // how often keys were destroyed or the tenant's key was replaced
	seals      uint64 // texts that the tenant's key sealed
	renewing   uint64 // keys below it are being replaced; 0: none are
	first      uint64 // keys below it were replaced and destroyed; 0: none were
}

// parseState reads a state and how many keys each segment has; nil: the state is of an earlier version, which did not count them. The
// states of the first versions have only two numbers.
func parseState(text []byte) (state ringState, counts map[uint64]int, err error) {
	numbers := min(len(text), numbersSize)
	if list := len(text) - numbersSize - 1; list >= 0 && list%countSize == 0 && text[numbersSize] == countsFollow {
		counts = map[uint64]int{}
		for row := range slices.Chunk(text[numbersSize+1:], countSize) {
			counts[binary.BigEndian.Uint64(row)] = int(binary.BigEndian.Uint16(row[8:]))
		}
	} else if len(text) != 16 && len(text) != numbersSize {
		return state, nil, fmt.Errorf("%w: a state of %d bytes", graph.ErrIntegrity, len(text))
	}
	var n [5]uint64
	for i := range numbers / 8 {
		n[i] = binary.BigEndian.Uint64(text[8*i:])
	}
	return ringState{n[0], n[1], n[2], n[3], n[4]}, counts, nil
}

// A state is its numbers, countsFollow, and of each segment its index in 8 bytes and the number of its keys in 2.
const (
	numbersSize  = 40
	countsFollow = 1
	countSize    = 8 + 2
)

// appendCounts appends the numbers of keys of the segments.
func appendCounts(b []byte, counts map[uint64]int) []byte {
	b = append(b, countsFollow)
	for _, index := range slices.Sorted(maps.Keys(counts)) {
		b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint64(b, index), uint16(counts[index]))
	}
	return b
}

func (s ringState) text() []byte {
	var b []byte
	for _, n := range []uint64{s.reserved, s.generation, s.seals, s.renewing, s.first} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

// seal seals a text under the tenant's key, and counts it. A crash loses the count of one call,
// which is little beside the limit.
func (r *Ring) seal(text, additional []byte) ([]byte, error) {
	r.seals++
	return seal(nil, r.key, text, additional, r.random)
}

// saveState writes the state durably.
func (r *Ring) saveState(s ringState) error {
	s.seals = r.seals + 1
	wrapped, err := r.seal(appendCounts(s.text(), r.counts), joined(stateName, filepath.Base(r.dir)))
	if err == nil {
		err = replaceFile(filepath.Join(r.dir, stateName), wrapped, false)
	}
	if err != nil {
		return err
	}
	r.ringState = s
	r.replaced.Store(s.renewing)
	return nil
}
