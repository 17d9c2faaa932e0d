package workspace

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Access is what a read may see; reads nested in it obey the same.
type Access struct {
	AsOf            graph.AsOf
	RequireConsent  bool // never NONE; IMPLICIT only with IncludeImplicit
	IncludeImplicit bool
}

// View is a memory as one read sees it. Everything of the memory is today's but
// State, which is that of the read's instant.
type View struct {
	*graph.Memory
	State       graph.State
	Retention   float64      // at the read's instant, [0,1]
	Access      Access       // for nested reads
	Unavailable *graph.Error // why the content can't be served; nil: it can
}

// Event is one change of a memory for subscribers. Memory is nil where it is gone
// or hidden.
type Event struct {
	Cursor graph.Cursor
	Kind   graph.EventKind
	ID     graph.ID
	Memory *View
	At     time.Time
}
