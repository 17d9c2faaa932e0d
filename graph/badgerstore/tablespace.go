package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Badger writes a table through a memory map of a sparse file, creates that file exclusively, and
// has no hook for it, so its blocks can't be allocated before. A merge of tables may begin long
// after the last write, when the disk has become full. Badger says in its log that a table is
// complete in memory just before it creates the file, in the goroutine that creates it, and waits for
// the logger. So the logger waits for space.
//
// The table of a flush is not held: Badger logs its beginning under a lock that readers need. Its
// space was there when the write was allowed that filled the memtable (Options.spaceInFlight).

// tableComplete begins Badger's line about a table that is complete in memory.
const tableComplete = "[%d] LOG Compact. Added"

// tableSpace is how much must be free when a merge creates a table. Some tables of half a memtable
// are written at once.
func tableSpace(memTable int64) uint64 { return 2 * uint64(memTable) }

// awaitTableSpace returns when a merge may create a table. It removes the reserve if the space is
// short, and then waits for space, or for letGo. A merge that waits holds no lock.
func (g *diskGuard) awaitTableSpace() {
	if g.roomForTable() {
		return
	}
	g.log.Warn("[WRITE] a merge of tables waits for disk space", "limit_bytes", g.tableNeeds.Load())
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		g.waitedForTable.Add(1)
		select {
		case <-g.letGo:
			return
		case <-tick.C:
			if g.roomForTable() {
				g.log.Info("[WRITE] a merge of tables goes on")
				return
			}
		}
	}
}

// roomForTable reports whether a merge may create a table, after removing the reserve if necessary.
func (g *diskGuard) roomForTable() bool { return g.room(g.tableNeeds.Load()) }

// awaitTable waits for the space of the table that a line of Badger is about, if it is about one.
func (g *diskGuard) awaitTable(format string) {
	if g != nil && strings.HasPrefix(format, tableComplete) {
		g.awaitTableSpace()
	}
}

// A merge that meets a block whose entries can't be told apart panics in a goroutine of Badger, which ends the process. So
// after a read that met damage the tables are checked while no merge runs, and merges go on only if every block can be read.
// Badger has no call for that: Flatten first ends the merges, then logs an empty line, and begins them again when it ends. So
// the logger checks the tables there and ends Flatten by a panic, or keeps it for ever.

const (
	// beginFlatten is Badger's line at the beginning of Flatten.
	beginFlatten = "\n"
	// checkEvery is the least time between checks: damaged rows, which merges can read, are met again and again.
	checkEvery    = 10 * time.Minute
	maxHeldTables = 10 // that wait for a merge before writes are refused: at 15 Badger's would wait for ever
)

var (
	errChecked = errors.New("the tables were checked") // ends Flatten before it merges
	errBlock   = fmt.Errorf("%w: a block of a table can't be read", graph.ErrIntegrity)
)

// mergeGuard keeps Badger from merging tables with a block that can't be read.
type mergeGuard struct {
	flatten sync.Mutex             // held while Flatten runs
	check   atomic.Pointer[func()] // what Flatten does in place of its work; nil: its work
	next    atomic.Int64           // earliest time of the next check, in nanoseconds
	damage  atomic.Pointer[error]  // why merges do not go on until the process ends
}

// begin runs the check if a line of Badger begins a Flatten that is there for it.
func (g *mergeGuard) begin(format string) {
	if check := g.check.Load(); format == beginFlatten && check != nil {
		(*check)()
		panic(errChecked)
	}
}

// suspect has the tables checked in the background: a read met damage.
func (s *Store) suspect() {
	now, next := time.Now(), s.merges.next.Load()
	if s.diskGuard == nil || s.diskGuard.readOnly || s.merges.damage.Load() != nil || now.UnixNano() < next ||
		!s.merges.next.CompareAndSwap(next, now.Add(checkEvery).UnixNano()) {
		return
	}
	s.goroutines.Go(s.checkForMerges)
}

// checkForMerges checks the tables while no merge runs. If a block can't be read, merges do not begin again.
func (s *Store) checkForMerges() {
	damaged, checked := make(chan error, 1), make(chan struct{})
	go func() {
		s.merges.flatten.Lock()
		check := func() {
			if _, err := checkTables(badgerDir(s.diskGuard.dir)); errors.Is(err, graph.ErrIntegrity) {
				s.merges.damage.Store(&err)
				damaged <- err
				select {} // Flatten would begin the merges again
			}
		}
		s.merges.check.Store(&check)
		defer func() {
			if p := recover(); p != nil && p != any(errChecked) {
				panic(p)
			}
			s.merges.check.Store(nil)
			s.merges.flatten.Unlock()
			close(checked)
		}()
		_ = s.db.Flatten(1) // ends by errChecked
	}()
	select {
	case <-checked:
	case err := <-damaged:
		s.options.Logger.Error("[WRITE] a block of a table can't be read: tables are merged no more, and writes end after a while. Restore the data directory", "error", err)
	}
}

// mergesAllowWrites returns nil unless merges have ended and so many tables wait for one that a write would wait for ever.
func (s *Store) mergesAllowWrites() error {
	if s.merges.damage.Load() == nil || s.db.Levels()[0].NumTables < maxHeldTables {
		return nil
	}
	return unavailable("a table of the store is damaged; reads continue; stop the server and restore the data directory from a backup")
}

// unreadable reports whether the panic that is being recovered is that of Badger about a block that can't be read.
func unreadable() bool { return bytes.Contains(debug.Stack(), []byte("badger/v4/table.")) }
