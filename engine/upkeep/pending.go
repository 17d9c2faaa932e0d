package upkeep

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// runPending embeds memories that were stored without a vector, until Close.
func (svc *Service) runPending(t *tenant) {
	var failing workspace.Failing
	for {
		select {
		case <-svc.Ctx.Done():
			return
		case <-t.Pending:
		}
		for {
			left, err := svc.embedPending(audit.As(svc.Ctx, "embedPending"), t)
			if err == nil {
				failing.Over()
				if !left {
					break
				}
				continue
			}
			if svc.Ctx.Err() != nil {
				return
			}
			wait := svc.Retry
			if again := (retryLaterError{}); errors.As(err, &again) {
				wait = svc.RetryDelay(again.attempts)
			} else if n := t.outage.count(); n > 0 {
				wait = svc.RetryDelay(n)
			}
			svc.Log.Log(svc.Ctx, failing.Level(err, slog.LevelWarn, time.Now()), "[WRITE] embedding of pending memories failed; will retry", "retry", wait, "error", err)
			if !svc.Pause(wait) {
				return
			}
		}
	}
}

// retryLaterError reports texts that the model refused and that will be retried.
type retryLaterError struct{ attempts int } // of the text with the fewest attempts

func (r retryLaterError) Error() string { return "the model refused some texts" }

// pendingMemories returns the first memories that wait for an embedding.
func (svc *Service) pendingMemories(ctx context.Context, t *tenant) (waiting []*graph.Memory, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		waiting = nil
		return svc.eachWaiting(ctx, r, "", func(m *graph.Memory) bool {
			waiting = append(waiting, m)
			return len(waiting) < workspace.MaxBatch
		})
	})
	return waiting, err
}

// embedPending embeds one batch of waiting memories, and reports whether there may be more.
// A text that the model refuses is retried after 0, 1 and 5 s, then given up. A
// retryLaterError says that some texts will be retried. While the model does not answer, every batch is retried, and the
// memories are listed as being retried after as many attempts.
func (svc *Service) embedPending(ctx context.Context, t *tenant) (more bool, err error) {
	waiting, err := svc.pendingMemories(ctx, t)
	if err != nil {
		return false, err
	}
	if len(waiting) == 0 {
		t.outage.end()
		return false, nil
	}
	vectors, refused, err := embedMemories(ctx, svc.Embedder, svc.Ceilings.Embedder, waiting)
	if t.outage.note(err, t.Now()); err != nil {
		return true, err
	}
	dead := map[graph.ID]givenUp{}
	var again error
	least := 0
	for i, m := range waiting {
		if refused[i] == nil {
			continue
		}
		attempts := t.refused.addFailure(m.ID)
		if attempts > workspace.MaxRetries {
			svc.Log.Error("[WRITE] the model refuses the text of a memory; the memory can only be found by its words", "id", m.ID, "attempts", attempts, "error", refused[i])
			dead[m.ID] = givenUp{attempts, refused[i]}
		} else if least == 0 || attempts < least {
			least, again = attempts, retryLaterError{attempts}
		}
	}
	if err := svc.putVectors(ctx, t, waiting, vectors, dead); err != nil {
		return true, err
	}
	for i, m := range waiting {
		if _, gone := dead[m.ID]; gone || vectors[i] != nil {
			t.refused.reset(m.ID)
		}
	}
	return len(waiting) == workspace.MaxBatch, again
}
