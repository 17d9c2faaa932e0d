package scene

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/somnograph/somnograph/viz/project"
)

// redraw computes the map of the points on half of the processors, and saves it. The next
// frame shows it.
func (s *Server) redraw(points []project.Point) {
	drift, err := s.layout.Redraw(s.ctx, points, max(1, runtime.GOMAXPROCS(0)/2))
	if err == nil {
		s.Logger.Info("computed the map", "memories", len(points), "drift", drift)
		err = s.save()
	}
	if err != nil && s.ctx.Err() == nil {
		s.Logger.Error("computing or saving the map failed", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.redrawing = false
	s.wakePages()
}

// followSleeps draws the scene after a sleep: its clusters may have changed although no memory
// did, and the map is computed again if enough changed.
func (s *Server) followSleeps() {
	if s.Caller.WholeTenant() != nil {
		return // reports are not for this caller; its map is computed again as it changes
	}
	reports, err := s.Source.MorningReports(s.ctx, s.Caller, "")
	if err != nil {
		s.Logger.Warn("following sleeps for the map failed", "error", err)
		return
	}
	for {
		select {
		case <-s.ctx.Done():
			return
		case _, ok := <-reports:
			if !ok {
				return
			}
			if _, err := s.draw(s.ctx); err != nil && !errors.Is(err, context.Canceled) {
				s.Logger.Warn("drawing the scene after a sleep failed", "error", err)
			}
		}
	}
}

func (s *Server) path() string { return filepath.Join(s.Dir, string(s.Caller.Tenant)+".map") }

// save writes the positions to a new file and renames it over the old one. It does not sync:
// positions that a power cut damages are computed again.
func (s *Server) save() error {
	if s.Dir == "" {
		return nil
	}
	var b bytes.Buffer
	if err := s.layout.Save(&b); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(s.path()+".new", b.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(s.path()+".new", s.path())
}

// load reads the saved positions.
func (s *Server) load() {
	if s.Dir == "" {
		return
	}
	b, err := os.ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = s.layout.Load(b)
	}
	if err != nil {
		s.Logger.Warn("the saved map can't be read and is computed again", "error", err)
	}
}
