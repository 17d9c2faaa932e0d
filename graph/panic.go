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

// Panic is a panic of a goroutine that another one raises again, with the stack of the first.
type Panic struct {
	Value any
	Stack []byte
}

// String is the text of the value.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// DescribePanic returns the type of a recovered value, which may itself quote the content of a memory, and the
// stack on which it was raised. The deferred function that recovers must call it.
func DescribePanic(value any) (kind, stack string) {
	if p, ok := value.(*Panic); ok {
		return fmt.Sprintf("%T", p.Value), string(p.Stack)
	}
	return fmt.Sprintf("%T", value), string(debug.Stack())
}

// Recovered logs that what belongs to a transaction panicked, and returns ErrPanic.
func Recovered(log *slog.Logger, value any) error {
	kind, stack := DescribePanic(value)
	log.Error("[WRITE] a transaction panicked and is discarded", "type", kind, "stack", stack)
	return ErrPanic
}
