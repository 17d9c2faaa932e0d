package grouping

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Growth from which the memories of an owner are clustered again before the night.
const (
	EnoughNew    = 100  // new memories
	EnoughJoined = 5    // of them in one dense cluster
	DenseAbove   = 0.85 // density of a cluster whose new memories probably repeat it
)

// Growth is how many memories of an owner are new since its settlement, or at all if it has none. What
// sleeps derived does not count.
type Growth struct {
	New    int // memories that may be in a cluster
	Joined int // the most of them that joined one cluster denser than DenseAbove
}

// Enough reports whether a light sleep clusters the memories of the owner again.
func (g Growth) Enough() bool { return g.New >= EnoughNew || g.Joined >= EnoughJoined }

// Growing counts new memories.
type Growing struct {
	view    *View
	settled map[Owner]time.Time // instants of the settlements
	fresh   []*index.Doc
}

// Growing returns an empty count, for the settlements in force.
func (v *View) Growing() *Growing {
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	g := &Growing{view: v, settled: map[Owner]time.Time{}}
	for o, c := range b.owners {
		g.settled[o] = c.at
	}
	return g
}

// Add counts a memory if it is new.
func (g *Growing) Add(d *index.Doc) {
	if d.Embedded && d.SourceKind != graph.FromConsolidation && !d.RecordedAt.Before(g.settled[Owner{d.Namespace, d.User}]) && Eligible(d, workspace.StateOf(d)) {
		g.fresh = append(g.fresh, d)
	}
}

// Owners returns the growth of every owner that has grown.
func (g *Growing) Owners() map[Owner]Growth {
	b := g.view.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	grown, joined := map[Owner]Growth{}, map[graph.ID]int{}
	for _, d := range g.fresh {
		m, in := b.members[d.ID]
		if in && m.Settled {
			continue
		}
		o := Owner{d.Namespace, d.User}
		x := grown[o]
		if in && m.in.Density > DenseAbove {
			joined[m.in.ID]++
			x.Joined = max(x.Joined, joined[m.in.ID])
		}
		x.New++
		grown[o] = x
	}
	return grown
}

// Grown returns the growth of every owner of a tenant that has grown.
func (svc *Service) Grown(ctx context.Context, t *workspace.Tenant) (map[Owner]Growth, error) {
	v, err := svc.View(ctx, t.Whole())
	if err != nil {
		return nil, err
	}
	g := v.Growing()
	svc.Index.Docs(v.scope, func(d *index.Doc) bool { g.Add(d); return true })
	return g.Owners(), nil
}
