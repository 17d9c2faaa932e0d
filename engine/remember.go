package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// MaxMany is how many memories one RememberMany takes.
const MaxMany = 1000

// Remember writes one memory: it validates, embeds, finds and links entities,
// scores the five signals, looks for conflicts and then for duplicates, stores, and
// promotes where the score allows. It answers when the write is durable.
func (e *Engine) Remember(ctx context.Context, c Caller, in RememberInput) (*RememberResult, error) {
	results, err := e.RememberMany(ctx, c, []RememberInput{in})
	if err != nil {
		return nil, err
	}
	if results[0].Error != nil {
		return nil, results[0].Error
	}
	return &results[0], nil
}

// RememberMany writes up to MaxMany memories. One item is one atomic unit: a bad one
// fails alone and says so in its place. The error is for what fails the whole call.
func (e *Engine) RememberMany(ctx context.Context, c Caller, in []RememberInput) ([]RememberResult, error) {
	if len(in) > MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "input", "has %d items, more than %d", len(in), MaxMany)
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	results := make([]RememberResult, len(in))
	all := make([]*draft, len(in))
	inParts(len(in), prepareShare, func(from, to int) {
		for i := from; i < to; i++ {
			all[i], results[i].Error = e.prepare(c, in[i])
		}
	})
	var drafts []*draft
	var places []int // of each draft in results
	for i, d := range all {
		if d != nil {
			drafts, places = append(drafts, d), append(places, i)
		}
	}
	e.embed(ctx, drafts)
	for len(drafts) > 0 {
		n := min(maxBatch, len(drafts))
		stored, err := e.submit(ctx, t, drafts[:n])
		if err != nil && len(drafts) == len(in) {
			return nil, e.whole(err) // nothing of the call was written
		}
		for j := range n {
			if err != nil {
				results[places[j]].Error = e.shown(err)
			} else {
				results[places[j]] = stored[j]
			}
		}
		drafts, places = drafts[n:], places[n:]
	}
	return results, nil
}

// prepareShare is how many inputs are worth a goroutine.
const prepareShare = 16

// inParts calls fn for parts of [0, n), of at least a share, on all processors.
func inParts(n, share int, fn func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/share))
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { fn(p*n/parts, (p+1)*n/parts) })
	}
	fn(0, n/parts)
	wg.Wait()
}

// embed gives each draft its vector. Where the embedder fails the drafts stay
// without: they are stored, marked pending, and embedded later.
func (e *Engine) embed(ctx context.Context, drafts []*draft) {
	if len(drafts) == 0 {
		return
	}
	texts := make([]string, len(drafts))
	for i, d := range drafts {
		texts[i] = d.memory.Content
	}
	vectors, err := e.embedder.Embed(ctx, texts, models.Passage)
	if err != nil {
		e.log.Warn("[WRITE] embedder failed; memories wait for their vectors", "items", len(drafts), "error", err)
		return
	}
	for i, d := range drafts {
		d.vector = vectors[i]
	}
}

// whole is the error of a call that failed as a whole.
func (e *Engine) whole(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return e.shown(err)
}

func asError(err error, target **graph.Error) bool { return errors.As(err, target) }
