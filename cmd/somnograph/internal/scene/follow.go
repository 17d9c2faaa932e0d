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

// most is the size of a part, in bytes, beyond which a page had better load the scene.
const most = 1 << 20

// rest is how many times what a drawing took is left between two: a large scene under
// constant writing takes a fifth of a processor.
const rest = 4

// Changes implements [resolvers.Scenes].
func (s *Server) Changes(ctx context.Context, c engine.Caller, from resolvers.Scene) (<-chan resolvers.SceneChange, error) {
	if err := s.admit(c); err != nil {
		return nil, err
	}
	held, err := s.held(ctx, from)
	if err != nil {
		return nil, err
	}
	out := make(chan resolvers.SceneChange)
	go s.follow(ctx, held, out)
	return out, nil
}

// admit refuses callers that see something else than what is drawn.
func (s *Server) admit(c engine.Caller) error {
	if o := s.Caller; c.Tenant != o.Tenant || c.User != o.User || !slices.Equal(c.Namespaces, o.Namespaces) {
		return graph.Errorf(graph.CodeForbidden, "the map is drawn for other credentials")
	}
	return nil
}

// held is the frame that a page says it holds; nil where it is not known any more.
func (s *Server) held(ctx context.Context, from resolvers.Scene) (*frame.Frame, error) {
	if _, err := s.current(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.frames {
		if stand(f) == from {
			return f, nil
		}
	}
	return nil, nil
}

func stand(f *frame.Frame) resolvers.Scene {
	return resolvers.Scene{Cursor: f.Cursor, Drawing: f.Drawing}
}

// follow sends what changes until a page has to load the scene again.
func (s *Server) follow(ctx context.Context, held *frame.Frame, out chan<- resolvers.SceneChange) {
	defer close(out)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.ctx, stop)()
	for {
		s.mu.Lock()
		news, cost := s.news, s.cost
		s.mu.Unlock()
		now, err := s.current(ctx)
		var change *resolvers.SceneChange
		if err == nil && now != held {
			change, err = between(held, now)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.Logger.Error("[READ] the changes of the scene ended", "error", err)
			}
			return
		}
		if change != nil {
			select {
			case out <- *change:
			case <-ctx.Done():
				return
			}
			if change.Part == nil || !pause(ctx, max(s.Pause, rest*cost)) {
				return
			}
		}
		held = now
		if s.await(ctx, now.Cursor, news) != nil {
			return
		}
	}
}

// between is what changed from a frame, nil where it is unknown, to another; nil where
// nothing did that is drawn.
func between(held, now *frame.Frame) (*resolvers.SceneChange, error) {
	change := &resolvers.SceneChange{Scene: stand(now)}
	if held == nil || held.Drawing != now.Drawing {
		return change, nil
	}
	part := frame.Diff(held, now)
	if part == nil {
		return nil, nil
	}
	b, err := frame.Encode(part)
	if err == nil && len(b) <= most {
		change.Part = b
	}
	return change, err
}

// await returns when there is a change behind the cursor, or news of the map.
func (s *Server) await(ctx context.Context, after graph.Cursor, news <-chan struct{}) error {
	changed, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-news:
			stop()
		case <-changed.Done():
		}
	}()
	if err := s.Wait(changed, after); err != nil && changed.Err() == nil {
		return err
	}
	return ctx.Err()
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
