package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// Some decisions depend on more than their transaction reads: an adjudication on what the
// index finds near a fact, a pin on the sum of what is pinned. In one process the writer of
// the tenant makes them serial. Where several servers have the store open, each decision
// advances a sequence number that it read before it looked. If another server has advanced
// it meanwhile, the decision is made again. ADR 31.

const (
	sequenceTries    = 100         // attempts of a decision
	subjectSequences = 256         // sequences that all subjects share; two subjects with one sequence only wait for each other
	CoreSequence     = "turn.core" // of additions to the core memories
)

// ErrSequenceMoved is the error of a decision that another server preceded.
var ErrSequenceMoved = graph.Errorf(graph.CodeUnavailable, "other servers decided first, again and again; nothing was written")

// SubjectSequence names the sequence of a subject in a namespace. The name holds eight bits of
// a hash, so an erasure has nothing to remove.
func SubjectSequence(namespace, subject string) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s\x00%s", namespace, subject) // never fails
	return fmt.Sprintf("turn.subject.%02x", h.Sum32()%subjectSequences)
}

// Sequence is the number that a decision read. Nil and the zero value are those of a process
// that has the store to itself.
type Sequence struct {
	Setting string
	Number  uint64
}

// InSequence runs decide, and runs it again where another server decided in between. Decide
// calls Advance in its transaction. An empty name uses no sequence.
func (t *Tenant) InSequence(ctx context.Context, name string, do func(context.Context, *Sequence) error) error {
	if name == "" {
		return do(ctx, nil)
	}
	return t.InSequences(ctx, []string{name}, func(ctx context.Context, turns []*Sequence) error { return do(ctx, turns[0]) })
}

// InSequences is InSequence for several decisions at once, each with its own sequence.
func (t *Tenant) InSequences(ctx context.Context, names []string, do func(context.Context, []*Sequence) error) error {
	store, shared := t.space.Store.(graph.Shared)
	if !shared {
		return do(ctx, make([]*Sequence, len(names)))
	}
	for range sequenceTries {
		err := store.WithWriteLease(ctx, t.Scope, func(ctx context.Context) error {
			turns, err := t.readSequences(ctx, store, names)
			if err == nil {
				err = do(ctx, turns)
			}
			return err
		})
		if !errors.Is(err, ErrSequenceMoved) {
			return err
		}
	}
	return ErrSequenceMoved
}

// readSequences reads the numbers, and makes later reads see all that was committed up to them.
// Advance detects a number that is out of date.
func (t *Tenant) readSequences(ctx context.Context, store graph.Shared, names []string) ([]*Sequence, error) {
	turns := make([]*Sequence, len(names))
	err := store.ViewRecent(ctx, t.Scope, func(r graph.Reader, at graph.Cursor) error {
		t.acknowledge(at)
		if ahead, ok := r.(graph.Expecter); ok {
			if err := ahead.Expect(graph.Expected{Settings: names}); err != nil {
				return err
			}
		}
		for i, name := range names {
			turns[i] = &Sequence{Setting: name}
			if _, err := lifecycle.ReadSetting(r, name, &turns[i].Number); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return turns, t.Current(ctx)
}

// Advance increments the number, or returns ErrSequenceMoved where it has changed.
func (x *Sequence) Advance(tx graph.Tx) error {
	if x == nil {
		return nil
	}
	var now uint64
	if _, err := lifecycle.ReadSetting(tx, x.Setting, &now); err != nil {
		return err
	}
	if now != x.Number {
		return ErrSequenceMoved
	}
	return lifecycle.PutSetting(tx, x.Setting, now+1)
}
