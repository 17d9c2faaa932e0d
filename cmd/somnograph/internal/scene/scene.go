// Package scene answers what the explorer draws: it asks the engine for the scene,
// the atlas for the places, and packs both into a frame.
package scene

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/project"
)

// Source is the engine, as far as it is needed here.
type Source interface {
	Scene(ctx context.Context, c engine.Caller, namespaces []string) (*engine.Scene, error)
	Now() time.Time
}

// Head answers the cursor of the last change, once the source knows it.
type Head func(ctx context.Context) (graph.Cursor, error)

// Handler serves GET /viz/graph: everything the caller may see. The explorer filters
// by itself: a map of a part would put the same memories in other places.
func Handler(source Source, head Head, caller engine.Caller, log *slog.Logger) http.Handler {
	d := &drawer{source: source, head: head, caller: caller}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		f, err := d.draw(r.Context())
		if err == nil {
			err = frame.Serve(w, r, f)
		}
		if err == nil || r.Context().Err() != nil {
			return
		}
		switch code := graph.CodeOf(err); code {
		case graph.CodeUnavailable:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "unavailable", http.StatusServiceUnavailable)
		default:
			log.Error("[READ] the scene could not be drawn", "code", code, "error", err)
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	})
}

// drawer keeps the frame that was drawn last: drawing a hundred thousand memories
// takes seconds, and as long as nothing changes it stays the same picture.
type drawer struct {
	source Source
	head   Head
	caller engine.Caller
	atlas  project.Atlas

	mu   sync.Mutex // one drawing at a time
	last *frame.Frame
	at   graph.Cursor // the head when it was drawn
}

// draw answers the frame of now. It must not be changed.
func (d *drawer) draw(ctx context.Context) (*frame.Frame, error) {
	head, err := d.head(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last != nil && d.at >= head {
		again := *d.last
		again.At = d.source.Now()
		return &again, nil
	}
	s, err := d.source.Scene(ctx, d.caller, nil)
	if err != nil {
		return nil, err
	}
	d.last, d.at = pack(s, &d.atlas), head
	return d.last, nil
}

// pack puts a scene and its places into a frame.
func pack(s *engine.Scene, atlas *project.Atlas) *frame.Frame {
	points := make([]project.Point, len(s.Nodes))
	for i, d := range s.Nodes {
		points[i] = project.Point{ID: d.ID, Vector: d.Vector}
	}
	places := atlas.Places(points)
	f := &frame.Frame{
		At: s.At, Cursor: s.Cursor, Total: len(s.Nodes),
		Nodes: make([]frame.Node, len(s.Nodes)), Edges: make([]frame.Edge, len(s.Edges)),
	}
	for i, d := range s.Nodes {
		f.Nodes[i] = node(d, places[i], s.Texts[i])
	}
	for i, e := range s.Edges {
		f.Edges[i] = frame.Edge{From: e.From, To: e.To, Kind: e.Kind, Weight: float64(e.Weight)}
	}
	return f
}

func node(d *index.Doc, place [3]float32, label string) frame.Node {
	n := frame.Node{
		ID: d.ID, Position: place, Type: d.Type, Namespace: d.Namespace, Project: d.Project, User: d.User, Session: d.Session,
		Importance: d.Importance, DecayClass: d.DecayClass, Important: d.Important, SafetyCritical: d.SafetyCritical,
		Version: d.Version, CreatedAt: d.CreatedAt, Anchor: d.AnchorAt, ValidFrom: d.ValidFrom, ExpiresAt: d.ExpiresAt,
		History: d.History, UseDays: d.Usage.Days, LastUse: d.Usage.Last, Label: label,
	}
	// What never fades, whatever state it is in; core and engrams are told by their states.
	if !d.SafetyCritical {
		n.K = decay.Rate(decay.Memory{
			Class: d.DecayClass, K: d.DecayK, Usage: d.Usage.Count, Important: d.Important, Confidence: d.Confidence,
		})
	}
	return n
}
