package scene

import (
	"bytes"
	"context"
	"errors"
	"runtime"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
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
	self := s.Caller // the map belongs to all who see the same: its own work is not counted as a call of the first of them
	self.Credential, self.Name = "", audit.Server
	reports, err := s.Source.MorningReports(s.ctx, self, "")
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

// save writes the positions, if they are saved.
func (s *Server) save() error {
	if s.Saved == nil {
		return nil
	}
	return s.Saved.save(s.Caller.Tenant, func(without map[graph.ID]bool) ([]byte, error) {
		var b bytes.Buffer
		err := s.layout.Save(&b, without)
		return b.Bytes(), err
	})
}

// load reads the saved positions.
func (s *Server) load() {
	if s.Saved == nil {
		return
	}
	b, err := s.Saved.begin(s.Caller.Tenant)
	if err == nil && b != nil {
		err = s.layout.Load(b)
	}
	if err != nil {
		s.Logger.Warn("the saved map can't be read and is computed again", "error", err)
	}
}
