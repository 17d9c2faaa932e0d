package scene

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/project"
)

// Saved are the saved positions of the maps of whole tenants, in a directory with a file for each. An
// erasure removes positions from it. It is safe for concurrent use.
type Saved struct {
	Dir string

	mu sync.Mutex
	// maps counts the running maps of each tenant, and erased are the memories that were erased since
	// the last save. A map that is being drawn may still have them.
	maps   map[graph.Tenant]int
	erased map[graph.Tenant]map[graph.ID]bool
}

// NewSaved returns the positions in a directory, which is made when the first map is saved.
func NewSaved(dir string) *Saved {
	return &Saved{Dir: dir, maps: map[graph.Tenant]int{}, erased: map[graph.Tenant]map[graph.ID]bool{}}
}

func (s *Saved) path(t graph.Tenant) string { return filepath.Join(s.Dir, string(t)+".map") }

// Erase removes the positions of memories. A file that can't be read as one is removed.
func (s *Saved) Erase(_ context.Context, scope graph.Scope, ids []graph.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := make(map[graph.ID]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	if s.maps[scope.Tenant] > 0 {
		if s.erased[scope.Tenant] == nil {
			s.erased[scope.Tenant] = map[graph.ID]bool{}
		}
		for id := range gone {
			s.erased[scope.Tenant][id] = true
		}
	}
	// A crash between writing a file and renaming it leaves one.
	if err := os.Remove(s.path(scope.Tenant) + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the saved map: %w", err)
	}
	b, err := os.ReadFile(s.path(scope.Tenant))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the saved map: %w", err)
	}
	left, changed, err := project.Without(b, gone)
	if err != nil {
		return os.Remove(s.path(scope.Tenant))
	}
	if !changed {
		return nil
	}
	return s.replace(scope.Tenant, left, true)
}

// replace writes a new file and renames it over the old one. Only an erasure is durable on return:
// positions that a power cut damages are computed again.
func (s *Saved) replace(t graph.Tenant, b []byte, durable bool) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path(t)+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if durable && err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(s.path(t)+".new", s.path(t)); err != nil || !durable {
		return err
	}
	dir, err := os.Open(s.Dir)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// begin counts a map of a tenant that saves here, and returns what was saved; nil: nothing was.
func (s *Saved) begin(t graph.Tenant) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maps[t]++
	b, err := os.ReadFile(s.path(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// end ends a map of a tenant.
func (s *Saved) end(t graph.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.maps[t]--; s.maps[t] == 0 {
		delete(s.erased, t)
	}
}

// save writes the positions that a map returns, which leaves out what was erased. Where a tenant has one
// map, the next drawing begins later and has none of that.
func (s *Saved) save(t graph.Tenant, positions func(without map[graph.ID]bool) ([]byte, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := positions(s.erased[t])
	if err != nil {
		return err
	}
	if s.maps[t] == 1 {
		delete(s.erased, t)
	}
	return s.replace(t, b, false)
}
