package scene

import (
	"net/http"
	"strconv"

	"github.com/somnograph/somnograph/viz/frame"
)

// asked is the frame that a request asks for: the scene, or where it is too large for one
// frame its first tile; with ?tile=KEY&map=DRAWING one of the others. Nil where there is
// no such tile on that map any more.
func (s *Server) asked(r *http.Request) (*frame.Frame, error) {
	f, err := s.current(r.Context())
	if err != nil {
		return nil, err
	}
	key, q := uint64(frame.Root), r.URL.Query()
	if q.Has("tile") {
		var bad error
		if key, bad = strconv.ParseUint(q.Get("tile"), 10, 32); bad != nil || q.Get("map") != strconv.FormatUint(f.Drawing, 10) {
			return nil, nil
		}
	} else if len(f.Nodes) <= s.Whole {
		return s.now(f), nil
	}
	return s.now(s.cut(f).Frame(uint32(key))), nil
}

// now is a frame, read at this instant.
func (s *Server) now(f *frame.Frame) *frame.Frame {
	if f == nil {
		return nil
	}
	again := *f
	again.At = s.Source.Now()
	return &again
}

// cut are the tiles of a frame; those of the last one are kept.
func (s *Server) cut(f *frame.Frame) *frame.Tiles {
	s.cutting.Lock()
	defer s.cutting.Unlock()
	if s.tiled != f {
		s.tiles, s.tiled = frame.NewTiles(f), f
	}
	return s.tiles
}
