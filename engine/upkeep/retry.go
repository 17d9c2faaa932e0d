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
	Settled []graph.ID             // requested memories without work that failed or waits
	Left    []workspace.DeadLetter // letters of work that failed again, or that was not tried
}

// RetryDeadLetters retries the work that was given up for some memories, or waits for the embedder, once.
// LIMIT_EXCEEDED for more than 100 memories, MEMORY_NOT_FOUND if the caller sees no such
// memory. A memory that has no letter and does not wait is settled.
func (svc *Service) RetryDeadLetters(ctx context.Context, c workspace.Caller, ids []graph.ID) (*RetryResult, error) {
	if len(ids) > maxRetryMemories {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(ids), maxRetryMemories)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	letters, memories, err := svc.lettersOf(ctx, c, t, ids)
	if err != nil {
		return nil, err
	}
	// Somebody asks for it now: an open breaker lets the calls try.
	for _, name := range []string{"EMBEDDER", workspace.BreakerRecess} {
		if b := svc.Breakers.Get(name); b != nil {
			b.Retry()
		}
	}
	failed, err := svc.retryEmbed(ctx, t, letters, memories)
	if err != nil {
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
	left, _, err := svc.lettersOf(ctx, c, t, ids)
	if err != nil {
		return nil, err
	}
	for i, x := range left {
		if f, refused := failed[x.ID]; refused && x.Retrying {
			left[i].Attempts, left[i].Reason = f.attempts, workspace.Refusal(f.cause)
		}
	}
	r := &RetryResult{Left: left}
	for _, id := range ids {
		if !slices.ContainsFunc(left, func(x workspace.DeadLetter) bool { return x.ID == id }) {
			r.Settled = append(r.Settled, id)
		}
	}
	return r, nil
}

// lettersOf returns the letters of some memories, with the memory of each, also of those that wait for the embedder and
// were not given up. The caller must see all of them.
func (svc *Service) lettersOf(ctx context.Context, c workspace.Caller, t *tenant, ids []graph.ID) (letters []workspace.DeadLetter, memories []*graph.Memory, err error) {
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
				if !there && w == workspace.WorkEmbed && m.EmbeddingPending() && svc.Ceilings.Embedder.Allows(m) {
					x, _ = t.outage.letter(m)
					there = true
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

// retryEmbed embeds the memories of letters. For those that were given up any failure counts as one more attempt.
// Of the others it returns those that the model refused; without the model they go on waiting.
func (svc *Service) retryEmbed(ctx context.Context, t *tenant, letters []workspace.DeadLetter, memories []*graph.Memory) (failed map[graph.ID]givenUp, err error) {
	var of []*graph.Memory
	var retried []bool
	for i, x := range letters {
		if x.Work == workspace.WorkEmbed {
			of, retried = append(of, memories[i]), append(retried, x.Retrying)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	vectors, refused, err := embedMemories(ctx, svc.Embedder, svc.Ceilings.Embedder, of)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// Without such memories the model was not called, and a failure for those that were given up is no outage that an embedding would end.
	if slices.ContainsFunc(of, svc.Ceilings.Embedder.Allows) && (err == nil || slices.Contains(retried, true)) {
		t.outage.note(err, t.Now())
	}
	dead := map[graph.ID]givenUp{}
	failed = map[graph.ID]givenUp{}
	if vectors == nil {
		vectors = make([][]float32, len(of))
	}
	for i, m := range of {
		switch {
		case err != nil && !retried[i]:
			dead[m.ID] = givenUp{1, err}
		case err != nil || refused[i] == nil:
		case !retried[i]:
			dead[m.ID] = givenUp{1, refused[i]}
		default:
			failed[m.ID] = givenUp{t.refused.addFailure(m.ID), refused[i]}
		}
	}
	return failed, svc.putVectors(ctx, t, of, vectors, dead)
}
