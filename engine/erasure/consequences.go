package erasure

import (
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

// consequences are the effects of withdrawing one memory of the source.
type consequences struct {
	descended []graph.ID // nearest first
	restored  []graph.ID
	rebuilds  []sleep.Rebuild
}

// consequences reads the effects of withdrawing m.
func (w *withdrawal) consequences(r graph.Reader, m *graph.Memory) (*consequences, error) {
	effects := &consequences{}
	taken := map[graph.ID]bool{m.ID: true}
	for next := []*graph.Memory{m}; len(next) > 0; next = next[1:] {
		x := next[0]
		derived, err := r.Edges(x.ID, graph.In, graph.DerivedFrom)
		if err != nil {
			return nil, err
		}
		for _, edge := range derived {
			if taken[edge.From] {
				continue
			}
			y, err := r.Memory(edge.From)
			if err != nil {
				return nil, err
			}
			derives, err := lifecycle.TextDerives(r, y, x.ID)
			if err != nil {
				return nil, err
			}
			if !lifecycle.Believed(y) || !derives || !w.authorised(y) {
				continue // a memory that others were merged into keeps its own words
			}
			taken[y.ID] = true
			effects.descended = append(effects.descended, y.ID)
			next = append(next, y)
		}
		freed, err := w.released(r, x)
		if err != nil {
			return nil, err
		}
		effects.restored = append(effects.restored, freed...)
		if x.ID != m.ID && x.Status() == graph.Active {
			again, err := sleep.PlanRebuild(r, x, w.matchesSource)
			if err != nil {
				return nil, err
			}
			effects.rebuilds = append(effects.rebuilds, again...)
		}
	}
	effects.restored = slices.DeleteFunc(effects.restored, func(id graph.ID) bool { return taken[id] })
	return effects, nil
}

// released returns the memories that become ACTIVE again if x is withdrawn: those merged
// into it, and those that it superseded.
func (w *withdrawal) released(r graph.Reader, x *graph.Memory) ([]graph.ID, error) {
	var ids []graph.ID
	folded, err := r.Edges(x.ID, graph.In, graph.ConsolidatedInto)
	if err != nil {
		return nil, err
	}
	for _, edge := range folded {
		m, err := r.Memory(edge.From)
		if err != nil {
			return nil, err
		}
		if m.Status() == graph.Consolidated && m.Consolidated == x.ID && !w.matchesSource(m) {
			ids = append(ids, m.ID)
		}
	}
	if x.Status() != graph.Active {
		return ids, nil
	}
	revised, err := r.Edges(x.ID, graph.Out, graph.Revises)
	if err != nil {
		return nil, err
	}
	for _, edge := range revised {
		m, err := r.Memory(edge.To)
		if err != nil {
			return nil, err
		}
		if m.ID != x.Supersedes && m.Status() == graph.Superseded && m.SupersededBy == x.ID && !w.matchesSource(m) {
			ids = append(ids, m.ID)
		}
	}
	passed := map[graph.ID]bool{x.ID: true}
	for id := x.Supersedes; id != "" && !passed[id]; {
		passed[id] = true
		m, err := r.Memory(id)
		if err != nil {
			return nil, err
		}
		if m.Status() == graph.Superseded && !w.matchesSource(m) {
			return append(ids, m.ID), nil
		}
		id = m.Supersedes
	}
	return ids, nil
}
