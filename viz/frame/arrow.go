package frame

import (
	"io"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/arrow"
)

// arrowRows is the maximum number of rows in a batch.
const arrowRows = 1 << 16

// WriteNodes writes the memories of a frame as an Arrow stream, one row each;
// docs/formats/arrow.md describes the columns. Status, tier and retention are those at the
// given time. Memories recorded later are left out.
func WriteNodes(w io.Writer, f *Frame, at time.Time) error {
	var rows []int
	var states []graph.State
	for i := range f.Nodes {
		if s, born := f.Nodes[i].stateAt(at); born {
			rows, states = append(rows, i), append(states, s)
		}
	}
	return arrow.Write(w, len(rows), arrowRows, func(from, to int) []arrow.Column {
		t := nodeTable{nodes: f.Nodes, rows: rows[from:to]}
		retention, core := make([]float32, 0, to-from), make([]bool, 0, to-from)
		status, tier := make([]string, 0, to-from), make([]string, 0, to-from)
		for k, i := range t.rows {
			s := states[from+k]
			status, tier = append(status, string(s.Status)), append(tier, string(s.Tier))
			core, retention = append(core, s.Core), append(retention, float32(f.Nodes[i].Retention(s, at)))
		}
		return []arrow.Column{
			t.text("id", func(n *Node) string { return string(n.ID) }),
			t.float("x", func(n *Node) float32 { return n.Position[0] }),
			t.float("y", func(n *Node) float32 { return n.Position[1] }),
			t.float("z", func(n *Node) float32 { return n.Position[2] }),
			t.text("type", func(n *Node) string { return string(n.Type) }),
			arrow.Texts("status", status), arrow.Texts("tier", tier), arrow.Bools("core", core), arrow.Floats("retention", retention),
			t.text("namespace", func(n *Node) string { return n.Namespace }),
			t.text("project", func(n *Node) string { return n.Project }),
			t.text("user", func(n *Node) string { return n.User }),
			t.text("session", func(n *Node) string { return n.Session }),
			t.float("importance", func(n *Node) float32 { return float32(n.Importance) }),
			t.text("decay_class", func(n *Node) string { return string(n.DecayClass) }),
			t.float("decay_k", func(n *Node) float32 { return float32(n.K) }),
			t.int("version", func(n *Node) int32 { return int32(n.Version) }),
			t.int("use_days", func(n *Node) int32 { return int32(len(n.UseDays)) }),
			t.time("recorded_at", func(n *Node) time.Time { return n.History[0].From }),
			t.time("created_at", func(n *Node) time.Time { return n.CreatedAt }),
			t.time("valid_from", func(n *Node) time.Time { return n.ValidFrom }),
			t.time("expires_at", func(n *Node) time.Time { return n.ExpiresAt }),
			t.time("last_use", func(n *Node) time.Time { return n.LastUse }),
			t.text("label", func(n *Node) string { return clipLabel(n.Label) }),
		}
	})
}

// WriteEdges writes the edges between memories that existed at the given time.
func WriteEdges(w io.Writer, f *Frame, at time.Time) error {
	var edges []Edge
	for _, e := range f.Edges {
		_, from := f.Nodes[e.From].stateAt(at)
		if _, to := f.Nodes[e.To].stateAt(at); from && to {
			edges = append(edges, e)
		}
	}
	return arrow.Write(w, len(edges), arrowRows, func(from, to int) []arrow.Column {
		var ends [2][]string
		var kinds []string
		var weights []float32
		for _, e := range edges[from:to] {
			ends[0], ends[1] = append(ends[0], string(f.Nodes[e.From].ID)), append(ends[1], string(f.Nodes[e.To].ID))
			kinds, weights = append(kinds, e.Kind), append(weights, float32(e.Weight))
		}
		return []arrow.Column{arrow.Texts("from", ends[0]), arrow.Texts("to", ends[1]), arrow.Texts("kind", kinds), arrow.Floats("weight", weights)}
	})
}

// nodeTable builds columns for some nodes.
type nodeTable struct {
	nodes []Node
	rows  []int
}

func columnValues[T any](t nodeTable, of func(*Node) T) []T {
	out := make([]T, len(t.rows))
	for k, i := range t.rows {
		out[k] = of(&t.nodes[i])
	}
	return out
}

func (t nodeTable) text(name string, of func(*Node) string) arrow.Column {
	return arrow.Texts(name, columnValues(t, of))
}

func (t nodeTable) float(name string, of func(*Node) float32) arrow.Column {
	return arrow.Floats(name, columnValues(t, of))
}

func (t nodeTable) int(name string, of func(*Node) int32) arrow.Column {
	return arrow.Ints(name, columnValues(t, of))
}

func (t nodeTable) time(name string, of func(*Node) time.Time) arrow.Column {
	return arrow.Times(name, columnValues(t, of))
}
