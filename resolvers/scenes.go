package resolvers

import (
	"context"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Scenes draws the map of memories. What stands where is not the engine's to say, so it
// is asked for beside Verbs.
type Scenes interface {
	// Picture answers the most important memories of the picture at an instant, at most
	// first, and the edges among them.
	Picture(ctx context.Context, c engine.Caller, namespaces []string, at graph.AsOf, first int) (*Picture, error)
	// Changes answers how the scene changes from the one that the client holds on. The
	// channel closes behind a change without a part, and when ctx ends.
	Changes(ctx context.Context, c engine.Caller, from Scene) (<-chan SceneChange, error)
}

// Scene names a scene: how far it has read the feed, and the drawing of the map.
type Scene struct {
	Cursor  graph.Cursor
	Drawing uint64
}

// Picture is the map at an instant.
type Picture struct {
	Scene
	At    time.Time
	Total int // memories in the picture
	Nodes []MapNode
	Edges []engine.EdgeView
	// Regions are those of the map of now, the largest first.
	Regions []Region
}

// Region is a part of the map with a name.
type Region struct {
	Centre [3]float32
	Radius float32 // half of its memories lie within
	Count  int     // memories in it
	Name   string
}

// MapNode is a memory on the map.
type MapNode struct {
	ID                        graph.ID
	Position                  [3]float32
	Type                      graph.Type
	Status                    graph.Status
	Tier                      graph.Tier
	Namespace, Project, Label string
	Importance, Retention     float64 // [0,1]
}

// SceneChange is what changed about a scene.
type SceneChange struct {
	Scene
	Part []byte // a frame; nil: the scene has to be loaded again
}

// requireScenes is what draws the map.
func (r *resolverRoot) requireScenes() (Scenes, error) {
	if r.scenes == nil {
		return nil, graph.Errorf(graph.CodeUnavailable, "this server draws no map")
	}
	return r.scenes, nil
}

func (r queryResolver) VizGraph(ctx context.Context, namespaces []string, at *gql.AsOf, first *int) (*gql.VizGraph, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := boundedInt("first", first, 1000, 5000)
	if err != nil {
		return nil, err
	}
	scenes, err := r.requireScenes()
	if err != nil {
		return nil, err
	}
	p, err := scenes.Picture(ctx, c, namespaces, asOf(at), n)
	if err != nil {
		return nil, err
	}
	out := &gql.VizGraph{
		At: p.At, Cursor: formatUint(p.Cursor), Map: formatUint(p.Drawing), Total: p.Total,
		Nodes: make([]*gql.VizNode, len(p.Nodes)), Edges: make([]*gql.Edge, len(p.Edges)), Regions: make([]*gql.VizRegion, len(p.Regions)),
	}
	for i, g := range p.Regions {
		out.Regions[i] = &gql.VizRegion{
			Name: g.Name, X: float64(g.Centre[0]), Y: float64(g.Centre[1]), Z: float64(g.Centre[2]), Radius: float64(g.Radius), Memories: g.Count,
		}
	}
	for i, s := range p.Nodes {
		out.Nodes[i] = &gql.VizNode{
			ID: string(s.ID), X: float64(s.Position[0]), Y: float64(s.Position[1]), Z: float64(s.Position[2]),
			Type: gql.MemoryType(s.Type), Status: gql.MemoryStatus(s.Status), Tier: gql.Tier(s.Tier),
			Namespace: s.Namespace, Project: nullable[string](s.Project), Importance: s.Importance, Retention: s.Retention, Label: s.Label,
		}
	}
	for i, e := range p.Edges {
		out.Edges[i] = encodeEdge(e)
	}
	return out, nil
}

func (r subscriptionResolver) VizChanges(ctx context.Context, after, drawing string) (<-chan *gql.VizChange, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	scenes, err := r.requireScenes()
	if err != nil {
		return nil, err
	}
	cursor, err := strconv.ParseUint(after, 10, 64)
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be the cursor of a scene in decimal")
	}
	drawn, err := strconv.ParseUint(drawing, 10, 64)
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "map", "must be the drawing of a map in decimal")
	}
	changes, err := scenes.Changes(ctx, c, Scene{Cursor: graph.Cursor(cursor), Drawing: drawn})
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, changes, func(ch SceneChange) *gql.VizChange {
		out := &gql.VizChange{Cursor: formatUint(ch.Cursor), Map: formatUint(ch.Drawing)}
		if ch.Part != nil {
			part := base64.StdEncoding.EncodeToString(ch.Part)
			out.Part = &part
		}
		return out
	}), nil
}

func formatUint[N ~uint64](n N) string { return strconv.FormatUint(uint64(n), 10) }
