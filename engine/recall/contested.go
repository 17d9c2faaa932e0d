package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxContesting is the number of memories that are read for one contested memory.
const maxContesting = 20

// Contesting returns, for each memory in the order of views, the memories that contradict it,
// the strongest conflict first; of two patterns that wait for no person, the more confident one contradicts the other. Both must be ACTIVE at the instant of the view and the caller
// must see them. nil views and views that nothing contests have none.
func (svc *Service) Contesting(ctx context.Context, c workspace.Caller, views []*workspace.View) ([][]*workspace.View, error) {
	out := make([][]*workspace.View, len(views))
	contested := func(v *workspace.View) bool {
		return v != nil && v.State.Status == graph.Active && lifecycle.MayBeContested(v.Conflict, v.Memory.Pattern != nil) && v.Unavailable == nil
	}
	if !slices.ContainsFunc(views, contested) {
		return out, nil
	}
	now := svc.Now()
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		clear(out)
		for i, v := range views {
			if !contested(v) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			edges, err := r.Edges(v.ID, graph.Both, graph.Contradicts)
			if err != nil {
				return err
			}
			edges = slices.DeleteFunc(edges, func(e graph.Edge) bool {
				return e.Weight <= 0 || e.At.After(v.Access.Instant(now))
			})
			slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
			for _, e := range edges[:min(len(edges), maxContesting)] {
				m, err := r.Memory(lifecycle.OtherEnd(e, v.ID))
				if known, err := graph.Found(err); err != nil {
					return err
				} else if !known || !lifecycle.Contested(e, v.Memory, m) {
					continue
				}
				if other := workspace.Visible(m, c, v.Access, now); other != nil && other.State.Status == graph.Active {
					out[i] = append(out[i], other)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	for i := range out {
		svc.Verify(ctx, c.Scope(), out[i]...)
		out[i] = slices.DeleteFunc(out[i], func(v *workspace.View) bool { return v.Unavailable != nil })
	}
	return out, nil
}
