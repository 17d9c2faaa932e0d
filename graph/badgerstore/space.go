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

	"github.com/somnograph/somnograph/graph"
)

const reserveName = "reserve"

// diskGuard keeps Badger away from a full disk. Badger writes through memory maps, so a
// full disk kills the process, also at the next open. The guard refuses writes while
// there is still room for Badger's background work, and holds a reserve file that it
// removes when the space gets short.
type diskGuard struct {
	dir           string
	minFree       uint64
	minOpen       uint64
	closeNeeds    uint64 // space that closing needs
	reserve       uint64
	freeAtOpen    uint64
	readOnly      bool // the store is open for reading alone
	asked         bool // so, because it is to be read alone; otherwise the disk is too full
	log           *slog.Logger
	writesRefused atomic.Bool // writes are refused

	tableNeeds     atomic.Uint64 // free space that a merge needs to create a table
	waitedForTable atomic.Uint64 // how often a merge waited for it
	letGo          chan struct{} // closed when Badger is closed: merges wait no longer

	mu          sync.Mutex
	reserveHeld bool // the reserve exists
}

// openGuard checks that the disk has enough space to open a store, and removes the
// reserve if it has not. If that is not enough, a store that exists is opened for reading alone;
// for another one the error wraps ErrUnavailable.
func openGuard(dir string, o Options) (*diskGuard, error) {
	if o.ReadOnly {
		return &diskGuard{dir: dir, readOnly: true, asked: true, log: o.Logger, letGo: make(chan struct{})}, checkClosed(dir)
	}
	free, size, err := diskSpace(dir)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: free space of %s: %w", dir, err)
	}
	g := &diskGuard{dir: dir, minFree: o.minFree(size), minOpen: o.MinOpen, reserve: o.Reserve, log: o.Logger, letGo: make(chan struct{})}
	g.closeNeeds = min(g.minFree, 6*uint64(o.MemTable))
	g.tableNeeds.Store(tableSpace(o.MemTable))
	if _, err := os.Stat(g.reservePath()); err == nil {
		g.reserveHeld = true
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("badgerstore: reserve: %w", err)
	}
	if free < g.minOpen && g.reserveHeld {
		if err := g.removeReserve(); err != nil {
			return nil, err
		}
		if free, _, err = diskSpace(dir); err != nil {
			return nil, fmt.Errorf("badgerstore: free space of %s: %w", dir, err)
		}
	}
	if g.freeAtOpen = free; free < g.minOpen {
		if !exists(dir) {
			return nil, fmt.Errorf("%w: the disk of %s has %d MiB free and opening takes %d MiB; free some space and start again",
				graph.ErrUnavailable, dir, free>>20, g.minOpen>>20)
		}
		g.readOnly = true
	}
	return g, g.checkSpace()
}

// allowWrites returns nil while writes are safe, else an error that wraps ErrUnavailable.
func (g *diskGuard) allowWrites() error {
	if err := g.checkSpace(); err != nil {
		return err
	}
	if g.writesRefused.Load() {
		return g.unavailable("the disk of the data directory is full: less than %d MiB are free; reads continue, and writes resume when there is more", g.minFree>>20)
	}
	return nil
}

// unavailable is an ErrUnavailable and ErrDiskFull with a message that callers may see; the cause names the
// directory.
func (g *diskGuard) unavailable(format string, args ...any) error {
	e := graph.Errorf(graph.CodeUnavailable, format, args...)
	e.Cause = fmt.Errorf("%w: %w: %s", graph.ErrUnavailable, graph.ErrDiskFull, g.dir)
	return e
}

// checkSpace measures the free space, and removes or creates the reserve. The space of the
// reserve counts as used.
func (g *diskGuard) checkSpace() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	free, _, err := diskSpace(g.dir)
	if err != nil {
		return fmt.Errorf("%w: free space of %s: %w", graph.ErrUnavailable, g.dir, err)
	}
	low := free < g.minFree
	if g.writesRefused.Swap(low) != low {
		g.log.Warn("[WRITE] disk space", "refusing_writes", low || g.readOnly, "free_bytes", free, "limit_bytes", g.minFree)
	}
	switch {
	case g.reserveHeld && free < g.minFree/2:
		return g.removeReserve()
	case !g.reserveHeld && free > g.minFree+2*g.reserve:
		return g.createReserve()
	}
	return nil
}

// roomToClose reports whether Badger can flush and compact on closing, after removing the
// reserve if necessary.
func (g *diskGuard) roomToClose() bool { return g.room(g.closeNeeds) }

// room reports whether that many bytes are free, after removing the reserve if necessary.
func (g *diskGuard) room(needs uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	free, _, err := diskSpace(g.dir)
	if err == nil && free < needs && g.reserveHeld {
		if err = g.removeReserve(); err == nil {
			free, _, err = diskSpace(g.dir)
		}
	}
	return err == nil && free >= needs
}

func (g *diskGuard) reservePath() string { return filepath.Join(g.dir, reserveName) }

// removeReserve removes the reserve.
func (g *diskGuard) removeReserve() error {
	if err := removeIfExists(g.reservePath()); err != nil {
		return fmt.Errorf("%w: remove the reserve: %w", graph.ErrUnavailable, err)
	}
	g.reserveHeld = false
	return nil
}

// createReserve writes the reserve, with allocated blocks.
func (g *diskGuard) createReserve() error {
	f, err := os.OpenFile(g.reservePath(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%w: create the reserve: %w", graph.ErrUnavailable, err)
	}
	err = allocateBlocks(f, int64(g.reserve))
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("%w: create the reserve: %w", graph.ErrUnavailable, err), g.removeReserve())
	}
	g.reserveHeld = true
	return nil
}

// writeZeros fills a file, for a file system that can't allocate.
func writeZeros(f *os.File, size int64) error {
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

// Space returns the free bytes of the disk, and the limit below which writes are refused; 0 and 0
// for a store in memory.
func (s *Store) Space() (free, limit uint64, err error) {
	if s.diskGuard == nil {
		return 0, 0, nil
	}
	free, _, err = diskSpace(s.diskGuard.dir)
	return free, s.diskGuard.minFree, err
}
