package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const reserveName = "reserve"

// guard keeps Badger away from a full disk. Badger writes through memory maps, so a
// full disk kills the process, also on the next open. The guard refuses writes while
// there is still room for what Badger has under way, and holds a reserve file that
// it gives up when the room gets short.
type guard struct {
	dir     string
	minFree uint64
	minOpen uint64
	toClose uint64 // what closing takes
	reserve uint64
	log     *slog.Logger
	low     atomic.Bool // writes are refused

	mu   sync.Mutex
	held bool // the reserve exists
}

// openGuard checks that the disk has room enough to open a store, giving up the
// reserve where it hasn't. The error wraps ErrUnavailable.
func openGuard(dir string, o Options) (*guard, error) {
	free, size, err := diskSpace(dir)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: free space of %s: %w", dir, err)
	}
	g := &guard{dir: dir, minFree: o.minFree(size), minOpen: o.MinOpen, reserve: o.Reserve, log: o.Logger}
	g.toClose = min(g.minFree, 6*uint64(o.MemTable))
	if _, err := os.Stat(g.path()); err == nil {
		g.held = true
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("badgerstore: reserve: %w", err)
	}
	if free < g.minOpen && g.held {
		if err := g.giveUp(); err != nil {
			return nil, err
		}
		if free, _, err = diskSpace(dir); err != nil {
			return nil, fmt.Errorf("badgerstore: free space of %s: %w", dir, err)
		}
	}
	if free < g.minOpen {
		return nil, fmt.Errorf("%w: the disk of %s has %d MiB free and opening takes %d MiB; free some space and start again",
			graph.ErrUnavailable, dir, free>>20, g.minOpen>>20)
	}
	return g, g.look()
}

// allow answers nil while writes are safe, else an error that wraps ErrUnavailable.
func (g *guard) allow() error {
	if err := g.look(); err != nil {
		return err
	}
	if g.low.Load() {
		return fmt.Errorf("%w: less than %d MiB of disk are free; reads go on, writes resume when there is space again",
			graph.ErrUnavailable, g.minFree>>20)
	}
	return nil
}

// look measures the free space, and gives up or takes back the reserve. Space that
// the reserve could give counts as used.
func (g *guard) look() error {
	free, _, err := diskSpace(g.dir)
	if err != nil {
		return fmt.Errorf("%w: free space of %s: %w", graph.ErrUnavailable, g.dir, err)
	}
	low := free < g.minFree
	if g.low.Swap(low) != low {
		g.log.Warn("[WRITE] disk space", "refusing_writes", low, "free_bytes", free, "limit_bytes", g.minFree)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.held && free < g.minFree/2:
		return g.giveUp()
	case !g.held && free > g.minFree+2*g.reserve:
		return g.take()
	}
	return nil
}

// roomToClose reports whether Badger can flush and compact on closing, giving up the
// reserve for it.
func (g *guard) roomToClose() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	free, _, err := diskSpace(g.dir)
	if err == nil && free < g.toClose && g.held {
		if err = g.giveUp(); err == nil {
			free, _, err = diskSpace(g.dir)
		}
	}
	return err == nil && free >= g.toClose
}

// watch looks on while nobody writes: a flush or a compaction under way may need the
// reserve. It ends when stop is closed.
func (g *guard) watch(stop <-chan struct{}) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if err := g.look(); err != nil {
				g.log.Warn("[WRITE] disk space", "error", err)
			}
		}
	}
}

func (g *guard) path() string { return filepath.Join(g.dir, reserveName) }

// giveUp removes the reserve.
func (g *guard) giveUp() error {
	if err := dropFile(g.path()); err != nil {
		return fmt.Errorf("%w: give up the reserve: %w", graph.ErrUnavailable, err)
	}
	g.held = false
	return nil
}

// take writes the reserve, real blocks and not a hole.
func (g *guard) take() error {
	f, err := os.OpenFile(g.path(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%w: take a reserve: %w", graph.ErrUnavailable, err)
	}
	err = allocate(f, int64(g.reserve))
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("%w: take a reserve: %w", graph.ErrUnavailable, err), g.giveUp())
	}
	g.held = true
	return nil
}

// fill writes zeros, where a file system can't allocate without.
func fill(f *os.File, size int64) error {
	zeros := make([]byte, 1<<20)
	for size > 0 {
		n, err := f.Write(zeros[:min(size, int64(len(zeros)))])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}
