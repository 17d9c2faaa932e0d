package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/demo"
	"github.com/somnograph/somnograph/engine"
)

// demoState is the content of demo.json.
type demoState struct {
	Began time.Time `json:"began"`
	Done  int       `json:"done"` // steps of the world
	Total int       `json:"total"`
}

// demoEvery is the number of steps between two writes of demo.json.
const demoEvery = 25

// IsDemo reports whether a data directory holds the demo world.
func IsDemo(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "demo.json"))
	return err == nil
}

// loadDemo replays the demo world into an empty store, or finishes an interrupted replay. It
// leaves a store with other memories alone.
func (in *Instance) loadDemo(ctx context.Context, o Options) error {
	path := filepath.Join(o.Dir, "demo.json")
	var s demoState
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		tenants, err := in.Store.Tenants(ctx)
		if err != nil {
			return Explain(o.Dir, err)
		}
		if len(tenants) > 0 {
			o.Engine.Logger.Warn("the store is not empty; the demo world is not loaded", "data", o.Dir)
			return nil
		}
		s.Began = demo.StartDate(o.Source())
	case err != nil:
		return fmt.Errorf("demo: %w", err)
	default:
		if err := json.Unmarshal(raw, &s); err != nil {
			return fmt.Errorf("demo: %s is damaged: %w", path, err)
		}
		if s.Total > 0 && s.Done >= s.Total {
			return nil
		}
	}
	world, err := demo.Read()
	if err != nil {
		return err
	}
	s.Total = world.Len()
	if err := s.write(path); err != nil {
		return err
	}
	clock := &demo.Clock{}
	clock.Set(s.Began)
	eo := o.engine(in, clock)
	eo.Rand = rand.NewChaCha8([32]byte{1}) // the same start gives the same ids
	eo.Automatic = nil                     // no sleeps while the demo world is loaded
	e, err := engine.New(ctx, eo)
	if err != nil {
		return Explain(o.Dir, err)
	}
	err = world.Replay(ctx, e, engine.Loopback(), clock, s.Began, s.Done, func(done int) error {
		o.Demo(done, s.Total)
		if done%demoEvery != 0 {
			return nil
		}
		s.Done = done
		return s.write(path)
	})
	if err = errors.Join(err, e.Close(context.WithoutCancel(ctx))); err != nil {
		return Explain(o.Dir, err)
	}
	s.Done = s.Total
	return s.write(path)
}

func (s demoState) write(path string) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	next := path + ".next"
	if err := os.WriteFile(next, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}
