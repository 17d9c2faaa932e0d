// Package scene answers what the explorer draws: it asks the engine for the scene,
// the atlas for the places, and packs both into a frame. It sees to it that the map is
// drawn again when enough has changed: in the background, and after every sleep.
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
	MorningReports(ctx context.Context, c engine.Caller) (<-chan engine.SleepReport, error)
	Now() time.Time
}

// Head answers the cursor of the last change, once the source knows it.
type Head func(ctx context.Context) (graph.Cursor, error)

// Options say what a server stands on.
type Options struct {
	Source Source
	Head   Head
	Caller engine.Caller
	Dir    string // where the places of the map are kept; empty: nowhere
	Logger *slog.Logger
}

// Server serves GET /viz/graph: everything the caller may see. The explorer filters
// by itself: a map of a part would put the same memories in other places.
type Server struct {
	Options
	atlas project.Atlas

	mu   sync.Mutex // one drawing at a time
	last *frame.Frame
	at   graph.Cursor // the head when it was drawn

	ctx  context.Context // of the work in the background
	stop context.CancelFunc
	work sync.WaitGroup

	// Under mu: the map is being drawn; it will not be again.
	busy, closed bool
}

// New starts a server. Places that cannot be read are reported and drawn anew.
func New(o Options) *Server {
	s := &Server{Options: o}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.recover()
	s.work.Go(s.mornings)
	return s
}

// Close ends the work in the background; the map is not drawn again from then on.
func (s *Server) Close() {
	s.stop()
	s.mu.Lock()
	s.closed = true // who draws now has begun its work in the background, or never will
	s.mu.Unlock()
	s.work.Wait()
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	f, err := s.draw(r.Context())
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
		s.Logger.Error("[READ] the scene could not be drawn", "code", code, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// draw answers the frame of now. It must not be changed. The last one is kept: drawing
// a hundred thousand memories takes seconds, and as long as nothing changes it stays
// the same picture.
func (s *Server) draw(ctx context.Context) (*frame.Frame, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && s.at >= head {
		again := *s.last
		again.At = s.Source.Now()
		return &again, nil
	}
	found, err := s.Source.Scene(ctx, s.Caller, nil)
	if err != nil {
		return nil, err
	}
	points := make([]project.Point, len(found.Nodes))
	for i, d := range found.Nodes {
		points[i] = project.Point{ID: d.ID, Vector: d.Vector}
	}
	places, err := s.atlas.Places(ctx, points)
	if err != nil {
		return nil, err
	}
	s.last, s.at = pack(found, places), head
	if !s.busy && !s.closed && s.atlas.Due(points) {
		s.busy = true
		s.work.Go(func() { s.remap(points) })
	}
	return s.last, nil
}

// pack puts a scene and its places into a frame.
func pack(s *engine.Scene, places [][3]float32) *frame.Frame {
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
