package graph

import "context"

// Reachable is what a store can do that stands on other machines: it knows when none of
// them answers, and what needs it need not wait to find that out.
type Reachable interface {
	// Reach is a context that has ended while the store can't be reached. It does not
	// begin anew: who waits for longer asks again.
	Reach() context.Context
}

// Reach is that of a store, or a context that never ends where the store can always be reached.
func Reach(s any) context.Context {
	if r, ok := s.(Reachable); ok {
		return r.Reach()
	}
	return context.Background()
}
