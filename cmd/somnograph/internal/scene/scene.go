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
	SceneAfter(ctx context.Context, c engine.Caller, namespaces []string, before *engine.Scene) (*engine.Scene, error)
	MorningReports(ctx context.Context, c engine.Caller, after graph.ID) (<-chan engine.SleepReport, error)
	Now() time.Time
}

// Head answers the cursor of the last change, once the source knows it.
type Head func(ctx context.Context) (graph.Cursor, error)

// Wait returns when there is a change behind the cursor. The error is that of ctx.
type Wait func(ctx context.Context, after graph.Cursor) error

// Options say what a server stands on.
type Options struct {
	Source Source
	Head   Head
	Wait   Wait
	Caller engine.Caller
	Dir    string        // where the places of the map are kept; empty: nowhere
	Pause  time.Duration // at least so long between two changes that a page is sent; 0: a tenth of a second
	Whole  int           // nodes that a scene may have to be sent as one frame; 0: frame.Whole
	Logger *slog.Logger
}

// Server serves GET /viz/graph: everything the caller may see. The explorer filters
// by itself: a map of a part would put the same memories in other places.
type Server struct {
	Options
	atlas project.Layout

	mu      sync.Mutex     // one drawing at a time
	scene   *engine.Scene  // of the last frame
	frames  []*frame.Frame // the last ones, the newest first; see keptFrames
	cost    time.Duration  // of the last drawing
	regions named          // of the last frame
	news    chan struct{}  // closed when the map is another

	press   sync.Mutex
	edition *edition // of the last frame that was asked for; nil: none was yet

	ctx  context.Context // of the work in the background
	stop context.CancelFunc
	work sync.WaitGroup

	// Under mu: the map is being drawn; it will not be again.
	busy, closed bool
}

// keptFrames is how many frames are kept to tell what has changed since: a page asks for
// changes a moment after it was sent a frame, and another may have been drawn meanwhile.
const keptFrames = 2

// New starts a server. Places that cannot be read are reported and drawn anew.
func New(o Options) *Server {
	if o.Pause == 0 {
		o.Pause = time.Second / 10
	}
	if o.Whole == 0 {
		o.Whole = frame.MaxSingleFrame
	}
	s := &Server{Options: o, news: make(chan struct{})}
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
	err := s.answer(w, r)
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
	f, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	again := *f
	again.At = s.Source.Now()
	return &again, nil
}

// current is draw, but for the time: frames of the same cursor and drawing are one.
func (s *Server) current(ctx context.Context) (*frame.Frame, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) > 0 && s.frames[0].Cursor >= head && s.frames[0].Drawing == s.atlas.Drawing() {
		return s.frames[0], nil
	}
	began := time.Now()
	found, err := s.Source.SceneAfter(ctx, s.Caller, nil, s.scene)
	if err != nil {
		return nil, err
	}
	all := points(found)
	places, drawing, err := s.places(ctx, all)
	if err != nil {
		return nil, err
	}
	f := pack(found, places)
	f.Cursor, f.Drawing = head, drawing
	f.Regions = s.regions.find(found, places, drawing)
	s.scene, s.cost = found, time.Since(began)
	s.frames = append([]*frame.Frame{f}, s.frames[:min(len(s.frames), keptFrames-1)]...)
	if !s.busy && !s.closed && s.atlas.NeedsRedraw(all) {
		s.busy = true
		s.work.Go(func() { s.remap(all) })
	}
	return f, nil
}

// places are those of one drawing of the map, which may be drawn anew at any time.
func (s *Server) places(ctx context.Context, points []project.Point) ([][3]float32, uint64, error) {
	for drawing := s.atlas.Drawing(); ; {
		places, err := s.atlas.Places(ctx, points)
		after := s.atlas.Drawing()
		if err != nil || after == drawing {
			return places, drawing, err
		}
		drawing = after
	}
}

// points are the memories of a scene, to be placed.
func points(s *engine.Scene) []project.Point {
	out := make([]project.Point, len(s.Nodes))
	for i, d := range s.Nodes {
		out[i] = project.Point{ID: d.ID, Vector: s.Vectors[i]}
	}
	return out
}

// pack puts a scene and its places into a frame.
func pack(s *engine.Scene, places [][3]float32) *frame.Frame {
	f := &frame.Frame{
		At: s.At, Total: len(s.Nodes),
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
