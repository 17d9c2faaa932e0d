package graph

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// ErrPanic is returned by Store.Update if the function of the transaction panicked. The transaction is
// discarded: nothing is written.
var ErrPanic = errors.New("graph: a transaction panicked")

// Recovered logs that the function of a transaction panicked, with the stack, and returns ErrPanic. It logs
// the type of the value and not the value, which may quote the content of a memory.
func Recovered(log *slog.Logger, value any) error {
	log.Error("[WRITE] a transaction panicked and is discarded", "type", fmt.Sprintf("%T", value), "stack", string(debug.Stack()))
	return ErrPanic
}
