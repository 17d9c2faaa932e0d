package badgerstore

import (
	"strings"
	"time"
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
