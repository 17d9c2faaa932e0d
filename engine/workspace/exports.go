package workspace

import (
	"context"
	"fmt"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// openExports are the exports of a tenant that this server is sending.
type openExports struct {
	mu   sync.Mutex
	open map[*openExport]bool
}

// openExport is one of them.
type openExport struct {
	since  graph.Cursor // what it reads is not older
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// ErrErasedMeanwhile ends what reads a whole tenant when something in it is erased.
var ErrErasedMeanwhile = fmt.Errorf("%w: a part of what is read was erased meanwhile; begin again", graph.ErrUnavailable)

// BeginExport returns the context of a call that sends the whole tenant as of its beginning. An erasure
// ends it. The caller calls end once nothing more is sent.
func (t *Tenant) BeginExport(ctx context.Context) (exporting context.Context, end func(), err error) {
	x := &openExport{done: make(chan struct{})}
	if !t.space.Exclusive() {
		if x.since, err = t.space.Store.Head(ctx, t.Scope); err != nil {
			return nil, nil, err
		}
	}
	exporting, cancel := context.WithCancelCause(ctx)
	x.cancel = cancel
	t.exports.mu.Lock()
	defer t.exports.mu.Unlock()
	if t.exports.open == nil {
		t.exports.open = map[*openExport]bool{}
	}
	t.exports.open[x] = true
	return exporting, sync.OnceFunc(func() {
		cancel(nil)
		close(x.done)
		t.exports.mu.Lock()
		defer t.exports.mu.Unlock()
		delete(t.exports.open, x)
	}), nil
}

// endExportsBefore ends the open exports that began before a change of the feed, by which another server
// erased something. It does not wait for them.
func (t *Tenant) endExportsBefore(erased graph.Cursor) {
	t.exports.mu.Lock()
	defer t.exports.mu.Unlock()
	for x := range t.exports.open {
		if x.since < erased {
			x.cancel(ErrErasedMeanwhile)
		}
	}
}

// EndExports ends the open exports of the tenant on this server, and returns when they send nothing
// more.
func (t *Tenant) EndExports(ctx context.Context) error {
	t.exports.mu.Lock()
	var open []*openExport
	for x := range t.exports.open {
		x.cancel(ErrErasedMeanwhile)
		open = append(open, x)
	}
	t.exports.mu.Unlock()
	for _, x := range open {
		select {
		case <-x.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
