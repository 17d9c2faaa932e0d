package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// demoteDisputed ranks a contradicted memory below the contradicting memory if that has more
// authority, whatever their scores. Scores do not change. A contradicting candidate that was
// not chosen is inserted and the last hit is dropped if there are more than TopK.
func (svc *Service) demoteDisputed(ctx context.Context, q *query, chosen []scored) ([]scored, error) {
	if !slices.ContainsFunc(chosen, disputed) {
		return chosen, nil
	}
	candidates := make(map[graph.ID]int, len(q.kept))
	for i, k := range q.kept {
		candidates[k.Doc.ID] = i
	}
	out := slices.Clone(chosen)
	err := q.t.View(ctx, func(r graph.Reader) error {
		out = append(out[:0], chosen...)
		for _, weak := range chosen {
			if !disputed(weak) {
				continue
			}
			edges, err := r.Edges(weak.Doc.ID, graph.Both, graph.Contradicts)
			if err != nil {
				return err
			}
			for _, edge := range edges {
				i, found := candidates[lifecycle.OtherEnd(edge, weak.Doc.ID)]
				if !found || edge.At.After(q.at) || edge.Weight <= lifecycle.ContestedAbove {
					continue
				}
				if strong := q.kept[i]; strong.active && strong.Doc.Authority > weak.Doc.Authority {
					out = inFront(out, strong, weak.Doc.ID, q.in.TopK)
				}
			}
		}
		return nil
	})
	return out, err
}

// disputed reports whether a memory is ACTIVE and its conflict exceeds
// lifecycle.ContestedAbove.
func disputed(k scored) bool { return k.active && k.Doc.Conflict > lifecycle.ContestedAbove }

// inFront moves a hit directly before another, or inserts it there.
func inFront(hits []scored, one scored, other graph.ID, limit int) []scored {
	place := func(id graph.ID) int {
		return slices.IndexFunc(hits, func(k scored) bool { return k.Doc.ID == id })
	}
	at, behind := place(one.Doc.ID), place(other)
	if behind < 0 || at >= 0 && at < behind {
		return hits
	}
	if at >= 0 {
		hits = slices.Delete(hits, at, at+1)
	}
	hits = slices.Insert(hits, behind, one)
	return hits[:min(limit, len(hits))]
}
