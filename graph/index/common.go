package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// common finds what a memory has in common with those that were written before it, so that
// they keep one copy.
type common struct {
	belongings map[belonging]*belonging
	bearings   map[bearing]*bearing
	moments    map[moments]*moments
	history    []graph.State
}

// commonMost is how many of each are remembered.
const commonMost = 1024

// share puts what is known in the place of what a Doc has of its own.
func (c *common) share(d *Doc) {
	d.belonging = oneOf(&c.belongings, d.belonging)
	d.bearing = oneOf(&c.bearings, d.bearing)
	d.moments = oneOf(&c.moments, d.moments)
	if slices.Equal(c.history, d.History) {
		d.History = c.history
	} else if len(d.History) == 1 {
		c.history = d.History
	}
}

func oneOf[T comparable](known *map[T]*T, x *T) *T {
	if k := (*known)[*x]; k != nil {
		return k
	}
	if *known == nil || len(*known) >= commonMost {
		*known = map[T]*T{}
	}
	(*known)[*x] = x
	return x
}

// shared is the one that equals x: the last, one that is remembered, or a copy of it.
func shared[T comparable](known *map[T]*T, last **T, x *T) *T {
	if *last == nil || **last != *x {
		k := (*known)[*x]
		if k == nil {
			fresh := *x
			k = oneOf(known, &fresh)
		}
		*last = k
	}
	return *last
}

// forget remembers nothing: a name is kept by the memories that have it.
func (c *common) forget() { *c = common{} }

// own gives a Doc its own copy of whose it is, to be changed.
func (d *Doc) own() {
	b := *d.belonging
	d.belonging = &b
}
