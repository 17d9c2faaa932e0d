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

// remap draws the map of the points on half of the processors, and keeps its places.
// The next frame shows it.
func (s *Server) remap(points []project.Point) {
	drift, err := s.atlas.Redraw(s.ctx, points, max(1, runtime.GOMAXPROCS(0)/2))
	if err == nil {
		s.Logger.Info("the map was drawn", "memories", len(points), "drift", drift)
		err = s.keep()
	}
	if err != nil && s.ctx.Err() == nil {
		s.Logger.Error("the map could not be drawn or kept", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
	close(s.news)
	s.news = make(chan struct{})
}

// mornings looks after every sleep whether the map is to be drawn again.
func (s *Server) mornings() {
	reports, err := s.Source.MorningReports(s.ctx, s.Caller, "")
	if err != nil {
		s.Logger.Warn("the map does not follow sleeps", "error", err)
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
				s.Logger.Warn("the scene could not be drawn after a sleep", "error", err)
			}
		}
	}
}

func (s *Server) path() string { return filepath.Join(s.Dir, string(s.Caller.Tenant)+".map") }

// keep writes the places beside the old ones and then over them. They are derived, so
// nothing is synced: what a power cut leaves is drawn anew.
func (s *Server) keep() error {
	if s.Dir == "" {
		return nil
	}
	var b bytes.Buffer
	if err := s.atlas.Save(&b); err != nil {
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

func (s *Server) recover() {
	if s.Dir == "" {
		return
	}
	b, err := os.ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = s.atlas.Load(b)
	}
	if err != nil {
		s.Logger.Warn("the kept map could not be read; it is drawn anew", "error", err)
	}
}
