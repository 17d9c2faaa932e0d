package engine

import (
	"context"
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
			e.log.Warn("[WRITE] embedding of what waits failed; will retry", "retry", e.retry, "error", err)
			if !e.pause(e.retry) {
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

// embedPending embeds one batch of what waits and reports whether there may be more.
func (e *Engine) embedPending(ctx context.Context, t *tenant) (more bool, err error) {
	var waiting []*graph.Memory
	err = e.store.View(ctx, t.scope, func(r graph.Reader) (err error) {
		waiting, err = r.ListMemories(graph.MemoryQuery{Pending: true, Limit: maxBatch})
		return err
	})
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	texts := make([]string, len(waiting))
	for i, m := range waiting {
		texts[i] = m.Content
	}
	vectors, err := e.embedder.Embed(ctx, texts, models.Passage)
	if err != nil {
		return true, err
	}
	err = e.update(ctx, t, func(tx graph.Tx) error {
		for i, w := range waiting {
			m, err := tx.Memory(w.ID)
			if err != nil {
				return err
			}
			if m.Status() == graph.Forgotten || m.EmbeddingModel != "" {
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
	return len(waiting) == maxBatch, err
}
