package scene

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/region"
)

// edgesPerNode is the largest number of edges of a picture, per node.
const edgesPerNode = 10

// Picture implements [resolvers.Scenes].
func (s *Server) Picture(ctx context.Context, c engine.Caller, namespaces []string, at graph.AsOf, first int) (*resolvers.Picture, error) {
	if err := s.authorize(c); err != nil {
		return nil, err
	}
	for _, n := range namespaces {
		if !graph.ValidNamespace(n) {
			return nil, graph.NamespaceError("namespaces")
		}
	}
	f, err := s.draw(ctx)
	if err != nil {
		return nil, err
	}
	return picture(f, namespaces, at, first), nil
}

// picture selects the most important nodes of a frame that are visible at an instant.
func picture(f *frame.Frame, namespaces []string, at graph.AsOf, first int) *resolvers.Picture {
	p := &resolvers.Picture{Scene: sceneOf(f), At: f.At}
	if !at.Recorded.IsZero() {
		p.At = at.Recorded
	}
	states := make([]graph.State, len(f.Nodes))
	var seen []int32
	for i := range f.Nodes {
		n := &f.Nodes[i]
		if len(namespaces) > 0 && !slices.Contains(namespaces, n.Namespace) {
			continue
		}
		if s, in := n.VisibleAt(at, f.At); in {
			states[i] = s
			seen = append(seen, int32(i))
		}
	}
	p.Total = len(seen)
	slices.SortFunc(seen, func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.Nodes[b].Importance, f.Nodes[a].Importance), cmp.Compare(a, b))
	})
	seen = seen[:min(first, len(seen))]
	chosen := make(map[int32]bool, len(seen))
	for _, i := range seen {
		n, s := &f.Nodes[i], states[i]
		chosen[i] = true
		p.Nodes = append(p.Nodes, resolvers.MapNode{
			ID: n.ID, Position: n.Position, Type: n.Type, Status: s.Status, Tier: s.Tier, Namespace: n.Namespace, Project: n.Project, Label: n.Label,
			Importance: n.Importance, Retention: n.Retention(s, p.At),
		})
	}
	p.Regions = regionsOf(f, p.Nodes)
	for _, e := range f.Edges {
		if chosen[e.From] && chosen[e.To] {
			p.Edges = append(p.Edges, engine.EdgeView{From: f.Nodes[e.From].ID, To: f.Nodes[e.To].ID, Kind: e.Kind, Weight: e.Weight})
		}
	}
	slices.SortStableFunc(p.Edges, func(a, b engine.EdgeView) int { return cmp.Compare(b.Weight, a.Weight) })
	p.Edges = p.Edges[:min(edgesPerNode*first, len(p.Edges))]
	return p
}

// regionsOf returns the regions of the nodes of a picture. Names and counts come from these nodes
// only, so that they say nothing about other namespaces or other instants. The picture of the
// whole frame has the frame's clusters or regions, whose names are stable.
func regionsOf(f *frame.Frame, nodes []resolvers.MapNode) []resolvers.Region {
	if len(nodes) == len(f.Nodes) {
		return mapRegions(f)
	}
	var out []resolvers.Region
	places, texts := make([][3]float32, len(nodes)), make([]string, len(nodes))
	for i, n := range nodes {
		places[i], texts[i] = n.Position, n.Label
	}
	for _, r := range region.Find(places, texts) {
		out = append(out, resolvers.Region{Centre: r.Centre, Radius: r.Radius, Count: r.Count, Name: strings.Join(r.Words, " · ")})
	}
	return out
}
