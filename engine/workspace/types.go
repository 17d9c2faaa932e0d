package workspace

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Access is the visibility of a read. Nested reads have the same.
type Access struct {
	AsOf            graph.AsOf
	RequireConsent  bool // never NONE; IMPLICIT only with IncludeImplicit
	IncludeImplicit bool
}

// View is a memory as a read sees it. State is that at the read's instant; everything else of
// the memory is the present value.
type View struct {
	*graph.Memory
	State       graph.State
	Retention   float64      // at the read's instant, [0,1]
	Access      Access       // for nested reads
	Unavailable *graph.Error // reason why the content can't be served; nil: it can
}

// Event is a change of a memory for subscribers. Memory is nil if it is gone or hidden.
type Event struct {
	Cursor graph.Cursor
	Kind   graph.EventKind
	ID     graph.ID
	Memory *View
	At     time.Time
}
