package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DeadLetterInput selects dead letters for a list.
type DeadLetterInput struct {
	Namespaces []string
	Work       workspace.Work // empty: any
	First      int            // 1 to 1,000; 0 is 20
	After      graph.ID       // DeadLetter.Letter of the letter before the page
}

// DiscardDeadLetters takes the letters of some memories off the list and returns the ids of the
// memories. An embedding is not tried again until a retry, an engraving by the next sleep.
// LIMIT_EXCEEDED for more than 100 memories, MEMORY_NOT_FOUND if the caller sees no such memory.
func (svc *Service) DiscardDeadLetters(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]graph.ID, error) {
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
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		for i, x := range letters {
			if _, listed := t.outage.letter(memories[i]); x.Retrying && !listed {
				continue // it only waits for its turn
			}
			m, err := tx.Memory(memories[i].ID)
			if err != nil {
				return err
			}
			if err := workspace.DiscardLetter(tx, m, x); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return ids, nil
}

// DeadLetters lists the dead letters that the caller may see, and reports whether there are more: first those of work
// that was given up, then those of work that is retried, each in the order in which the memories were created.
func (svc *Service) DeadLetters(ctx context.Context, c workspace.Caller, in DeadLetterInput) ([]workspace.DeadLetter, bool, error) {
	first, err := workspace.PageSize("first", in.First, 20)
	if err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, false, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, false, err
	}
	var out []workspace.DeadLetter
	more := false
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		out, more = nil, false
		add := func(x workspace.DeadLetter) bool {
			if x.Discarded || len(spaces) > 0 && !slices.Contains(spaces, x.Namespace) || in.Work != "" && in.Work != x.Work {
				return true
			}
			if more = len(out) == first; !more {
				out = append(out, x)
			}
			return !more
		}
		retried, err := isRetried(r, in.After)
		if err != nil {
			return err
		}
		after := in.After
		if !retried {
			if err := workspace.EachLetter(ctx, r, after, func(x workspace.DeadLetter, _ *graph.Memory) bool { return add(x) }); err != nil || more {
				return err
			}
			after = ""
		}
		if in.Work != "" && in.Work != workspace.WorkEmbed {
			return nil // only embeddings are retried
		}
		return svc.eachRetried(ctx, r, t, after, add)
	})
	if err != nil {
		return nil, false, svc.PublicError(err)
	}
	return out, more, nil
}

// isRetried reports whether the letter before a page was one of work that is retried: its id is that of a memory.
func isRetried(r graph.Reader, after graph.ID) (bool, error) {
	if after == "" {
		return false, nil
	}
	_, err := r.Memory(after)
	return graph.Found(err)
}
