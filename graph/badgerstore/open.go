package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Open opens the store in a directory, and creates it if there is none. It returns an
// error that wraps graph.ErrLocked if another process holds it, graph.ErrUnavailable if
// the disk is too full to create it, and graph.ErrIntegrity if acknowledged data is missing
// or damaged. A store whose disk is too full is open for reading alone until the next Open.
func Open(dir string, opts Options) (*Store, error) {
	s := &Store{options: opts.withDefaults(), renewOdds: keyring.RenewOdds, stop: make(chan struct{}), stopCommitter: make(chan struct{}), order: newCommitOrder(),
		descriptors: descriptorGuard{open: openNull}}
	s.maxTx = maxTxSize(s.options.MemTable)
	s.closed, s.sealed = make(chan struct{}), make(chan struct{})
	if !opts.InMemory {
		if err := s.openFiles(dir); err != nil {
			return nil, errors.Join(err, s.closeFiles())
		}
	}
	if err := s.openDatabase(dir); err != nil {
		return nil, errors.Join(s.withAside(err), s.closeFiles())
	}
	if s.diskGuard != nil && s.diskGuard.readOnly {
		err := s.diskGuard.errReadOnly()
		s.failure.Store(&err)
		if !s.options.ReadOnly {
			s.options.Logger.Error("[WRITE] the store is open for reading alone", "error", err)
		}
	}
	s.committer.Go(func() { s.runCommits(s.stopCommitter) })
	if err := s.loadState(dir); err != nil {
		close(s.stopCommitter)
		s.committer.Wait()
		return nil, errors.Join(s.withAside(err), s.closeDatabase(), s.closeFiles())
	}
	if s.options.ReadOnly {
		return s, nil
	}
	if s.diskGuard != nil {
		s.standby = standby{dir: badgerDir(dir), bytes: logBytes(s.options.MemTable)}
		if s.diskGuard.readOnly {
			s.standby = standby{}
		} else if err := s.standby.begin(); err != nil {
			s.options.Logger.Warn("[WRITE] the blocks of the log are not allocated", "error", err)
		}
		s.goroutines.Go(func() { s.watchSpace(s.stop) })
		s.goroutines.Go(func() { s.watchResident(badgerDir(dir), s.stop) })
	}
	s.goroutines.Go(func() { s.usage.syncAndFold(s, s.stop) })
	if s.keys != nil {
		s.goroutines.Go(func() { s.shredOld(s.stop) })
		s.goroutines.Go(func() { s.sealStored(s.stop) })
	}
	return s, nil
}

// openFiles locks the directory and opens the files next to Badger's.
func (s *Store) openFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("badgerstore: create directory: %w", err)
	}
	var err error
	if s.lock, err = dirlock.Lock(dir); err != nil {
		return fmt.Errorf("badgerstore: %w", err)
	}
	if s.diskGuard, err = openGuard(dir, s.options); err != nil {
		return err
	}
	s.watermark, err = openWatermark(dir)
	if !errors.Is(err, errNoWatermark) {
		return err
	}
	_, err = os.Stat(filepath.Join(badgerDir(dir), badger.ManifestFilename))
	switch {
	case err == nil:
		return fmt.Errorf("%w: the watermark of %s is missing", graph.ErrIntegrity, dir)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("badgerstore: stat the database: %w", err)
	}
	s.watermark, err = createWatermark(dir)
	return err
}

func (s *Store) closeFiles() error {
	var errs []error
	if s.watermark != nil {
		errs = append(errs, s.watermark.file.Close())
	}
	return errors.Join(append(errs, s.closeKeys())...)
}

// closeKeys closes the keys and then unlocks the directory.
func (s *Store) closeKeys() error {
	var errs []error
	if s.keys != nil {
		errs = append(errs, s.keys.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// openDatabase opens Badger with the settings that the contract needs.
func (s *Store) openDatabase(dir string) (err error) {
	o := badger.DefaultOptions(badgerDir(dir))
	if s.options.InMemory {
		o = badger.DefaultOptions("").WithInMemory(true)
	}
	o = o.WithSyncWrites(true).
		WithChecksumVerificationMode(options.OnTableRead).
		WithValueThreshold(1 << 20). // above maxValue: the value log stays empty
		WithValueLogFileSize(valueLogBytes).
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false). // see commitOrder.conflicts
		WithCompactL0OnClose(true).
		WithCompression(options.None). // vectors do not compress; blocks come straight from the page cache
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithMemTableSize(s.options.MemTable).
		WithNumMemtables(waitingMemtables).
		// Five memtables are merged into a level of about their size, and from there into the last.
		// With Badger's 10 MiB there is one more level in between, and each table costs a buffer
		// of 3 MiB for its index.
		WithBaseLevelSize(4 * s.options.MemTable).
		WithBaseTableSize(s.options.MemTable / 2).
		WithNumCompactors(2).
		// A vector of two kilobytes has a block of 4 KiB to itself and leaves half of it unused
		// while tables are built. Blocks are neither compressed nor copied, so larger ones cost
		// a reader nothing.
		WithBlockSize(16 << 10).
		WithMetricsEnabled(false).
		WithLogger(badgerLogger{s.options.Logger, s.diskGuard})
	// A table takes twice its size while it is built, and a dozen may be built at once. By
	// default those of lower levels would be two and four times as large.
	o.TableSizeMultiplier = 1
	if o.ValueThreshold > 15*s.options.MemTable/100 {
		o = o.WithValueThreshold(15 * s.options.MemTable / 100)
	}
	var damaged []damagedRow
	if !s.options.InMemory {
		if damaged, err = s.checkFiles(dir); err != nil {
			return err
		}
	}
	// Badger panics on some damaged files instead of returning an error.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: Badger can't open its files: %v", graph.ErrIntegrity, p)
		}
	}()
	s.db, err = s.openBadger(o, damaged)
	switch system := systemError(err); {
	case err == nil, errors.Is(err, graph.ErrIntegrity):
		return err
	case system == syscall.EFBIG:
		return fmt.Errorf("badgerstore: open %s: the limit of the size of files is too low; raise it (ulimit -f): %w", dir, err)
	case system != 0:
		return fmt.Errorf("badgerstore: open %s: %w", dir, err)
	}
	return fmt.Errorf("%w: Badger can't open its files: %w", graph.ErrIntegrity, err)
}

// checkFiles checks the files of the database and prepares them for Badger. It returns the damaged rows
// of tables that are otherwise whole.
func (s *Store) checkFiles(dir string) ([]damagedRow, error) {
	damaged, err := checkTables(badgerDir(dir))
	if err != nil {
		return nil, err
	}
	if s.options.ReadOnly {
		return damaged, nil
	}
	if s.aside, err = setAside(dir); err != nil {
		return nil, err
	}
	return damaged, s.removeEmptyLogs(badgerDir(dir))
}

// openBadger opens Badger, for reading alone if the disk is too full.
func (s *Store) openBadger(o badger.Options, damaged []damagedRow) (*badger.DB, error) {
	if len(damaged) > 0 {
		o = o.WithChecksumVerificationMode(options.NoVerification) // Badger would refuse their tables
		if err := s.checkSuperseded(o, damaged); err != nil {
			return nil, err
		}
	}
	if s.diskGuard != nil && s.diskGuard.readOnly {
		return openForReading(o)
	}
	return badger.OpenManaged(o)
}

// systemError is the error of the system that an error of Badger holds, 0 if there is none. Badger
// keeps only the text of some, and none of those found by their text means that data is damaged.
func systemError(err error) syscall.Errno {
	var system syscall.Errno
	if err == nil || errors.As(err, &system) {
		return system
	}
	for _, known := range []syscall.Errno{syscall.EFBIG, syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.EACCES, syscall.EROFS, syscall.ENOMEM} {
		if strings.Contains(err.Error(), known.Error()) {
			return known
		}
	}
	return 0
}

// removeEmptyLogs removes log files without bytes. Badger creates a log, sets its size and
// only then writes. A power cut in between may leave the name alone; Badger takes such a
// file for a new one and refuses to open. The size of a log reaches the disk with the first
// synced entry, so a log of size zero holds nothing acknowledged. If it did, the check of
// the chain would detect it.
func (s *Store) removeEmptyLogs(dir string) error {
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
			return fmt.Errorf("badgerstore: stat a log: %w", err)
		}
		if info.Size() > 0 {
			continue
		}
		s.options.Logger.Debug("removing an empty log: it was allocated for later, or created just before a power cut", "file", e.Name())
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("badgerstore: remove an empty log: %w", err)
		}
	}
	return nil
}

// loadState checks the chain, upgrades the layout, and restores numbers, feeds and usage.
func (s *Store) loadState(dir string) error {
	var known *watermark
	if s.watermark != nil {
		known = &s.watermark.current
	}
	last, err := checkChain(s.db, known)
	if err != nil {
		return err
	}
	if err := s.dropAside(); err != nil {
		return err
	}
	if err := s.order.load(s.db, last); err != nil {
		return err
	}
	if s.feeds, err = loadFeeds(s.db, last.Commit); err != nil {
		return err
	}
	s.usage = newUsageBuffer()
	if err := s.openKeys(); err != nil {
		return err
	}
	if err := s.loadRetired(); err != nil || s.options.InMemory {
		return err
	}
	return s.usage.loadLog(s, dir)
}

// Versions of the layout.
const (
	layoutPlain  = 1
	layoutSealed = 2 // rows with content may be sealed
	layoutKeyed  = 3 // names in keys may be HMACs
)

// layout is the version of the rows that this store writes.
func (s *Store) layout() uint32 {
	if s.keys == nil {
		return layoutPlain
	}
	return layoutKeyed
}

// openKeys opens the keys, upgrades an older layout and refuses a newer one.
func (s *Store) openKeys() error {
	var stored [4]byte
	k := storeKey(rowSchema)
	err := s.viewRows("", func(r rowReader) error { return noneIfMissing(r.fixedRow(k, stored[:])) })
	if err != nil {
		return err
	}
	version := binary.BigEndian.Uint32(stored[:])
	if version > layoutKeyed {
		return fmt.Errorf("badgerstore: the data has layout %d and this program knows up to %d: use a newer program", version, layoutKeyed)
	}
	if version == 0 && s.order.lastCommit.Commit > 0 {
		return integrityError(k, "the version of the layout is missing")
	}
	if s.options.OpenKeys != nil {
		if s.keys, err = s.options.OpenKeys(version >= layoutSealed, version == 0); err != nil {
			return err
		}
	}
	if version >= layoutSealed && s.keys == nil {
		return fmt.Errorf("badgerstore: %w: the data is sealed, and no keys are given", keyring.ErrWrong)
	}
	if err := s.openNames(version); err != nil {
		return err
	}
	if version < s.layout() && (s.diskGuard == nil || !s.diskGuard.readOnly) {
		if err := s.setLayout(k); err != nil {
			return err
		}
	}
	return s.loadNames()
}

// setLayout records the layout that this store writes.
func (s *Store) setLayout(k key) error {
	w := s.beginWriter("")
	defer w.release()
	w.putRow(k, binary.BigEndian.AppendUint32(nil, s.layout()), 0)
	if s.keys != nil {
		w.putRow(storeKey(rowNamesCheck), namesCheck(s.namesSecret), 0)
	}
	if _, err := s.commitWriter(w); err != nil {
		return fmt.Errorf("badgerstore: record layout %d: %w", s.layout(), err)
	}
	return nil
}

// SchemaVersion is the version of the layout of the rows, from 1.
func (s *Store) SchemaVersion() int { return int(s.layout()) }
