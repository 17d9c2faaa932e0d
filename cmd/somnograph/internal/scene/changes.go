package scene

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/viz/frame"
)

// maxChange is the size in bytes above which a page loads the scene instead of a change.
const maxChange = 1 << 20

// idleFactor is the pause between two drawings in multiples of the time of the last one: a
// large scene under constant writes takes a fifth of a processor.
const idleFactor = 4

// Changes implements [resolvers.Scenes].
func (s *Server) Changes(ctx context.Context, c engine.Caller, from resolvers.Scene) (<-chan resolvers.SceneChange, error) {
	if err := s.authorize(c); err != nil {
		return nil, err
	}
	held, err := s.frameOf(ctx, from)
	if err != nil {
		return nil, err
	}
	out := make(chan resolvers.SceneChange)
	go s.follow(ctx, held, out)
	return out, nil
}

// authorize refuses callers that may see other memories than those drawn.
func (s *Server) authorize(c engine.Caller) error {
	if o := s.Caller; c.Tenant != o.Tenant || c.Sight().Key() != o.Sight().Key() {
		return graph.Errorf(graph.CodeForbidden, "the map was drawn for other credentials")
	}
	return nil
}

// frameOf is the frame that a page has; nil: it is not kept any more.
func (s *Server) frameOf(ctx context.Context, from resolvers.Scene) (*frame.Frame, error) {
	if _, err := s.current(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Frames that differ only in their clusters have the same identity. A change from the oldest
	// of them leads to the same scene from all.
	for _, f := range slices.Backward(s.frames) {
		if sceneOf(f) == from {
			return f, nil
		}
	}
	return nil, nil
}

// sceneOf identifies the scene of a frame.
func sceneOf(f *frame.Frame) resolvers.Scene {
	return resolvers.Scene{Cursor: f.Cursor, Drawing: f.Drawing}
}

// follow sends changes until the page has to load the scene again.
func (s *Server) follow(ctx context.Context, held *frame.Frame, out chan<- resolvers.SceneChange) {
	defer close(out)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.ctx, stop)()
	for {
		s.mu.Lock()
		redrawn, cost := s.redrawn, s.cost
		s.mu.Unlock()
		now, err := s.current(ctx)
		var change *resolvers.SceneChange
		if err == nil && now != held {
			change, err = changeBetween(held, now)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.Logger.Error("[READ] following the changes of the scene failed", "error", err)
			}
			return
		}
		if change != nil {
			select {
			case out <- *change:
			case <-ctx.Done():
				return
			}
			if change.Part == nil || !sleep(ctx, max(s.Pause, idleFactor*cost)) {
				return
			}
		}
		held = now
		if s.await(ctx, now.Cursor, redrawn) != nil {
			return
		}
	}
}

// changeBetween is the change from a frame, nil if it is unknown, to another; nil: nothing that
// is drawn changed.
func changeBetween(held, now *frame.Frame) (*resolvers.SceneChange, error) {
	change := &resolvers.SceneChange{Scene: sceneOf(now)}
	if held == nil || held.Drawing != now.Drawing {
		return change, nil
	}
	part := frame.Diff(held, now)
	if part == nil {
		return nil, nil
	}
	b, err := frame.Encode(part)
	if err == nil && len(b) <= maxChange {
		change.Part = b
	}
	return change, err
}

// await returns when there is a change after the cursor, or a new map.
func (s *Server) await(ctx context.Context, after graph.Cursor, redrawn <-chan struct{}) error {
	changed, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-redrawn:
			stop()
		case <-changed.Done():
		}
	}()
	if err := s.Wait(changed, after); err != nil && changed.Err() == nil {
		return err
	}
	return ctx.Err()
}

// sleep waits for d and reports whether ctx is still valid.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
