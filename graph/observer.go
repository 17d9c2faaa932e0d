package graph

import "context"

// Operations of a store that an Observer sees.
const (
	OperationRead   = "read"   // a View, with what its function does
	OperationWrite  = "write"  // an Update, with what its function does and all tries
	OperationCommit = "commit" // making a transaction durable, one try
	OperationUses   = "uses"   // a CountUses
)

// StoreOperations are all operations that an Observer sees.
var StoreOperations = []string{OperationRead, OperationWrite, OperationCommit, OperationUses}

// Observer watches the calls of a store. Its methods are safe for concurrent use.
type Observer interface {
	// Begin is called before an operation. The operation runs with the returned context, and end is
	// called with its error.
	Begin(ctx context.Context, operation string) (within context.Context, end func(error))
}

// Observe begins an operation; a nil observer sees none. The result is to be deferred with the
// address of the operation's error.
func Observe(ctx context.Context, o Observer, operation string) (within context.Context, end func(*error)) {
	if o == nil {
		return ctx, func(*error) {}
	}
	ctx, done := o.Begin(ctx, operation)
	return ctx, func(err *error) { done(*err) }
}
