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

// Scenes draws the map of memories. It is separate from Verbs because the engine does not know
// positions.
type Scenes interface {
	// Picture returns the most important memories at a point in time, at most first, and the
	// edges between them.
	Picture(ctx context.Context, c engine.Caller, namespaces []string, at graph.AsOf, first int) (*Picture, error)
	// Changes streams the changes of the scene that the client has. The channel closes after a
	// change without a part, and when ctx ends.
	Changes(ctx context.Context, c engine.Caller, from Scene) (<-chan SceneChange, error)
}

// Scene identifies a version of the map: a position in the change feed and the drawing.
type Scene struct {
	Cursor  graph.Cursor
	Drawing uint64
}

// Picture is the map at a point in time.
type Picture struct {
	Scene
	At    time.Time
	Total int // total number of memories in the picture
	Nodes []MapNode
	Edges []engine.EdgeView
	// Regions of the current map, largest first.
	Regions []Region
}

// Region is a named region of the map.
type Region struct {
	Centre [3]float32
	Radius float32 // radius that contains half of its memories
	Count  int     // number of memories in it
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

// SceneChange is a change of a scene.
type SceneChange struct {
	Scene
	Part []byte // a frame; nil: the client must load the scene again
}

// requireScenes returns Scenes, or UNAVAILABLE if there is none.
func (r *resolverRoot) requireScenes() (Scenes, error) {
	if r.scenes == nil {
		return nil, graph.Errorf(graph.CodeUnavailable, "this server has no map")
	}
	return r.scenes, nil
}

func (r queryResolver) VizGraph(ctx context.Context, namespaces []string, at *gql.AsOf, first *int) (*gql.VizGraph, error) {
	n, err := boundedInt("first", first, 1000, 5000)
	if err != nil {
		return nil, err
	}
	scenes, err := r.requireScenes()
	if err != nil {
		return nil, err
	}
	p, err := scenes.Picture(ctx, caller(ctx), namespaces, asOf(at), n)
	if err != nil {
		return nil, err
	}
	return &gql.VizGraph{
		At: p.At, Cursor: formatUint(p.Cursor), Map: formatUint(p.Drawing), Total: p.Total,
		Nodes: convert(p.Nodes, encodeMapNode), Edges: convert(p.Edges, encodeEdge), Regions: convert(p.Regions, encodeRegion),
	}, nil
}

func encodeRegion(g Region) *gql.VizRegion {
	return &gql.VizRegion{
		Name: g.Name, X: float64(g.Centre[0]), Y: float64(g.Centre[1]), Z: float64(g.Centre[2]), Radius: float64(g.Radius), Memories: g.Count,
	}
}

func encodeMapNode(s MapNode) *gql.VizNode {
	return &gql.VizNode{
		ID: string(s.ID), X: float64(s.Position[0]), Y: float64(s.Position[1]), Z: float64(s.Position[2]),
		Type: gql.MemoryType(s.Type), Status: gql.MemoryStatus(s.Status), Tier: gql.Tier(s.Tier),
		Namespace: s.Namespace, Project: nullable[string](s.Project), Importance: s.Importance, Retention: s.Retention, Label: s.Label,
	}
}

func (r subscriptionResolver) VizChanges(ctx context.Context, after, drawing string) (<-chan *gql.VizChange, error) {
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
		return nil, graph.FieldError(graph.CodeInvalidRequest, "map", "must be the id of a map layout in decimal")
	}
	changes, err := scenes.Changes(ctx, caller(ctx), Scene{Cursor: graph.Cursor(cursor), Drawing: drawn})
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
