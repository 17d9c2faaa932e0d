package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// common finds what a memory has in common with those that were written before it, so that
// they keep one copy.
type internPool struct {
	owners     map[Ownership]*Ownership
	treatments map[Treatment]*Treatment
	timestamps map[Timestamps]*Timestamps
	history    []graph.State
}

// commonMost is how many of each are remembered.
const maxInterned = 1024

// share puts what is known in the place of what a Doc has of its own.
func (c *internPool) intern(d *Doc) {
	d.Ownership = interned(&c.owners, d.Ownership)
	d.Treatment = interned(&c.treatments, d.Treatment)
	d.Timestamps = interned(&c.timestamps, d.Timestamps)
	if slices.Equal(c.history, d.History) {
		d.History = c.history
	} else if len(d.History) == 1 {
		c.history = d.History
	}
}

func interned[T comparable](known *map[T]*T, x *T) *T {
	if k := (*known)[*x]; k != nil {
		return k
	}
	if *known == nil || len(*known) >= maxInterned {
		*known = map[T]*T{}
	}
	(*known)[*x] = x
	return x
}

// shared is the one that equals x: the last, one that is remembered, or a copy of it.
func internedAs[T comparable](known *map[T]*T, last **T, x *T) *T {
	if *last == nil || **last != *x {
		k := (*known)[*x]
		if k == nil {
			fresh := *x
			k = interned(known, &fresh)
		}
		*last = k
	}
	return *last
}

// forget remembers nothing: a name is kept by the memories that have it.
func (c *internPool) reset() { *c = internPool{} }

// own gives a Doc its own copy of whose it is, to be changed.
func (d *Doc) cloneOwnership() {
	b := *d.Ownership
	d.Ownership = &b
}
