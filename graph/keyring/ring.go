package keyring

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

const stateName = "reserved"

// maxSegments is how many segments are kept in memory: 136 KiB each, 34 MiB in all.
const maxSegments = 256

// Ring holds the data keys of a tenant. It is safe for concurrent use.
type Ring struct {
	dir    string
	master []byte
	key    []byte // of the tenant; nil: no key was taken yet
	random io.Reader

	mu         sync.Mutex // guards what follows, and the files
	next       uint64     // number of the next key
	reserved   uint64     // numbers below it may have been given out
	generation uint64
	segments   map[uint64]*segment
	used       map[uint64]uint64 // when a segment was last used, by ticks
	ticks      uint64
}

// openRing opens the ring of a tenant in its directory.
func openRing(dir string, master []byte, random io.Reader) (*Ring, error) {
	key, err := openTenantKey(dir, master)
	if err != nil {
		return nil, err
	}
	r := &Ring{dir: dir, master: master, key: key, random: random, next: 1, reserved: 1, segments: map[uint64]*segment{}, used: map[uint64]uint64{}}
	wrapped, err := readFile(filepath.Join(dir, stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // the first key was never given out
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	state, err := open(nil, key, wrapped, joined(stateName, filepath.Base(dir)))
	if err == nil && len(state) != 16 {
		err = graph.ErrIntegrity
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: %s: %w", stateName, err)
	}
	r.reserved, r.generation = binary.BigEndian.Uint64(state), binary.BigEndian.Uint64(state[8:])
	r.next = r.reserved
	return r, nil
}

// Generation counts how often keys were destroyed. A lower one than before means that an older
// copy of the directory was put back.
func (r *Ring) Generation() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.generation
}

// Issued reports whether a number may have been given out; 0 always was.
func (r *Ring) Issued(number uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return number < r.reserved
}

// Next returns a key that was never given out before. It is durable.
func (r *Ring) Next() (Key, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	index, place := segmentOf(r.next)
	if r.next == r.reserved {
		if err := r.extend(index, place); err != nil {
			return Key{}, err
		}
	}
	s, err := r.segment(index)
	if err != nil {
		return Key{}, err
	}
	k, err := s.key(place, r.random)
	if err != nil {
		return Key{}, fmt.Errorf("%w: key %d was destroyed before it was given out", graph.ErrIntegrity, r.next)
	}
	r.next++
	return k, nil
}

// extend makes the segment of the next number, if the number is its first, and reserves the rest of
// the segment.
func (r *Ring) extend(index uint64, place uint16) (err error) {
	if r.key == nil {
		if r.key, err = makeTenantKey(r.dir, r.master, r.random); err != nil {
			return fmt.Errorf("keyring: %w", err)
		}
	}
	if place == 0 {
		s, err := newSegment(index, r.random)
		if err == nil {
			err = r.writeSegment(s)
		}
		if err != nil {
			return err
		}
		r.keep(s)
	}
	return r.saveState((index+1)*SegmentKeys+1, r.generation)
}

func (r *Ring) saveState(reserved, generation uint64) error {
	state := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, reserved), generation)
	wrapped, err := seal(nil, r.key, state, joined(stateName, filepath.Base(r.dir)), r.random)
	if err == nil {
		err = replaceFile(filepath.Join(r.dir, stateName), wrapped, false)
	}
	if err != nil {
		return err
	}
	r.reserved, r.generation = reserved, generation
	return nil
}

// close gives back the numbers that were reserved and not given out.
func (r *Ring) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.segments {
		s.clear()
	}
	clear(r.segments)
	clear(r.used)
	if r.next == r.reserved {
		return nil
	}
	return r.saveState(r.next, r.generation)
}

// Key returns a key by its number, or ErrDestroyed. A number that was never given out is
// graph.ErrIntegrity: the directory is not the one of this store, or an older copy.
func (r *Ring) Key(number uint64) (Key, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number == 0 || number >= r.reserved {
		return Key{}, fmt.Errorf("%w: key %d is not in the ring; the directory of keys is older than the data", graph.ErrIntegrity, number)
	}
	index, place := segmentOf(number)
	s, err := r.segment(index)
	if err != nil {
		return Key{}, err
	}
	return s.key(place, r.random)
}

// Destroy destroys keys. It is durable when Destroy returns; after an error some may be destroyed,
// and Destroy can be called again. A key that was destroyed before is no error.
func (r *Ring) Destroy(numbers []uint64) error {
	if len(numbers) == 0 {
		return nil
	}
	places := map[uint64][]uint16{}
	for _, n := range numbers {
		if n == 0 {
			return fmt.Errorf("%w: there is no key 0", graph.ErrIntegrity)
		}
		index, place := segmentOf(n)
		places[index] = append(places[index], place)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := slices.Max(numbers); last >= r.reserved {
		return fmt.Errorf("%w: key %d is not in the ring", graph.ErrIntegrity, last)
	}
	for _, index := range slices.Sorted(maps.Keys(places)) {
		s, err := r.segment(index)
		if err != nil {
			return err
		}
		left := s.without(places[index])
		if left.size() == s.size() {
			continue
		}
		if err := r.writeSegment(left); err != nil {
			return err
		}
		s.clear()
		r.keep(left)
	}
	return r.saveState(r.reserved, r.generation+1)
}

// segment returns a segment from memory or disk.
func (r *Ring) segment(index uint64) (*segment, error) {
	if s := r.segments[index]; s != nil {
		r.ticks++
		r.used[index] = r.ticks
		return s, nil
	}
	s, err := r.readSegment(index)
	if err != nil {
		return nil, err
	}
	r.keep(s)
	return s, nil
}

// keep keeps a segment in memory, in place of the one that was not used for longest if there are
// too many.
func (r *Ring) keep(s *segment) {
	if r.segments[s.index] == nil && len(r.segments) >= maxSegments {
		oldest := s.index
		for index, at := range r.used {
			if oldest == s.index || at < r.used[oldest] {
				oldest = index
			}
		}
		r.segments[oldest].clear()
		delete(r.segments, oldest)
		delete(r.used, oldest)
	}
	r.ticks++
	r.segments[s.index], r.used[s.index] = s, r.ticks
}
