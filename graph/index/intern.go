package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// internPool finds equal values among the memories written before, so that they share one copy.
type internPool struct {
	owners     map[Ownership]*Ownership
	treatments map[Treatment]*Treatment
	timestamps map[Timestamps]*Timestamps
	history    []graph.State
}

// maxInterned is how many values of each type the pool remembers.
const maxInterned = 1024

// intern replaces values of a Doc by equal ones that are remembered.
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

// internedAs returns a value equal to x: the last one, a remembered one, or a copy of x.
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

// reset empties the pool, so that names live only in the memories that use them.
func (c *internPool) reset() { *c = internPool{} }

// cloneOwnership gives a Doc its own copy of its Ownership, which may then be changed.
func (d *Doc) cloneOwnership() {
	b := *d.Ownership
	d.Ownership = &b
}
