// Package sending says when the answer to a request was sent.
package sending

import (
	"context"
	"sync"
)

// request is one whose answer is not sent yet.
type request struct {
	mu    sync.Mutex
	ended bool
	after []func()
}

type key struct{}

// Begin returns a context with which After waits until sent is called: when the client has accepted the answer or is gone. Within a context that
// Begin returned, After goes on waiting for that one, because the answer becomes a part of its answer.
func Begin(ctx context.Context) (_ context.Context, sent func()) {
	if _, outer := ctx.Value(key{}).(*request); outer {
		return ctx, func() {}
	}
	r := &request{}
	return context.WithValue(ctx, key{}, r), r.end
}

// After calls f when the answer to the request of a context was sent: at once if it was already, or if nobody says when.
func After(ctx context.Context, f func()) {
	r, ok := ctx.Value(key{}).(*request)
	if !ok || !r.add(f) {
		f()
	}
}

func (r *request) add(f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.after = append(r.after, f)
	}
	return !r.ended
}

func (r *request) end() {
	r.mu.Lock()
	r.ended = true
	after := r.after
	r.after = nil
	r.mu.Unlock()
	for _, f := range after {
		f()
	}
}
