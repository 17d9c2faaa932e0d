package workspace

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
)

// Returned counts the copies of erased memories of a tenant that older data brought back, since this
// process opened the tenant. They are erased again.
type Returned struct {
	Store, Recess, Import atomic.Int64
}

// Total is the number of all of them.
func (r *Returned) Total() int64 { return r.Store.Load() + r.Recess.Load() + r.Import.Load() }

// String says where they were.
func (r *Returned) String() string {
	var parts []string
	for _, x := range []struct {
		n     int64
		where string
	}{{r.Store.Load(), "the store"}, {r.Recess.Load(), "the archive"}, {r.Import.Load(), "imports"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", x.n, x.where))
		}
	}
	return strings.Join(parts, ", ")
}

// KnownErased parts ids into those that the ledger had as erased, and the others.
func KnownErased(recorded, ids []graph.ID) (known, others []graph.ID) {
	erased := make(map[graph.ID]bool, len(recorded))
	for _, id := range recorded {
		erased[id] = true
	}
	for _, id := range ids {
		if erased[id] {
			known = append(known, id)
		} else {
			others = append(others, id)
		}
	}
	return known, others
}
