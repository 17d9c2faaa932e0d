package workspace

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// searchSlots limits the concurrent searches of the index. A search is CPU-bound, so more
// concurrent searches do not answer sooner. They only delay writes, which consist of many
// short steps. Principals get the slots in turn.
type searchSlots struct {
	seats        *seats       // whole searches
	all          *turns       // all searches
	whileWriting *turns       // searches that begin during a write
	writing      atomic.Int32 // running write groups and jobs
}

// newSearchSlots makes the slots of a server. now is the clock of seats.
func newSearchSlots(now func() time.Time) *searchSlots {
	n := runtime.GOMAXPROCS(0)
	// The further seat needs a slot of the index too.
	return &searchSlots{seats: newSeats(n, now), all: newTurns(n + 1), whileWriting: newTurns(max(1, n/2))}
}

// Writing counts a running write until done is called.
func (r *searchSlots) Writing() (done func()) {
	r.writing.Add(1)
	return func() { r.writing.Add(-1) }
}

// enter waits for a slot; leave releases it. The only error is that of ctx.
func (r *searchSlots) enter(ctx context.Context, principal string) (leave func(), err error) {
	slots := []*turns{r.all}
	if r.writing.Load() > 0 {
		slots = []*turns{r.whileWriting, r.all}
	}
	taken := 0
	leave = func() {
		for _, s := range slots[:taken] {
			s.give()
		}
	}
	for _, s := range slots {
		if err := s.take(ctx, principal); err != nil {
			leave()
			return nil, err
		}
		taken++
	}
	return leave, nil
}

// SearchIndex asks the index for candidates, within the slots. principal is the name of the caller,
// which takes turns with others of all tenants.
func (ws *Space) SearchIndex(ctx context.Context, principal string, sc graph.Scope, q index.Query) (*index.Result, error) {
	leave, err := ws.SearchSlots.enter(ctx, string(sc.Tenant)+"\x00"+principal)
	if err != nil {
		return nil, err
	}
	defer leave()
	return ws.Index.Recall(ctx, sc, q)
}
