package keyring

import (
	"fmt"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Mark is what a store knows of the keys of a tenant. A ring with less is an older copy.
type Mark struct {
	Generation uint64 // how often keys were destroyed, or the tenant's key was replaced
	Highest    uint64 // number of a key
	First      uint64 // no record has a key with a lower number, because the keys were replaced; 0: they never were
}

// Join returns the highest of all parts.
func (m Mark) Join(o Mark) Mark {
	return Mark{max(m.Generation, o.Generation), max(m.Highest, o.Highest), max(m.First, o.First)}
}

// Check returns an error that wraps ErrWrong if the ring does not belong to a store with a mark, and a DamagedKeysError if one of its files is
// missing or older than the others.
func (r *Ring) Check(t graph.Tenant, mark Mark) error {
	switch {
	case mark.Highest > 0 && !r.Issued(1):
		return fmt.Errorf("%w: those of tenant %s are missing", ErrWrong, t)
	case r.Generation() < mark.Generation:
		return fmt.Errorf("%w: they are older than the data, and would undo erasures", ErrWrong)
	case mark.Highest > 0 && r.First() > mark.First:
		return fmt.Errorf("%w: the data is a copy from before its keys were replaced, and those that sealed it are destroyed", ErrWrong)
	case !r.Issued(mark.Highest):
		return fmt.Errorf("%w: they are older than the data, and newer ones are missing", ErrWrong)
	}
	return r.checkSegments(mark)
}

// checkSegments returns an error if a file of keys is missing or an older copy, unless that may be.
func (r *Ring) checkSegments(mark Mark) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.older)+len(r.lost) == 0 {
		return nil
	}
	if r.accepts && (len(r.older) == 0 || r.generation == mark.Generation) {
		maps.Copy(r.counts, r.older)
		for _, index := range r.lost {
			delete(r.counts, index)
		}
		r.older, r.lost = map[uint64]int{}, nil
		return r.saveState(r.ringState)
	}
	if len(r.lost) > 0 {
		return &graph.DamagedKeysError{Path: r.segmentPath(r.lost[0]), Err: fmt.Errorf("%w: it is missing", graph.ErrIntegrity), Do: graph.AcceptKeys("goes on without it", "the memories that only it opens are lost")}
	}
	return &graph.DamagedKeysError{
		Path: r.segmentPath(slices.Min(slices.Collect(maps.Keys(r.older)))),
		Err:  fmt.Errorf("%w: it is older than the others, and has keys that were destroyed since", graph.ErrIntegrity),
		Do:   graph.AcceptKeys("goes on with this one, unless the data is older too", "copies of the data from before can be read again with the keys that were destroyed since"),
	}
}
