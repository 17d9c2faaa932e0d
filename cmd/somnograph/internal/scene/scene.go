// Package scene serves the frames that the explorer draws: memories and edges from the engine
// with positions from a layout. It computes the layout again when enough has changed, in the
// background and after sleeps.
package scene

import (
	"context"
	"errors"
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

// Source is the part of the engine that scenes need.
type Source interface {
	SceneAfter(ctx context.Context, c engine.Caller, namespaces []string, before *engine.Scene) (*engine.Scene, error)
	MorningReports(ctx context.Context, c engine.Caller, after graph.ID) (<-chan engine.SleepReport, error)
	// ClustersOf returns the clusters of memories, without ids their version only.
	ClustersOf(ctx context.Context, c engine.Caller, ids []graph.ID) (engine.SceneClusters, error)
	Now() time.Time
}

// Head returns the cursor of the last change, once the source has it.
type Head func(ctx context.Context) (graph.Cursor, error)

// Wait returns when there is a change after the cursor. The error is that of ctx.
type Wait func(ctx context.Context, after graph.Cursor) error

// Options configure a Server.
type Options struct {
	Source Source
	Head   Head
	Wait   Wait
	Caller engine.Caller
	Saved  *Saved        // where the positions of the map are saved; nil: nowhere
	Pause  time.Duration // shortest time between two changes sent to a page; 0: 100 ms
	// MaxSingleFrame is the largest number of nodes in one frame; larger scenes are sent in tiles.
	// 0: frame.MaxSingleFrame.
	MaxSingleFrame int
	TileNodes      int // largest number of nodes in a tile, except at the deepest level; 0: frame.TileNodes
	Logger         *slog.Logger
}

// Server serves GET /viz/graph: everything that the caller may see. The explorer filters by
// itself, because a map of a part would put the same memories at other positions.
type Server struct {
	Options
	layout project.Layout

	mu      sync.Mutex     // one drawing at a time
	scene   *engine.Scene  // of the last frame
	frames  []*frame.Frame // the last ones, the newest first; see keptFrames
	cost    time.Duration  // of the last drawing
	regions regionNames    // of the last frame
	// clusters is the version of the clusters of the last frame.
	clusters string
	redrawn  chan struct{} // closed when the map has been computed again, or the clusters were

	encodeMu sync.Mutex
	last     *encodedFrame // of the last request; nil: there was none

	ctx        context.Context // of the background work
	stop       context.CancelFunc
	background sync.WaitGroup

	// Protected by mu: the map is being computed; it will not be computed again.
	redrawing, closed bool
}

// keptFrames is the number of frames kept to compute changes from: a page asks for changes
// after it got a frame, and another frame may have been drawn in between.
const keptFrames = 2

// New starts a server. Positions that can't be read are logged and computed again.
func New(o Options) *Server {
	if o.Pause == 0 {
		o.Pause = time.Second / 10
	}
	if o.MaxSingleFrame == 0 {
		o.MaxSingleFrame = frame.MaxSingleFrame
	}
	s := &Server{Options: o, redrawn: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.load()
	s.background.Go(s.followSleeps)
	return s
}

// Close ends the background work. The map is not computed again.
func (s *Server) Close() {
	s.stop()
	s.mu.Lock()
	first := !s.closed
	s.closed = true // no background work begins after this
	s.mu.Unlock()
	s.background.Wait()
	if first && s.Saved != nil {
		s.Saved.end(s.Caller.Tenant)
	}
}

// Serve serves a request, and returns what was wrong with it.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		return refuse(w, http.StatusMethodNotAllowed, graph.CodeInvalidRequest, "method not allowed")
	}
	err := s.answer(w, r)
	var refused refusal
	if err == nil || errors.As(err, &refused) || r.Context().Err() != nil {
		return err
	}
	switch code := graph.CodeOf(err); code {
	case graph.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
	default:
		s.Logger.Error("[READ] drawing the scene failed", "code", code, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
	return err
}

// refusal is the error of a request that has its response.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// refuse sends a response with a status and a text, and returns it as an error with a code.
func refuse(w http.ResponseWriter, status int, code graph.Code, text string) error {
	http.Error(w, text, status)
	return refusal{graph.Errorf(code, "%s", text)}
}

// draw returns the frame of now, which must not be modified. It keeps the last one: drawing
// 100,000 memories takes seconds.
func (s *Server) draw(ctx context.Context) (*frame.Frame, error) {
	f, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	again := *f
	again.At = s.Source.Now()
	return &again, nil
}

// current is draw without the time of now: there is one frame per cursor, drawing and version of
// the clusters.
func (s *Server) current(ctx context.Context) (*frame.Frame, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) > 0 && s.frames[0].Cursor >= head && s.frames[0].Drawing == s.layout.Drawing() {
		if changed, err := s.clustersChanged(ctx); err != nil || !changed {
			return s.frames[0], err
		}
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
	version, err := s.cluster(ctx, found, f)
	if err != nil {
		return nil, err
	}
	if len(f.Clusters) == 0 {
		f.Regions = s.regions.find(found, places, drawing)
	}
	if len(s.frames) > 0 && version != s.clusters {
		s.wakePages()
	}
	s.scene, s.clusters, s.cost = found, version, time.Since(began)
	s.frames = append([]*frame.Frame{f}, s.frames[:min(len(s.frames), keptFrames-1)]...)
	if !s.redrawing && !s.closed && s.layout.NeedsRedraw(all) {
		s.redrawing = true
		s.background.Go(func() { s.redraw(all) })
	}
	return f, nil
}

// draws is the number of memories of the last frame, if a request draws another one.
func (s *Server) draws(ctx context.Context) int {
	s.mu.Lock()
	var f *frame.Frame
	if len(s.frames) > 0 && s.frames[0].Drawing == s.layout.Drawing() {
		f = s.frames[0]
	}
	s.mu.Unlock()
	if f == nil {
		return 0
	}
	if head, err := s.Head(ctx); err == nil && f.Cursor >= head {
		return 0
	}
	return len(f.Nodes)
}

// wakePages makes the pages that follow the scene look at the current frame. mu is held.
func (s *Server) wakePages() {
	close(s.redrawn)
	s.redrawn = make(chan struct{})
}

// places returns positions of one drawing of the map, which may be computed again at any time.
func (s *Server) places(ctx context.Context, points []project.Point) ([][3]float32, uint64, error) {
	for drawing := s.layout.Drawing(); ; {
		places, err := s.layout.Places(ctx, points)
		after := s.layout.Drawing()
		if err != nil || after == drawing {
			return places, drawing, err
		}
		drawing = after
	}
}

// points are the memories of a scene, as input of the layout.
func points(s *engine.Scene) []project.Point {
	out := make([]project.Point, len(s.Nodes))
	for i, d := range s.Nodes {
		out[i] = project.Point{ID: d.ID, Vector: s.Vectors[i]}
	}
	return out
}

// pack combines a scene and its positions in a frame.
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
		ID: d.ID, Position: place, Type: d.Type, Namespace: d.Namespace, Project: d.Project, User: graph.UserOf(d.User), Session: d.Session,
		Importance: d.Importance, Confidence: d.Confidence, DecayClass: d.DecayClass, Important: d.Important, SafetyCritical: d.SafetyCritical,
		Version: d.Version, CreatedAt: d.CreatedAt, Anchor: d.AnchorAt, ValidFrom: d.ValidFrom, ExpiresAt: d.ExpiresAt,
		History: d.History, UseDays: d.Usage.Days, LastUse: d.Usage.Last, Label: label,
	}
	// A safety-critical memory never fades. For core memories and engrams the state says so.
	if !d.SafetyCritical {
		n.K = decay.Rate(decay.Memory{
			Class: d.DecayClass, K: d.DecayK, Usage: d.Usage.Count, Important: d.Important, Confidence: d.Confidence,
		})
	}
	return n
}
