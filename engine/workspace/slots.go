package workspace

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// searchSlots limits the concurrent searches of the index. A search is CPU-bound, so more
// concurrent searches do not answer sooner. They only delay writes, which consist of many
// short steps.
type searchSlots struct {
	all          chan struct{} // all searches
	whileWriting chan struct{} // searches that begin during a write
	writing      atomic.Int32  // running write groups and jobs
}

func newSearchSlots() *searchSlots {
	n := runtime.GOMAXPROCS(0)
	return &searchSlots{all: make(chan struct{}, n), whileWriting: make(chan struct{}, max(1, n/2))}
}

// Writing counts a running write until done is called.
func (r *searchSlots) Writing() (done func()) {
	r.writing.Add(1)
	return func() { r.writing.Add(-1) }
}

// enter waits for a slot; leave releases it. The only error is that of ctx.
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
