package keyring

import "fmt"

// BeginRenewal begins to replace the data keys: keys that are taken from now on have the number
// that it returns, or a higher one. What is sealed with lower ones has to be sealed again; then
// EndRenewal destroys them. Until then BeginRenewal returns the same number, after a restart too.
// 0: no key was ever taken.
func (r *Ring) BeginRenewal() (first uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.key == nil || r.renewing != 0 {
		return r.renewing, nil
	}
	next := r.ringState
	index, place := segmentOf(r.next)
	if place > 0 {
		index++
	}
	next.renewing = index*SegmentKeys + 1
	next.reserved = max(next.reserved, next.renewing)
	if err := r.saveState(next); err != nil {
		return 0, err
	}
	r.next = next.renewing
	return next.renewing, nil
}

// Renewing returns the number below which keys are being replaced; 0: none are.
func (r *Ring) Renewing() uint64 { return r.replaced.Load() }

// First returns the number below which all keys were replaced and destroyed; 0: none were.
func (r *Ring) First() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.first
}

// EndRenewal destroys all keys with lower numbers than first, which BeginRenewal returned. It is
// durable when EndRenewal returns, and can be called again after an error.
func (r *Ring) EndRenewal(first uint64) error {
	if at := r.Renewing(); at != first || first == 0 {
		return fmt.Errorf("keyring: the keys below %d are not being replaced", first)
	}
	stored, err := r.storedSegments()
	if err != nil {
		return err
	}
	last, _ := segmentOf(first)
	for _, index := range stored {
		if index >= last {
			break
		}
		if err := r.dropSegment(index); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.ringState
	next.generation, next.first, next.renewing = next.generation+1, first, 0
	return r.saveState(next)
}

// dropSegment destroys all keys of a segment.
func (r *Ring) dropSegment(index uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := removeFile(r.segmentPath(index)); err != nil {
		return err
	}
	delete(r.counts, index)
	if s := r.segments[index]; s != nil {
		s.clear()
		delete(r.segments, index)
	}
	return nil
}
