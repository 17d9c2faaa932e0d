package engine

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// maxRetry is how many memories one call tries again.
const maxRetry = 100

// Retried is what came of another attempt.
type Retried struct {
	Settled []graph.ID   // of what was asked for: nothing is given up any more
	Left    []DeadLetter // what was in vain again, or is not tried out of its turn
}

// RetryDeadLetters tries once more what was given up for some memories, and answers what
// came of it. LIMIT_EXCEEDED for more than 100, MEMORY_NOT_FOUND where the caller sees no
// such memory. One without a letter is settled.
func (e *Engine) RetryDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (*Retried, error) {
	if len(ids) > maxRetry {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(ids), maxRetry)
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	letters, memories, err := e.lettersOf(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	var embed []*graph.Memory
	for i, x := range letters {
		if x.Work == WorkEmbed {
			embed = append(embed, memories[i])
		}
	}
	if err := e.retryEmbed(ctx, t, embed); err != nil {
		return nil, e.whole(err)
	}
	for i, x := range letters {
		if x.Work != WorkEngrave || e.recess == nil {
			continue
		}
		if err := e.retryEngrave(ctx, t, memories[i]); err != nil {
			return nil, e.whole(err)
		}
	}
	left, _, err := e.lettersOf(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	r := &Retried{Left: left}
	for _, id := range ids {
		if !slices.ContainsFunc(left, func(x DeadLetter) bool { return x.ID == id }) {
			r.Settled = append(r.Settled, id)
		}
	}
	return r, nil
}

// lettersOf are the letters of some memories, with the memory of each. All of them must
// be there for the caller.
func (e *Engine) lettersOf(ctx context.Context, c Caller, ids []graph.ID) (letters []DeadLetter, memories []*graph.Memory, err error) {
	err = e.store.View(ctx, c.scope(), func(r graph.Reader) error {
		letters, memories = nil, nil
		found, err := r.Memories(ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || !c.sees(m.Namespace, m.User) {
				return graph.FieldError(graph.CodeMemoryNotFound, "ids", "names a memory that is not there")
			}
			for _, w := range []Work{WorkEmbed, WorkEngrave} {
				x, there, err := letterOf(r, m, w)
				if err != nil {
					return err
				}
				if there {
					letters, memories = append(letters, x), append(memories, m)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, e.whole(err)
	}
	return letters, memories, nil
}

// retryEmbed embeds what was given up. Whatever stands against it is one more attempt.
func (e *Engine) retryEmbed(ctx context.Context, t *tenant, of []*graph.Memory) error {
	if len(of) == 0 {
		return nil
	}
	vectors, refused, err := embedTexts(ctx, e.embedder, of)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		vectors, refused = make([][]float32, len(of)), slices.Repeat([]error{err}, len(of))
	}
	dead := map[graph.ID]failure{}
	for i, m := range of {
		if refused[i] != nil {
			dead[m.ID] = failure{1, refused[i]}
		}
	}
	return e.putVectors(ctx, t, of, vectors, dead)
}

// retryEngrave engraves what the recess refused, where the gates are still open: else the
// letter goes, and a sleep looks at the memory when they are open again.
func (e *Engine) retryEngrave(ctx context.Context, t *tenant, m *graph.Memory) error {
	if err := t.Current(ctx); err != nil {
		return err
	}
	n := &night{e: e, t: t, c: &cycle{At: t.Now()}, refused: true} // one attempt: nobody waits for a ladder
	ready, err := prepareEngrave(ctx, n, step{Verb: StepEngrave, IDs: []graph.ID{m.ID}})
	if err != nil {
		return err
	}
	found := ready.(engraving)
	if found.tried && !found.done {
		return nil // the letter says so
	}
	return t.Update(ctx, func(tx graph.Tx) error {
		m, err := tx.Memory(m.ID)
		if err != nil {
			return err
		}
		if err := dropLetter(tx, m, WorkEngrave); err != nil || !found.done {
			return err
		}
		p, err := n.policy(tx, m.Namespace)
		if err != nil {
			return err
		}
		if opens, err := n.engraves(tx, m, p); err != nil || !opens || m.State().Tier != graph.L2 {
			return err
		}
		m.UpdatedAt = m.SetState(t.Now(), func(s *graph.State) { s.Tier = graph.L3 })
		return tx.PutMemory(m, graph.EventEngraved)
	})
}
