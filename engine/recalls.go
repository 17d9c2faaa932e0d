package engine

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// recalls bounds how many searches look through the index at once. Looking takes a
// processor and waits for nothing, so more of them at once answer none sooner; they only
// keep writes, which are many short steps, from having theirs.
type recalls struct {
	all     chan struct{} // takes those that look
	few     chan struct{} // takes those that begin while something is written
	writing atomic.Int32  // groups and jobs that writers are at
}

func newRecalls() *recalls {
	n := runtime.GOMAXPROCS(0)
	return &recalls{all: make(chan struct{}, n), few: make(chan struct{}, max(1, n/2))}
}

// write notes that something is written, until done is called.
func (r *recalls) write() (done func()) {
	r.writing.Add(1)
	return func() { r.writing.Add(-1) }
}

// enter waits for a place among those that look; leave gives it back. It fails only with ctx.
func (r *recalls) enter(ctx context.Context) (leave func(), err error) {
	places := []chan struct{}{r.all}
	if r.writing.Load() > 0 {
		places = []chan struct{}{r.few, r.all}
	}
	taken := 0
	leave = func() {
		for _, place := range places[:taken] {
			<-place
		}
	}
	for _, place := range places {
		select {
		case place <- struct{}{}:
			taken++
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		}
	}
	return leave, nil
}

// recall is the index's Recall, in the order of arrival.
func (e *Engine) recall(ctx context.Context, sc graph.Scope, q index.Query) (*index.Result, error) {
	leave, err := e.recalls.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return e.index.Recall(ctx, sc, q)
}
