package keyring

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/somnograph/somnograph/graph"
)

// SegmentKeys is the number of keys that share a file.
const SegmentKeys = 4096

// rowSize is the size of a key in a segment: its place in 2 bytes and its bytes.
const rowSize = 2 + KeySize

// segment holds the keys with the numbers index·SegmentKeys + place + 1 that were not destroyed.
type segment struct {
	index uint64
	rows  []byte // rowSize each, by place
}

// segmentOf returns the segment and the place of a key.
func segmentOf(number uint64) (index uint64, place uint16) {
	return (number - 1) / SegmentKeys, uint16((number - 1) % SegmentKeys)
}

// newSegment makes a segment of random keys.
func newSegment(index uint64, random io.Reader) (*segment, error) {
	s := &segment{index: index, rows: make([]byte, SegmentKeys*rowSize)}
	for place := range SegmentKeys {
		row := s.rows[place*rowSize : (place+1)*rowSize]
		binary.BigEndian.PutUint16(row, uint16(place))
		if _, err := io.ReadFull(random, row[2:]); err != nil {
			return nil, fmt.Errorf("keyring: randomness: %w", err)
		}
	}
	return s, nil
}

// size is the number of keys.
func (s *segment) size() int { return len(s.rows) / rowSize }

// find returns where the row of a place is or would be.
func (s *segment) find(place uint16) (at int, found bool) {
	low, high := 0, s.size()
	for low < high {
		mid := (low + high) / 2
		switch p := binary.BigEndian.Uint16(s.rows[mid*rowSize:]); {
		case p == place:
			return mid, true
		case p < place:
			low = mid + 1
		default:
			high = mid
		}
	}
	return low, false
}

// key returns the key at a place, or ErrDestroyed.
func (s *segment) key(place uint16, random io.Reader) (Key, error) {
	at, found := s.find(place)
	if !found {
		return Key{}, ErrDestroyed
	}
	k := Key{Number: s.index*SegmentKeys + uint64(place) + 1, random: random}
	copy(k.bytes[:], s.rows[at*rowSize+2:])
	return k, nil
}

// without returns a copy without the keys at some places.
func (s *segment) without(places []uint16) *segment {
	gone := make(map[uint16]bool, len(places))
	for _, p := range places {
		gone[p] = true
	}
	left := &segment{index: s.index, rows: make([]byte, 0, len(s.rows))}
	for row := range slices.Chunk(s.rows, rowSize) {
		if !gone[binary.BigEndian.Uint16(row)] {
			left.rows = append(left.rows, row...)
		}
	}
	return left
}

// clear overwrites the keys in memory.
func (s *segment) clear() { clear(s.rows) }

func (r *Ring) segmentPath(index uint64) string {
	return filepath.Join(r.dir, strconv.FormatUint(index, 10))
}

func (r *Ring) segmentData(index uint64) []byte {
	return joined("segment", filepath.Base(r.dir), strconv.FormatUint(index, 10))
}

// readSegment reads a segment; without a file, which Check has looked for, all its keys were destroyed. That can't be so of the segment of the next key, which
// has keys that were never given out: its file is missing then.
func (r *Ring) readSegment(index uint64) (*segment, error) {
	s, _, err := r.loadSegment(index)
	return s, err
}

// loadSegment is readSegment. It reports whether the former key of the tenant seals the segment.
func (r *Ring) loadSegment(index uint64) (s *segment, underFormer bool, err error) {
	wrapped, err := readFile(r.segmentPath(index))
	if errors.Is(err, fs.ErrNotExist) {
		if at, place := segmentOf(r.next); at == index && place > 0 {
			return nil, false, fmt.Errorf("keyring: %w: the file %s is missing; put it back from a copy of the directory of keys", graph.ErrIntegrity, r.segmentPath(index))
		}
		return &segment{index: index}, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("keyring: %w", err)
	}
	rows, underFormer, err := openEither(r.key, r.former, wrapped, r.segmentData(index))
	if err == nil && (len(rows)%rowSize != 0 || len(rows) > SegmentKeys*rowSize) {
		err = fmt.Errorf("%w: a segment of %d bytes", graph.ErrIntegrity, len(rows))
	}
	if err != nil {
		return nil, false, fmt.Errorf("keyring: %w", damaged(r.segmentPath(index), err))
	}
	return &segment{index: index, rows: rows}, underFormer, nil
}

// writeSegment writes a segment durably.
func (r *Ring) writeSegment(s *segment) error {
	wrapped, err := r.seal(s.rows, r.segmentData(s.index))
	if err != nil {
		return err
	}
	return replaceFile(r.segmentPath(s.index), wrapped, true)
}
