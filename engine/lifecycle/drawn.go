package lifecycle

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Drawn is what patterns were drawn from.
type Drawn map[graph.ID]Sources

// Sources are the sources of a pattern that can be seen.
type Sources struct {
	IDs       []graph.ID
	AboutUser bool // most of them are about the user: so is what repeats in them
}

// Put notes the sources of a pattern. about reports whether a source is about the user, and whether it can be seen.
func (d Drawn) Put(pattern graph.ID, sources []graph.ID, about func(source graph.ID) (user, seen bool)) {
	s := Sources{IDs: make([]graph.ID, 0, len(sources))}
	surplus := 0
	for _, id := range sources {
		user, seen := about(id)
		if !seen {
			continue
		}
		if s.IDs = append(s.IDs, id); user {
			surplus++
		} else {
			surplus--
		}
	}
	s.AboutUser = surplus > 0
	d[pattern] = s
}

// SourcesOf returns the ids of what a pattern was drawn from, as far as the reader sees them. They are written with the pattern and don't change: an
// erased source erases its patterns, and a change of a pattern is a new one.
func SourcesOf(r graph.Reader, pattern graph.ID) ([]graph.ID, error) {
	edges, err := r.Edges(pattern, graph.Out, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(edges))
	for i, e := range edges {
		ids[i] = e.To
	}
	return ids, nil
}

// MoreConfident returns the patterns that contradict another one at an instant and are more confident, the most confident first. It looks
// at so many contradictions.
func MoreConfident(r graph.Reader, id graph.ID, at time.Time, limit int) (out []*graph.Memory, err error) {
	edges, err := r.Edges(id, graph.Both, graph.Contradicts)
	if err != nil || len(edges) == 0 {
		return nil, err
	}
	m, err := r.Memory(id)
	if known, err := graph.Found(err); err != nil || !known {
		return nil, err
	}
	for _, e := range edges[:min(len(edges), limit)] {
		if e.At.After(at) {
			continue
		}
		other, err := r.Memory(OtherEnd(e, id))
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if known && other.Status() == graph.Active && Outranked(e, m, other) {
			out = append(out, other)
		}
	}
	slices.SortFunc(out, CompareConfidence)
	return out, nil
}
