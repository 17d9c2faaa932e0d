package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// Some decisions rest on more than their transaction reads: an adjudication on what the
// index finds near a fact, a pin on the sum of what is pinned. In one process the tenant's
// writer makes them serial. Where several have the store open, each takes a turn: a number
// in the store that it reads before it looks and moves in its transaction. Who finds it
// moved was overtaken, and looks again. ADR 31.

const (
	sequenceTries    = 100         // before a decision gives up
	subjectSequences = 256         // numbers that all subjects share; two that share one only wait for each other
	CoreSequence     = "turn.core" // of whoever adds to a core
)

// errOvertaken says that another server decided while this one was looking.
var ErrSequenceMoved = graph.Errorf(graph.CodeUnavailable, "other servers decided first, again and again; nothing was written")

// SubjectSequence names the turn of a subject in a namespace. Of the subject it says eight
// bits, so that an erasure has nothing to scrub here.
func SubjectSequence(namespace, subject string) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s\x00%s", namespace, subject) // never fails
	return fmt.Sprintf("turn.subject.%02x", h.Sum32()%subjectSequences)
}

// Sequence is one try of a decision. The zero value, like nil, is that of an engine that is alone.
type Sequence struct {
	Setting string
	Number  uint64
}

// InSequence lets do decide, again where another server decided in between: by then the index
// knows what that one wrote. do calls take in its transaction. An empty name takes no turn.
func (t *Tenant) InSequence(ctx context.Context, name string, do func(context.Context, *Sequence) error) error {
	if name == "" {
		return do(ctx, nil)
	}
	return t.InSequences(ctx, []string{name}, func(ctx context.Context, turns []*Sequence) error { return do(ctx, turns[0]) })
}

// InSequences is inTurn for several decisions at once, each in a turn of its own.
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

// readSequences reads the numbers of turns, and lets what is read next know all that was
// committed until they had those numbers. A number that is older than it could be is found
// out when it is moved.
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

// Advance moves the number, or answers errOvertaken where it was moved already.
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
