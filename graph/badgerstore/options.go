package badgerstore

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Options configure a store. The zero value uses the defaults.
type Options struct {
	// InMemory keeps everything in memory: for tests. The directory is ignored.
	InMemory bool
	// MinFree is the free disk space in bytes below which writes are refused with
	// graph.ErrUnavailable. Zero: 256 MiB, or a tenth of a disk smaller than
	// 2.5 GiB. It is never below what Badger may still take after a write, which is
	// nine and a half memtables and 4 MiB.
	MinFree uint64
	// MinOpen is the free disk space in bytes, including the reserve, below which Open opens an existing store for reading alone.
	// Zero: four memtables.
	MinOpen uint64
	// Reserve is the size in bytes of the file that is removed to open a store, or to
	// complete a flush, on a full disk. Zero: four memtables.
	Reserve uint64
	// MemTable is the size in bytes of a memtable, 4 MiB to 256 MiB; a transaction
	// may hold 15 % of it. Zero: 16 MiB.
	MemTable int64
	// Mapped is how many bytes of mapped tables may stay resident, on Linux; above it the mappings
	// are emptied, and the pages stay in the page cache. Zero: 192 MiB.
	Mapped int64
	// OpenKeys opens the keys that seal the rows with content, once the directory is locked.
	// sealed says that there are rows which need them, fresh that the store is new. The store
	// closes them. A store that was sealed needs its keys at every Open. Nil, or without a result:
	// rows are not sealed.
	OpenKeys func(sealed, fresh bool) (*keyring.Keyring, error)
	// KeepPlain leaves rows that were written before the store had keys as they are, for a command on a
	// stopped server. Shred and RenewRows wait until another Open has sealed them.
	KeepPlain bool
	// ReadOnly opens a store that was closed for reading alone, and changes none of its files. The error wraps graph.ErrUnfinished if it
	// was not closed, or if opening it would finish something else.
	ReadOnly bool
	// KeepRetired is how long the keys of deleted rows are kept if nothing is erased meanwhile.
	// Zero: 7 days.
	KeepRetired time.Duration
	// Now is the clock for KeepRetired. Nil: time.Now.
	Now func() time.Time
	// FoldEvery is the longest time that counted uses stay in the usage log. Zero: 5 s.
	FoldEvery time.Duration
	// Backoff is how long the n-th retry of a transaction (from 1) waits. Nil:
	// a random time up to 2ⁿ⁻¹·0.2 ms, at most 50 ms.
	Backoff func(n int) time.Duration
	// Observer watches the store. Nil: nobody does.
	Observer graph.Observer
	// Logger gets warnings, and Badger's errors. Nil: none.
	Logger *slog.Logger

	nameBatch   int    // rows whose names one transaction converts at most; 0: 500
	afterCommit func() // called after every commit, before the next; tests copy the files
}

func (o Options) withDefaults() Options {
	o.MemTable = min(max(cmp.Or(o.MemTable, 16<<20), 4<<20), 256<<20)
	o.Mapped = cmp.Or(o.Mapped, 192<<20)
	o.MinOpen = cmp.Or(o.MinOpen, 4*uint64(o.MemTable))
	o.Reserve = cmp.Or(o.Reserve, 4*uint64(o.MemTable))
	o.FoldEvery = cmp.Or(o.FoldEvery, 5*time.Second)
	o.nameBatch = cmp.Or(o.nameBatch, 500)
	o.KeepRetired = cmp.Or(o.KeepRetired, 7*24*time.Hour)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

const (
	// waitingMemtables is how many full memtables may wait for their flush.
	waitingMemtables = 3
	// valueLogBytes is the size of a file of the value log, which holds no values.
	valueLogBytes = 2 << 20
)

// spaceInFlight is how much of the disk Badger may still take after the last write that was allowed,
// through memory maps, so that a disk without it would end the process: the tables of all memtables that
// it holds (those that wait, the one that is being flushed and the one in use), each as large as its log,
// because a reader may keep the logs; the blocks of one more log; a file of the value log, which is
// mapped at twice its size; and the tables of a merge.
func (o Options) spaceInFlight() uint64 {
	memtables := uint64(waitingMemtables + 2)
	return (memtables+1)*uint64(logBytes(o.MemTable)) + 2*valueLogBytes + tableSpace(o.MemTable)
}

// minFree is MinFree, or the default on a disk of that size, but never below what is in flight.
func (o Options) minFree(disk uint64) uint64 {
	return max(cmp.Or(o.MinFree, min(256<<20, disk/10)), o.spaceInFlight())
}

func backoff(n int) time.Duration {
	limit := min(200*time.Microsecond<<min(n-1, 8), 50*time.Millisecond)
	return rand.N(limit)
}
