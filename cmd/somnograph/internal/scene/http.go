package scene

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/arrow"
	"github.com/somnograph/somnograph/viz/frame"
)

// answer serves a request: the scene, or its first tile if it is too large for one frame. With
// ?tile=KEY&map=DRAWING it serves another tile, with ?memory=ID&map=DRAWING the tile of a
// memory, with ?format=arrow all memories as a table, with &table=edges the edges. On an error
// that is no refusal it has written nothing.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f, err := s.current(r.Context())
	if err != nil {
		return err
	}
	e := s.encoded(f)
	switch {
	case q.Has("format"):
		return s.table(w, r, f)
	case q.Has("tile"), q.Has("memory"):
		return s.tile(w, r, e)
	case len(f.Nodes) <= s.MaxSingleFrame:
		p, err := e.whole()
		return s.send(w, r, p, err)
	}
	p, err := e.tile(frame.RootTile)
	return s.send(w, r, p, err)
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, p *frame.Packed, err error) error {
	if err == nil {
		p.Serve(w, r, s.Source.Now())
	}
	return err
}

// tile serves the tile with a key, or that of a memory. The status is 410 if the tile belongs to
// another map, and 404 if there is no such memory.
func (s *Server) tile(w http.ResponseWriter, r *http.Request, e *encodedFrame) error {
	q := r.URL.Query()
	key, known := e.keyOf(q)
	if q.Get("map") != strconv.FormatUint(e.of.Drawing, 10) || !known && q.Has("tile") {
		return refuse(w, http.StatusGone, graph.CodeInvalidRequest, "this map is no longer available")
	}
	if !known {
		return refuse(w, http.StatusNotFound, graph.CodeMemoryNotFound, "no such memory")
	}
	w.Header().Set(frame.TileHeader, strconv.FormatUint(uint64(key), 10))
	p, err := e.tile(key)
	return s.send(w, r, p, err)
}

// keyOf is the key of the tile that a query names; false: there is no such tile.
func (e *encodedFrame) keyOf(q url.Values) (uint32, bool) {
	if q.Has("memory") {
		return e.tiles().TileOf(graph.ID(q.Get("memory")))
	}
	key, err := strconv.ParseUint(q.Get("tile"), 10, 32)
	return uint32(key), err == nil && e.tiles().Has(uint32(key))
}

// table serves the memories or the edges of a frame as an Arrow stream, as of now.
func (s *Server) table(w http.ResponseWriter, r *http.Request, f *frame.Frame) error {
	write, name := frame.WriteNodes, "memories"
	q := r.URL.Query()
	switch q.Get("table") {
	case "", "memories":
	case "edges":
		write, name = frame.WriteEdges, "edges"
	default:
		return refuse(w, http.StatusBadRequest, graph.CodeInvalidRequest, "table must be memories or edges")
	}
	if q.Get("format") != "arrow" {
		return refuse(w, http.StatusBadRequest, graph.CodeInvalidRequest, "format must be arrow")
	}
	h := w.Header()
	h.Set("Content-Type", arrow.MediaType)
	h.Set("Content-Disposition", `attachment; filename="somnograph-`+name+`.arrows"`)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return nil
	}
	// A stream that is cut off lacks its end.
	if err := write(w, f, s.Source.Now()); err != nil && r.Context().Err() == nil {
		s.Logger.Warn("[READ] sending a table failed", "table", name, "error", err)
	}
	return nil
}

// encoded returns the encoded form of a frame. It keeps that of the last one.
func (s *Server) encoded(f *frame.Frame) *encodedFrame {
	s.encodeMu.Lock()
	defer s.encodeMu.Unlock()
	if s.last == nil || s.last.of != f {
		s.last = newEncodedFrame(f, s.TileNodes)
	}
	return s.last
}
