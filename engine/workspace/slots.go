package workspace

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// searchSlots bounds how many searches use the index at once. A search needs a processor and
// waits for nothing, so more of them at once are not answered sooner; they only delay writes,
// which are many short steps.
type searchSlots struct {
	all          chan struct{} // takes those that look
	whileWriting chan struct{} // takes those that begin while something is written
	writing      atomic.Int32  // groups and jobs that writers are at
}

func newSearchSlots() *searchSlots {
	n := runtime.GOMAXPROCS(0)
	return &searchSlots{all: make(chan struct{}, n), whileWriting: make(chan struct{}, max(1, n/2))}
}

// Writing notes that something is written until done is called.
func (r *searchSlots) Writing() (done func()) {
	r.writing.Add(1)
	return func() { r.writing.Add(-1) }
}

// enter waits for a slot; leave returns it. It fails only with ctx.
func (r *searchSlots) enter(ctx context.Context) (leave func(), err error) {
	places := []chan struct{}{r.all}
	if r.writing.Load() > 0 {
		places = []chan struct{}{r.whileWriting, r.all}
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

// SearchIndex asks the index for candidates, within the slots.
func (ws *Space) SearchIndex(ctx context.Context, sc graph.Scope, q index.Query) (*index.Result, error) {
	leave, err := ws.SearchSlots.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return ws.Index.Recall(ctx, sc, q)
}
