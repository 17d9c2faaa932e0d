package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxRetry is how many memories one call tries again.
const maxRetryMemories = 100

// Retried is what came of another attempt.
type RetryResult struct {
	Settled []graph.ID             // of what was asked for: nothing is given up any more
	Left    []workspace.DeadLetter // what was in vain again, or is not tried out of its turn
}

// RetryDeadLetters tries once more what was given up for some memories, and answers what
// came of it. LIMIT_EXCEEDED for more than 100, MEMORY_NOT_FOUND where the caller sees no
// such memory. One without a letter is settled.
func (svc *Service) RetryDeadLetters(ctx context.Context, c workspace.Caller, ids []graph.ID) (*RetryResult, error) {
	if len(ids) > maxRetryMemories {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(ids), maxRetryMemories)
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	letters, memories, err := svc.lettersOf(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	var embed []*graph.Memory
	for i, x := range letters {
		if x.Work == workspace.WorkEmbed {
			embed = append(embed, memories[i])
		}
	}
	if err := svc.retryEmbed(ctx, t, embed); err != nil {
		return nil, svc.PublicError(err)
	}
	for i, x := range letters {
		if x.Work != workspace.WorkEngrave || svc.Recess == nil {
			continue
		}
		if err := svc.engraver.RetryEngrave(ctx, t.Tenant, memories[i]); err != nil {
			return nil, svc.PublicError(err)
		}
	}
	left, _, err := svc.lettersOf(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	r := &RetryResult{Left: left}
	for _, id := range ids {
		if !slices.ContainsFunc(left, func(x workspace.DeadLetter) bool { return x.ID == id }) {
			r.Settled = append(r.Settled, id)
		}
	}
	return r, nil
}

// lettersOf are the letters of some memories, with the memory of each. All of them must
// be there for the caller.
func (svc *Service) lettersOf(ctx context.Context, c workspace.Caller, ids []graph.ID) (letters []workspace.DeadLetter, memories []*graph.Memory, err error) {
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		letters, memories = nil, nil
		found, err := r.Memories(ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || !c.Sees(m.Namespace, m.User) {
				return graph.FieldError(graph.CodeMemoryNotFound, "ids", "names a memory that is not there")
			}
			for _, w := range []workspace.Work{workspace.WorkEmbed, workspace.WorkEngrave} {
				x, there, err := workspace.LetterOf(r, m, w)
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
		return nil, nil, svc.PublicError(err)
	}
	return letters, memories, nil
}

// retryEmbed embeds what was given up. Whatever stands against it is one more attempt.
func (svc *Service) retryEmbed(ctx context.Context, t *tenant, of []*graph.Memory) error {
	if len(of) == 0 {
		return nil
	}
	vectors, refused, err := embedMemories(ctx, svc.Embedder, of)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		vectors, refused = make([][]float32, len(of)), slices.Repeat([]error{err}, len(of))
	}
	dead := map[graph.ID]givenUp{}
	for i, m := range of {
		if refused[i] != nil {
			dead[m.ID] = givenUp{1, refused[i]}
		}
	}
	return svc.putVectors(ctx, t, of, vectors, dead)
}
