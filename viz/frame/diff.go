package frame

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Diff returns the part that changes the scene before into the scene after: new or changed
// nodes, edges and clusters, removed ones, and the regions if they differ. Both frames must be complete,
// with their nodes by ascending id. Nil means no difference.
//
// A reader removes the removed nodes with all their edges, removes the removed edges, replaces
// or adds the nodes by id, and adds the edges. It removes the removed clusters and replaces or
// adds the clusters by id.
func Diff(before, after *Frame) *Frame {
	part := &Frame{At: after.At, Cursor: after.Cursor, Drawing: after.Drawing, Total: after.Total}
	moved := part.diffNodes(before, after)
	part.diffEdges(before, after, moved)
	part.diffClusters(before, after)
	if !slices.Equal(before.Regions, after.Regions) {
		part.Regions = append([]Region{}, after.Regions...)
	}
	changes := len(part.Nodes) + len(part.Removed) + len(part.Edges) + len(part.RemovedEdges) + len(part.Clusters) + len(part.RemovedClusters)
	if part.Regions == nil && changes == 0 && before.Drawing == after.Drawing && before.Total == after.Total {
		return nil
	}
	return part
}

// diffNodes compares the nodes of both scenes. It returns the new index of each old node; -1 if
// it was removed.
func (p *Frame) diffNodes(before, after *Frame) []int32 {
	moved := make([]int32, len(before.Nodes))
	b := 0
	gone := func() {
		moved[b] = -1
		p.Removed = append(p.Removed, before.Nodes[b].ID)
		b++
	}
	for a := range after.Nodes {
		n := &after.Nodes[a]
		for b < len(before.Nodes) && before.Nodes[b].ID < n.ID {
			gone()
		}
		if b < len(before.Nodes) && before.Nodes[b].ID == n.ID {
			moved[b] = int32(a)
			b++
			if equalNodes(&before.Nodes[b-1], n) {
				continue
			}
		}
		p.Nodes = append(p.Nodes, *n)
	}
	for b < len(before.Nodes) {
		gone()
	}
	return moved
}

func equalNodes(n, o *Node) bool {
	return n.ID == o.ID && n.Position == o.Position && n.Type == o.Type && n.Namespace == o.Namespace && n.Project == o.Project &&
		n.User == o.User && n.Session == o.Session && n.Importance == o.Importance && n.Confidence == o.Confidence && n.DecayClass == o.DecayClass && n.K == o.K &&
		n.Important == o.Important && n.SafetyCritical == o.SafetyCritical && n.Version == o.Version && n.CreatedAt.Equal(o.CreatedAt) &&
		n.Anchor.Equal(o.Anchor) && n.ValidFrom.Equal(o.ValidFrom) && n.ExpiresAt.Equal(o.ExpiresAt) && n.LastUse.Equal(o.LastUse) &&
		n.Label == o.Label && n.Cluster == o.Cluster && slices.Equal(n.History, o.History) && slices.Equal(n.UseDays, o.UseDays)
}

// edgeKey identifies an edge by its ends in the new scene.
type edgeKey struct {
	from, to int32
	kind     string
}

func (p *Frame) diffEdges(before, after *Frame, moved []int32) {
	held := make(map[edgeKey]float64, len(before.Edges))
	for _, e := range before.Edges {
		if from, to := moved[e.From], moved[e.To]; from >= 0 && to >= 0 {
			held[edgeKey{from, to, e.Kind}] = e.Weight
		}
	}
	r := endNumbers{part: p, after: after, index: map[graph.ID]int32{}}
	for i := range p.Nodes {
		r.index[p.Nodes[i].ID] = int32(i)
	}
	for _, e := range after.Edges {
		k := edgeKey{e.From, e.To, e.Kind}
		w, known := held[k]
		delete(held, k)
		if known && w == e.Weight {
			continue
		}
		if known {
			p.RemovedEdges = append(p.RemovedEdges, r.edge(k, 0))
		}
		p.Edges = append(p.Edges, r.edge(k, e.Weight))
	}
	for _, e := range before.Edges { // in order, so that the bytes don't depend on map iteration
		k := edgeKey{moved[e.From], moved[e.To], e.Kind}
		if _, left := held[k]; left {
			p.RemovedEdges = append(p.RemovedEdges, r.edge(k, 0))
			delete(held, k)
		}
	}
}

// endNumbers numbers the ends of edges: first the nodes of the part, then external ones.
type endNumbers struct {
	part, after *Frame
	index       map[graph.ID]int32
}

func (r *endNumbers) edge(k edgeKey, weight float64) Edge {
	return Edge{From: r.number(k.from), To: r.number(k.to), Kind: k.kind, Weight: weight}
}

func (r *endNumbers) number(node int32) int32 {
	id := r.after.Nodes[node].ID
	n, known := r.index[id]
	if !known {
		n = int32(len(r.part.Nodes) + len(r.part.ExternalIDs))
		r.part.ExternalIDs = append(r.part.ExternalIDs, id)
		r.index[id] = n
	}
	return n
}
