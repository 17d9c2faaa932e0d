package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxRetryMemories is the maximum number of memories in one retry.
const maxRetryMemories = 100

// RetryResult is the result of a retry.
type RetryResult struct {
	Settled []graph.ID             // requested memories without dead letters
	Left    []workspace.DeadLetter // letters of work that failed again, or that was not tried
}

// RetryDeadLetters retries the work that was given up for some memories, once.
// LIMIT_EXCEEDED for more than 100 memories, MEMORY_NOT_FOUND if the caller sees no such
// memory. A memory without a letter is settled.
func (svc *Service) RetryDeadLetters(ctx context.Context, c workspace.Caller, ids []graph.ID) (*RetryResult, error) {
	if len(ids) > maxRetryMemories {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(ids), maxRetryMemories)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	letters, memories, err := svc.lettersOf(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	// Somebody asks for it now: an open breaker lets the calls try.
	for _, name := range []string{"EMBEDDER", workspace.BreakerRecess} {
		if b := svc.Breakers.Get(name); b != nil {
			b.Retry()
		}
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

// lettersOf returns the letters of some memories, with the memory of each. The caller must
// see all of them.
func (svc *Service) lettersOf(ctx context.Context, c workspace.Caller, ids []graph.ID) (letters []workspace.DeadLetter, memories []*graph.Memory, err error) {
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		letters, memories = nil, nil
		found, err := r.Memories(ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil {
				return graph.FieldError(graph.CodeMemoryNotFound, "ids", "names a memory that does not exist")
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

// retryEmbed embeds memories that were given up. Any failure counts as one more attempt.
func (svc *Service) retryEmbed(ctx context.Context, t *tenant, of []*graph.Memory) error {
	if len(of) == 0 {
		return nil
	}
	vectors, refused, err := embedMemories(ctx, svc.Embedder, svc.Ceilings.Embedder, of)
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
