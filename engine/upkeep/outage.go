package upkeep

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// outage describes the attempts of one tenant to embed since the model does not answer.
type outage struct {
	mu       sync.Mutex
	attempts int       // in a row
	listed   time.Time // when the retries had failed, too; zero: they have not
	at       time.Time // of the last attempt
	reason   string    // of the last call that was made
}

// note takes in the outcome of an attempt: nil means that the model answers.
func (o *outage) note(err error, now time.Time) {
	if err == nil {
		o.end()
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.attempts++
	o.at = now
	if o.reason == "" || !errors.Is(err, models.ErrOpen) { // an open breaker makes no call
		o.reason = workspace.Refusal(err)
	}
	if o.attempts > workspace.MaxRetries && o.listed.IsZero() {
		o.listed = now
	}
}

// end notes that the model answers, or that no memory waits for it.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.attempts, o.listed, o.at, o.reason = 0, time.Time{}, time.Time{}, ""
}

// count is the number of failed attempts in a row.
func (o *outage) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.attempts
}

// letter returns the letter of a memory that waits for the model, and whether it is listed: the retries have failed.
func (o *outage) letter(m *graph.Memory) (workspace.DeadLetter, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return workspace.DeadLetter{
		ID: m.ID, Work: workspace.WorkEmbed, Attempts: o.attempts, First: lifecycle.Later(o.listed, m.CreatedAt), At: lifecycle.Later(o.at, m.CreatedAt),
		Reason: o.reason, Retrying: true, Namespace: m.Namespace, Letter: m.ID,
	}, !o.listed.IsZero()
}

// eachRetried yields the letters of the memories after the id after that wait for a model that does not
// answer, until yield returns false.
func (svc *Service) eachRetried(ctx context.Context, r graph.Reader, t *tenant, after graph.ID, yield func(workspace.DeadLetter) bool) error {
	if _, listed := t.outage.letter(&graph.Memory{}); !listed {
		return nil
	}
	return svc.eachWaiting(ctx, r, after, func(m *graph.Memory) bool {
		x, listed := t.outage.letter(m)
		return listed && yield(x)
	})
}

// eachWaiting yields the memories after the id after that wait for an embedding, without those that are given up
// or may not be sent to the embedder, until yield returns false.
func (svc *Service) eachWaiting(ctx context.Context, r graph.Reader, after graph.ID, yield func(*graph.Memory) bool) error {
	var dead map[graph.ID]bool // read on demand
	for {
		page, err := r.ListMemories(graph.MemoryQuery{Undamaged: true, Pending: true, After: after, Limit: workspace.MaxBatch})
		if err != nil || len(page) == 0 {
			return err
		}
		if dead == nil {
			if dead, err = workspace.GivenUp(ctx, r, workspace.WorkEmbed); err != nil {
				return err
			}
		}
		after = page[len(page)-1].ID
		for _, m := range page {
			if !dead[m.ID] && svc.Ceilings.Embedder.Allows(m) && !yield(m) {
				return nil
			}
		}
	}
}
