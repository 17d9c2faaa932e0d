package models

import (
	"context"
	"sync"
	"time"
)

// BatchOptions configure the batching of calls. Zero values mean the defaults.
type BatchOptions struct {
	Max  int           // maximum number of texts per call; default 32
	Wait time.Duration // maximum delay of the first text; default 2 ms
}

// batcher coalesces concurrent small calls.
type batcher struct {
	Embedder
	o    BatchOptions
	mu   sync.Mutex
	open [2]*group // by kind: the group that accepts texts, or nil
}

// group is one call on behalf of several callers.
type group struct {
	kind    Kind
	texts   []string
	calls   int
	waiting int             // callers that have not left
	timer   *time.Timer     // sends the group when it fires
	ctx     context.Context // cancelled after all callers have left
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when vectors and err are set
	vectors [][]float32
	err     error
}

// Batch coalesces concurrent calls into calls of at most Max texts. A call with at least Max
// texts is not delayed. A caller whose ctx ends leaves without effect on the others; the joint
// call is cancelled after all callers have left. If the model refuses a joint call
// permanently, the texts of each caller are sent again separately, so that one caller's text
// can't fail another caller.
func Batch(e Embedder, o BatchOptions) Embedder {
	if o.Max <= 0 {
		o.Max = 32
	}
	if o.Wait <= 0 {
		o.Wait = 2 * time.Millisecond
	}
	return &batcher{Embedder: e, o: o}
}

func (b *batcher) Unwrap() Embedder { return b.Embedder }

func (b *batcher) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(texts) == 0 || len(texts) >= b.o.Max || int(kind) >= len(b.open) {
		return b.Embedder.Embed(ctx, texts, kind)
	}
	g, from := b.join(ctx, texts, kind)
	select {
	case <-ctx.Done():
		b.leave(g, ctx.Err())
		return nil, ctx.Err()
	case <-g.done:
	}
	b.leave(g, nil)
	if g.err == nil {
		return g.vectors[from : from+len(texts) : from+len(texts)], nil
	}
	if g.calls > 1 && Refused(g.err) {
		return b.Embedder.Embed(ctx, texts, kind)
	}
	return nil, g.err
}

// join adds texts to the open group and returns the group and the index of the first of these
// texts. If the group has too little room, join sends it first and opens another.
func (b *batcher) join(ctx context.Context, texts []string, kind Kind) (*group, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := b.open[kind]
	if g != nil && len(g.texts)+len(texts) > b.o.Max {
		b.send(g)
		g = nil
	}
	if g == nil {
		g = &group{kind: kind, done: make(chan struct{})}
		g.ctx, g.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		g.timer = time.AfterFunc(b.o.Wait, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.send(g)
		})
		b.open[kind] = g
	}
	from := len(g.texts)
	g.texts = append(g.texts, texts...)
	g.calls++
	g.waiting++
	if len(g.texts) == b.o.Max {
		b.send(g)
	}
	return g, from
}

// send makes the call of a group, once. b.mu is held.
func (b *batcher) send(g *group) {
	if b.open[g.kind] != g {
		return // already sent, or all callers left
	}
	b.open[g.kind] = nil
	g.timer.Stop()
	go func() {
		defer close(g.done)
		g.vectors, g.err = b.Embedder.Embed(g.ctx, g.texts, g.kind)
		if g.err == nil && len(g.vectors) != len(g.texts) {
			g.err = &Error{Message: "the number of vectors is not the number of texts"}
		}
	}()
}

// leave removes one caller from a group. The last caller cancels the call, and says why it leaves: a
// call that the callers' deadlines end is one that took too long.
func (b *batcher) leave(g *group, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g.waiting--; g.waiting > 0 {
		return
	}
	g.cancel(why)
	if b.open[g.kind] == g { // not sent yet
		b.open[g.kind] = nil
		g.timer.Stop()
	}
}
