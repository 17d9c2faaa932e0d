package lifecycle

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Drawn is what patterns were drawn from.
type Drawn map[graph.ID]Sources

// Sources are the sources of a pattern.
type Sources struct {
	IDs       []graph.ID
	AboutUser bool // most of those that can be seen are about the user: so is what repeats in them
}

// Read reads the sources of a pattern, unless they are known. about reports whether a source is about the user, and whether it can be seen.
func (d Drawn) Read(r graph.Reader, pattern graph.ID, about func(source graph.ID) (user, seen bool)) error {
	if _, known := d[pattern]; known {
		return nil
	}
	edges, err := r.Edges(pattern, graph.Out, graph.DerivedFrom)
	if err != nil {
		return err
	}
	var s Sources
	surplus := 0
	for _, e := range edges {
		s.IDs = append(s.IDs, e.To)
		switch user, seen := about(e.To); {
		case seen && user:
			surplus++
		case seen:
			surplus--
		}
	}
	s.AboutUser = surplus > 0
	d[pattern] = s
	return nil
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
