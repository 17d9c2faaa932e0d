package engine

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// wakePending asks for another look at what waits for an embedding.
func (t *tenant) wakePending() {
	select {
	case t.pending <- struct{}{}:
	default: // it is awake already
	}
}

// runPending embeds what was stored while the embedder was away, until Close.
func (e *Engine) runPending(t *tenant) {
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-t.pending:
		}
		for {
			left, err := e.embedPending(e.ctx, t)
			if err == nil && !left {
				break
			}
			if err == nil {
				continue
			}
			if e.ctx.Err() != nil {
				return
			}
			wait := e.retry
			if again := (refusals{}); errors.As(err, &again) {
				wait = e.leaveWait(again.attempts)
			}
			e.log.Warn("[WRITE] embedding of what waits failed; will retry", "retry", wait, "error", err)
			if !e.pause(wait) {
				return
			}
		}
	}
}

// pause waits, and reports false where the engine closes meanwhile.
func (e *Engine) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-e.ctx.Done():
		return false
	}
}

// refusals is the error of texts that the model refused and that are tried again.
type refusals struct{ attempts int } // of the one that was tried least

func (r refusals) Error() string { return "the model refused some texts" }

// waiting are the first memories that wait for an embedding, but for those that were
// given up.
func (e *Engine) waiting(ctx context.Context, t *tenant) (waiting []*graph.Memory, err error) {
	err = e.store.View(ctx, t.scope, func(r graph.Reader) error {
		waiting = nil
		for after := graph.ID(""); len(waiting) < maxBatch; {
			page, err := r.ListMemories(graph.MemoryQuery{Pending: true, After: after, Limit: maxBatch})
			if err != nil || len(page) == 0 {
				return err
			}
			after = page[len(page)-1].ID
			for _, m := range page {
				if !t.letters.dead(m.ID) && len(waiting) < maxBatch {
					waiting = append(waiting, m)
				}
			}
		}
		return nil
	})
	return waiting, err
}

// embedEach embeds texts one by one, where the model refused them together: what it
// refuses alone gets no vector, and is given up after 0, 1 and 5 s. The error is for a
// model that is away; refusals says that some are to be tried again.
func (e *Engine) embedEach(ctx context.Context, t *tenant, of []*graph.Memory) (vectors [][]float32, again, err error) {
	vectors = make([][]float32, len(of))
	least := 0
	for i, m := range of {
		one, err := e.embedder.Embed(ctx, []string{m.Content}, models.Passage)
		if err == nil {
			vectors[i] = one[0]
			continue
		}
		if !models.Refused(err) {
			return nil, nil, err
		}
		attempts := t.letters.refuse(m.ID, err, e.Now())
		if attempts > leaveRetries {
			e.log.Error("[WRITE] the model refuses a text; the memory is found by its words only", "id", m.ID, "attempts", attempts, "error", err)
		} else if least == 0 || attempts < least {
			least = attempts
		}
	}
	if least > 0 {
		again = refusals{least}
	}
	return vectors, again, nil
}

// embedPending embeds one batch of what waits and reports whether there may be more.
func (e *Engine) embedPending(ctx context.Context, t *tenant) (more bool, err error) {
	waiting, err := e.waiting(ctx, t)
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	texts := make([]string, len(waiting))
	for i, m := range waiting {
		texts[i] = m.Content
	}
	var again error
	vectors, err := e.embedder.Embed(ctx, texts, models.Passage)
	if models.Refused(err) {
		vectors, again, err = e.embedEach(ctx, t, waiting)
	}
	if err != nil {
		return true, err
	}
	err = e.update(ctx, t, func(tx graph.Tx) error {
		for i, w := range waiting {
			m, err := tx.Memory(w.ID)
			if err != nil {
				return err
			}
			if vectors[i] == nil || m.Status() == graph.Forgotten || m.EmbeddingModel != "" {
				continue
			}
			m.EmbeddingModel, m.UpdatedAt = e.embedder.Name(), e.now(t)
			if err := tx.PutEmbedding(m.ID, vectors[i]); err != nil {
				return err
			}
			if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return true, err
	}
	for i, m := range waiting {
		if vectors[i] != nil {
			t.letters.settled(m.ID)
		}
	}
	return len(waiting) == maxBatch, again
}
