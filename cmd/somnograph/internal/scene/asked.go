package scene

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/arrow"
	"github.com/somnograph/somnograph/viz/frame"
)

// answer sends what a request asks for: the scene, or where it is too large for one frame
// its first tile; with ?tile=KEY&map=DRAWING one of the others; with ?memory=ID&map=DRAWING
// the one that holds a memory; with ?format=arrow all of it as a table, with &table=edges
// that of its edges. On an error nothing was written yet.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	f, err := s.current(r.Context())
	if err != nil {
		return err
	}
	e, q := s.editionOf(f), r.URL.Query()
	switch {
	case q.Has("format"):
		s.table(w, r, f)
		return nil
	case q.Has("tile"), q.Has("memory"):
		return s.tile(w, r, e)
	case len(f.Nodes) <= s.Whole:
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

// tile sends one tile, named by its key or by a memory in it: 410 where it was one of
// another map, 404 where there is no such memory.
func (s *Server) tile(w http.ResponseWriter, r *http.Request, e *edition) error {
	q := r.URL.Query()
	key, known := e.keyOf(q)
	if q.Get("map") != strconv.FormatUint(e.of.Drawing, 10) || !known && q.Has("tile") {
		http.Error(w, "this map is gone", http.StatusGone)
		return nil
	}
	if !known {
		http.Error(w, "no such memory", http.StatusNotFound)
		return nil
	}
	w.Header().Set(frame.TileHeader, strconv.FormatUint(uint64(key), 10))
	p, err := e.tile(key)
	return s.send(w, r, p, err)
}

// keyOf is the key of the tile that a query names; false where there is no such tile.
func (e *edition) keyOf(q url.Values) (uint32, bool) {
	if q.Has("memory") {
		return e.tiles().TileOf(graph.ID(q.Get("memory")))
	}
	key, err := strconv.ParseUint(q.Get("tile"), 10, 32)
	return uint32(key), err == nil && e.tiles().Has(uint32(key))
}

// table sends the memories or the edges of a frame as an Arrow stream, as of now.
func (s *Server) table(w http.ResponseWriter, r *http.Request, f *frame.Frame) {
	write, name := frame.WriteNodes, "memories"
	q := r.URL.Query()
	switch q.Get("table") {
	case "", "memories":
	case "edges":
		write, name = frame.WriteEdges, "edges"
	default:
		http.Error(w, "table must be memories or edges", http.StatusBadRequest)
		return
	}
	if q.Get("format") != "arrow" {
		http.Error(w, "format must be arrow", http.StatusBadRequest)
		return
	}
	h := w.Header()
	h.Set("Content-Type", arrow.MediaType)
	h.Set("Content-Disposition", `attachment; filename="somnograph-`+name+`.arrows"`)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return
	}
	// Who goes away in the middle needs no answer; the stream lacks its end then.
	if err := write(w, f, s.Source.Now()); err != nil && r.Context().Err() == nil {
		s.Logger.Warn("[READ] a table was not sent to its end", "table", name, "error", err)
	}
}

// editionOf is how a frame is sent; that of the last one is kept.
func (s *Server) editionOf(f *frame.Frame) *edition {
	s.press.Lock()
	defer s.press.Unlock()
	if s.edition == nil || s.edition.of != f {
		s.edition = newEdition(f)
	}
	return s.edition
}
