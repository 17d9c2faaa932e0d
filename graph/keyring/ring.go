package keyring

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
)

// Ring holds the data keys of a tenant. It is safe for concurrent use. A segment that was used stays in memory, 34 bytes a key: that is little
// beside what the index holds of a memory, and the vectors of one search may need keys of every segment.
type Ring struct {
	dir      string
	master   *masterKeys
	random   io.Reader
	maxSeals uint64
	rotating sync.Mutex    // held during a rotation of the tenant's key
	replaced atomic.Uint64 // ringState.renewing

	mu     sync.Mutex // guards what follows, and the files
	key    []byte     // of the tenant; nil: no key was taken yet
	former []byte     // of the tenant before a rotation that is not finished; nil: none
	next   uint64     // number of the next key
	ringState
	counts   map[uint64]int      // keys of each segment with a file
	older    map[uint64]int      // keys of each segment that has more of them than its state says: an older copy was put back
	lost     []uint64            // segments that have keys and no file
	accepts  bool                // Options.AcceptOlder
	segments map[uint64]*segment // those that were used
}

// openRing opens the ring of a tenant in its directory, and finishes a rotation.
func openRing(dir string, k *Keyring) (*Ring, error) {
	r := &Ring{dir: dir, master: k.master, random: k.random, maxSeals: k.maxSeals, next: 1, ringState: ringState{reserved: 1}, accepts: k.acceptOlder,
		counts: map[uint64]int{}, older: map[uint64]int{}, segments: map[uint64]*segment{}}
	var err error
	if r.key, r.former, err = openTenantKey(dir, k.master); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, stateName)
	wrapped, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // the first key was never given out
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	state, _, err := openEither(r.key, r.former, wrapped, joined(stateName, filepath.Base(dir)))
	var counts map[uint64]int
	if err == nil {
		r.ringState, counts, err = parseState(state)
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: %w", damaged(path, err))
	}
	if err := r.count(counts); err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	r.next = r.reserved
	r.replaced.Store(r.renewing)
	if r.former != nil && k.readOnly {
		return nil, fmt.Errorf("keyring: %w: a rotation was interrupted", graph.ErrUnfinished)
	}
	if r.former != nil {
		if err := r.RotateKey(); err != nil && !errors.Is(err, graph.ErrIntegrity) {
			return nil, fmt.Errorf("keyring: %w", err)
		}
	}
	return r, nil
}

// count counts the keys of the segments by the sizes of their files, and compares them with what the state says; nil: it does not.
// Keys of a segment are only ever destroyed, so that one with more of them is an older copy. A segment loses its file after the state
// says that it has no keys.
func (r *Ring) count(said map[uint64]int) error {
	stored, err := r.storedSegments()
	if err != nil {
		return err
	}
	for _, index := range stored {
		info, err := os.Stat(r.segmentPath(index))
		if err != nil {
			return err
		}
		n := int(info.Size()-Overhead) / rowSize
		if index*SegmentKeys+1 >= r.reserved {
			continue // a crash came before its first key was given out
		}
		if said != nil && n > said[index] {
			r.older[index] = n
			n = said[index] // so that the next start finds it too
		}
		r.counts[index] = n
	}
	replaced, _ := segmentOf(max(r.renewing, 1))
	for index, n := range said {
		if _, found := r.counts[index]; !found && n > 0 && index >= replaced {
			r.lost = append(r.lost, index)
			r.counts[index] = n // so that the next start finds it too
		}
	}
	slices.Sort(r.lost)
	return nil
}

// Generation counts how often keys were destroyed or the tenant's key was replaced. A lower one than before means that an older
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
		r.segments[index] = s
		r.counts[index] = s.size()
	}
	state := r.ringState
	state.reserved = (index+1)*SegmentKeys + 1
	return r.saveState(state)
}

// close gives back the numbers that were reserved and not given out.
func (r *Ring) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.segments {
		s.clear()
	}
	clear(r.segments)
	if r.next == r.reserved {
		return nil
	}
	state := r.ringState
	state.reserved = r.next
	return r.saveState(state)
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
// The tenant's key is replaced when it has sealed so many texts that it should.
func (r *Ring) Destroy(numbers []uint64) error {
	if len(numbers) == 0 {
		return nil
	}
	full, err := r.destroy(numbers)
	if err != nil || !full {
		return err
	}
	return r.RotateKey()
}

// destroy is Destroy. It reports whether the tenant's key should be replaced.
func (r *Ring) destroy(numbers []uint64) (full bool, err error) {
	var emptied []uint64
	places := map[uint64][]uint16{}
	for _, n := range numbers {
		if n == 0 {
			return false, fmt.Errorf("%w: there is no key 0", graph.ErrIntegrity)
		}
		index, place := segmentOf(n)
		places[index] = append(places[index], place)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := slices.Max(numbers); last >= r.reserved {
		return false, fmt.Errorf("%w: key %d is not in the ring", graph.ErrIntegrity, last)
	}
	for _, index := range slices.Sorted(maps.Keys(places)) {
		s, err := r.segment(index)
		if err != nil {
			return false, err
		}
		left := s.without(places[index])
		if left.size() == s.size() {
			continue
		}
		if err := r.writeSegment(left); err != nil {
			return false, err
		}
		s.clear()
		r.segments[index] = left
		r.counts[index] = left.size()
		if left.size() == 0 {
			emptied = append(emptied, index)
			delete(r.counts, index)
		}
	}
	state := r.ringState
	state.generation++
	err = r.saveState(state)
	for _, index := range emptied {
		if err == nil {
			err = removeFile(r.segmentPath(index))
		}
	}
	return r.seals >= r.maxSeals && r.former == nil, err
}

// segment returns a segment from memory or disk.
func (r *Ring) segment(index uint64) (*segment, error) {
	if s := r.segments[index]; s != nil {
		return s, nil
	}
	s, err := r.readSegment(index)
	if err != nil {
		return nil, err
	}
	r.segments[index] = s
	return s, nil
}
