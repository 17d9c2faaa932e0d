package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/somnograph/somnograph/graph"
)

// Open opens the store in a directory, and makes it where there is none. It answers
// an error that wraps graph.ErrLocked where another process holds it,
// graph.ErrUnavailable where the disk is too full to open it, and
// graph.ErrIntegrity where something that was acknowledged is missing or damaged.
func Open(dir string, opts Options) (*Store, error) {
	s := &Store{opts: opts.withDefaults(), stop: make(chan struct{}), finish: make(chan struct{}), order: newOrder()}
	s.limit = limitOf(s.opts.MemTable)
	s.life.done = make(chan struct{})
	if !opts.InMemory {
		if err := s.openFiles(dir); err != nil {
			return nil, errors.Join(err, s.closeFiles())
		}
	}
	if err := s.openDatabase(dir); err != nil {
		return nil, errors.Join(err, s.closeFiles())
	}
	s.committer.Go(func() { s.runCommits(s.finish) })
	if err := s.load(dir); err != nil {
		close(s.finish)
		s.committer.Wait()
		return nil, errors.Join(err, s.db.Close(), s.closeFiles())
	}
	if s.guard != nil {
		s.tasks.Go(func() { s.guard.watch(s.stop) })
		s.tasks.Go(func() { s.watchResident(badgerDir(dir), s.stop) })
	}
	s.tasks.Go(func() { s.usage.run(s, s.stop) })
	return s, nil
}

// openFiles takes the directory and opens what lies beside Badger.
func (s *Store) openFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("badgerstore: make directory: %w", err)
	}
	var err error
	if s.lock, err = lockDir(dir); err != nil {
		return err
	}
	if s.guard, err = openGuard(dir, s.opts); err != nil {
		return err
	}
	s.mark, err = openMark(dir)
	if !errors.Is(err, errNoMark) {
		return err
	}
	_, err = os.Stat(filepath.Join(badgerDir(dir), badger.ManifestFilename))
	switch {
	case err == nil:
		return fmt.Errorf("%w: the high-water mark of %s is gone", graph.ErrIntegrity, dir)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("badgerstore: look for a database: %w", err)
	}
	s.mark, err = createMark(dir)
	return err
}

func (s *Store) closeFiles() error {
	var errs []error
	if s.mark != nil {
		errs = append(errs, s.mark.file.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// openDatabase opens Badger with the settings that the promise hangs on.
func (s *Store) openDatabase(dir string) (err error) {
	o := badger.DefaultOptions(badgerDir(dir))
	if s.opts.InMemory {
		o = badger.DefaultOptions("").WithInMemory(true)
	}
	o = o.WithSyncWrites(true).
		WithChecksumVerificationMode(options.OnTableRead).
		WithValueThreshold(1 << 20). // above maxValue: the value log stays empty
		WithValueLogFileSize(2 << 20).
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false). // see order.lost
		WithCompactL0OnClose(true).
		WithCompression(options.None). // vectors do not compress; blocks come straight from the page cache
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithMemTableSize(s.opts.MemTable).
		WithNumMemtables(3).
		// What five memtables bring is merged into a level of about their size, and from there into
		// the last: with Badger's 10 MiB there is one more level between, and each table costs a
		// buffer of 3 MiB for its index.
		WithBaseLevelSize(4 * s.opts.MemTable).
		WithBaseTableSize(s.opts.MemTable / 2).
		WithNumCompactors(2).
		// A vector of two kilobytes has a block of 4 KiB to itself and leaves half of what is set
		// aside for it empty while tables are built; blocks are neither compressed nor copied, so
		// that larger ones cost a reader nothing.
		WithBlockSize(16 << 10).
		WithMetricsEnabled(false).
		WithLogger(badgerLog{s.opts.Logger})
	// A table takes twice its size while it is built, and a dozen may be at once: those of lower
	// levels, which would be twice and four times as large, are no larger than the others.
	o.TableSizeMultiplier = 1
	if o.ValueThreshold > 15*s.opts.MemTable/100 {
		o = o.WithValueThreshold(15 * s.opts.MemTable / 100)
	}
	if !s.opts.InMemory {
		if err := checkTables(badgerDir(dir)); err != nil {
			return err
		}
		if err := s.dropEmptyLogs(badgerDir(dir)); err != nil {
			return err
		}
	}
	// Badger panics on some damaged files instead of answering an error.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: badger can't open its files: %v", graph.ErrIntegrity, p)
		}
	}()
	s.db, err = badger.OpenManaged(o)
	var system syscall.Errno
	switch {
	case err == nil:
		return nil
	case errors.As(err, &system):
		return fmt.Errorf("badgerstore: open %s: %w", dir, err)
	}
	return fmt.Errorf("%w: badger can't open its files: %w", graph.ErrIntegrity, err)
}

// dropEmptyLogs removes the logs that have no bytes. Badger makes a log, gives it its
// size and only then writes; a power cut in between may leave the name alone, and
// Badger takes such a file for one that it has just made and refuses to open. The
// size of a log reaches the disk with the first entry that is synced, so a log
// without one holds nothing that was acknowledged; if it did, the check of the
// history that follows would miss it.
func (s *Store) dropEmptyLogs(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("badgerstore: list logs: %w", err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".mem" && ext != ".vlog" {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return fmt.Errorf("badgerstore: look at a log: %w", err)
		}
		if info.Size() > 0 {
			continue
		}
		s.opts.Logger.Warn("an empty log is removed: the power went as it was made", "file", e.Name())
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("badgerstore: remove an empty log: %w", err)
		}
	}
	return nil
}

// load checks the history, brings the layout up to date and takes up numbering,
// feed and usage where they stood.
func (s *Store) load(dir string) error {
	var known *mark
	if s.mark != nil {
		known = &s.mark.last
	}
	last, err := checkChain(s.db, known)
	if err != nil {
		return err
	}
	if err := s.order.load(s.db, last); err != nil {
		return err
	}
	if s.feeds, err = loadFeeds(s.db, last.Commit); err != nil {
		return err
	}
	s.usage = newUsageBook()
	if err := s.migrate(); err != nil || s.opts.InMemory {
		return err
	}
	return s.usage.load(s, dir)
}

// layout is the version of the rows that this code writes.
const layout = 1

// migrations[v] brings the rows from version v to v+1. Version 0 is an empty store.
var migrations = [layout]func(*Store) error{
	func(*Store) error { return nil },
}

// migrate brings an older layout up to date and refuses a newer one.
func (s *Store) migrate() error {
	var version uint32
	k := storeKey(rowSchema)
	err := s.look("", func(r rows) error {
		return r.get(k, func(_ byte, v []byte) error {
			if len(v) != 4 {
				return broken(k, "not a version")
			}
			version = binary.BigEndian.Uint32(v)
			return nil
		})
	})
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	if version > layout {
		return fmt.Errorf("badgerstore: the data has layout %d and this program knows up to %d: use a newer program", version, layout)
	}
	if version == 0 && s.order.last.Commit > 0 {
		return broken(k, "the version of the layout is gone")
	}
	for ; version < layout; version++ {
		if err := migrations[version](s); err != nil {
			return fmt.Errorf("badgerstore: bring layout %d up to date: %w", version, err)
		}
		w := s.begin("")
		err := w.put(k, binary.BigEndian.AppendUint32(nil, version+1), 0)
		if err == nil {
			_, err = s.commit(w)
		}
		w.end()
		if err != nil {
			return fmt.Errorf("badgerstore: record layout %d: %w", version+1, err)
		}
	}
	return nil
}
