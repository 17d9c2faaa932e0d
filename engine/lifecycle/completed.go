package lifecycle

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// A turn may say something only together with an earlier turn: "Sorry, I meant 10." after "My flight is at 9.". The whole statement,
// "My flight is at 10.", is a memory of its own with an edge DERIVED_FROM to both turns.

// CompletedID returns the id of the statement that a turn makes together with an earlier memory. at is the time of the turn.
func CompletedID(at time.Time, turn, earlier graph.ID) (graph.ID, error) {
	return graph.DerivedID(at, "completed", string(turn), string(earlier))
}

// CompletedFrom returns the turn that makes the statement m together with an earlier memory, and that memory; empty: m was said as it
// is. The id decides, which only CompletedID makes: other memories have edges DERIVED_FROM to what was merged into them.
func CompletedFrom(r graph.Reader, m *graph.Memory) (turn, earlier graph.ID, err error) {
	if m.SourceKind != graph.FromUser {
		return "", "", nil
	}
	edges, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
	if err != nil || len(edges) < 2 {
		return "", "", err
	}
	raw, err := m.ID.Bytes()
	if err != nil {
		return "", "", err
	}
	at := time.UnixMilli(int64(binary.BigEndian.Uint64(raw[:8]) >> 16))
	for _, a := range edges {
		for _, b := range edges {
			if id, err := CompletedID(at, a.To, b.To); err != nil || id == m.ID {
				return a.To, b.To, err
			}
		}
	}
	return "", "", nil
}

// CompletedOf returns the statements that turns make together with others and that derive from a turn, oldest first. It leaves out erased ones.
func CompletedOf(r graph.Reader, turn graph.ID) (out []*graph.Memory, err error) {
	edges, err := r.Edges(turn, graph.In, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		m, err := r.Memory(e.From)
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if !known || m.Status() == graph.Forgotten {
			continue
		}
		if by, earlier, err := CompletedFrom(r, m); err != nil {
			return nil, err
		} else if by != "" && (by == turn || earlier == turn) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *graph.Memory) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out, nil
}

// TextDerives reports whether the text of a memory was derived from another one, to which it has an edge DERIVED_FROM. That of a memory
// into which a sleep merged the other one was not.
func TextDerives(r graph.Reader, m *graph.Memory, from graph.ID) (bool, error) {
	if MadeOfOthers(m) {
		return true, nil
	}
	turn, earlier, err := CompletedFrom(r, m)
	return turn != "" && (from == turn || from == earlier), err
}
