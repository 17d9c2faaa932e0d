package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// Some decisions depend on more than their transaction reads: an adjudication on the index's
// neighbours of a fact, a pin on the total size of the core. In one process the tenant's
// writer serialises them. With several servers over the store, each decision reads a sequence
// number first and advances it in its transaction. If another server has advanced it
// meanwhile, the decision is repeated. ADR 31.

const (
	sequenceTries    = 100         // attempts of a decision
	subjectSequences = 256         // shared by all subjects; a collision only serialises two subjects
	CoreSequence     = "turn.core" // of additions to the core memories
)

// ErrSequenceMoved means that another server advanced the sequence first.
var ErrSequenceMoved = graph.Errorf(graph.CodeUnavailable, "too many concurrent decisions by other servers; nothing was written")

// SubjectSequence returns the sequence name of a subject in a namespace. The name contains
// eight bits of a hash, so an erasure need not remove it.
func SubjectSequence(namespace, subject string) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s\x00%s", namespace, subject) // never fails
	return fmt.Sprintf("turn.subject.%02x", h.Sum32()%subjectSequences)
}

// Sequence is the number that a decision read. Nil and the zero value mean that this process
// has the store exclusively.
type Sequence struct {
	Setting string
	Number  uint64
}

// InSequence runs decide, and repeats it if another server decided in between. decide calls
// Advance in its transaction. An empty name uses no sequence.
func (t *Tenant) InSequence(ctx context.Context, name string, do func(context.Context, *Sequence) error) error {
	if name == "" {
		return do(ctx, nil)
	}
	return t.InSequences(ctx, []string{name}, func(ctx context.Context, turns []*Sequence) error { return do(ctx, turns[0]) })
}

// InSequences is InSequence for several decisions together, each with its own sequence.
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

// readSequences reads the numbers, and ensures that later reads see everything committed up to
// them. Advance detects an outdated number.
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

// Advance increments the number, or returns ErrSequenceMoved if it has changed.
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
