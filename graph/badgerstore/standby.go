package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Badger writes its log through a memory map of a sparse file: if the disk is full when a page is
// first touched, the system kills the process. So the blocks of the log in use are allocated, and
// those of the next one before Badger needs it, as a file of size zero, which Badger takes for a
// new one. Tables can't be allocated this way, because Badger creates them exclusively:
// merges wait for space (tablespace.go), and the reserve is for flushes.

// standby is the allocated log that Badger will take next. Only one goroutine uses it.
type standby struct {
	dir    string
	bytes  int64 // of one log
	number int   // of the log; 0: none
}

// logBytes is how much of a log Badger can fill: a memtable and the transaction that makes it full.
func logBytes(memTable int64) int64 { return memTable * 5 / 4 }

func (s *standby) path() string { return filepath.Join(s.dir, fmt.Sprintf("%05d.mem", s.number)) }

// begin allocates the blocks of the log in use, and the next log.
func (s *standby) begin() error {
	names, err := filepath.Glob(filepath.Join(s.dir, "*.mem"))
	if err != nil || len(names) == 0 {
		return err
	}
	if _, err := fmt.Sscanf(filepath.Base(slices.Max(names)), "%d.mem", &s.number); err != nil {
		return fmt.Errorf("badgerstore: name of a log: %w", err)
	}
	f, err := os.OpenFile(s.path(), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("badgerstore: allocate a log: %w", err)
	}
	if err := errors.Join(allocateAhead(f, s.bytes), f.Close()); err != nil {
		s.number = 0
		return fmt.Errorf("badgerstore: allocate a log: %w", err)
	}
	return s.next()
}

// next makes the standby for the log after this one.
func (s *standby) next() error {
	s.number++
	f, err := os.OpenFile(s.path(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // Badger was faster
		return nil
	}
	if err == nil {
		err = errors.Join(allocateAhead(f, s.bytes), f.Close())
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("badgerstore: allocate a log: %w", err), removeIfExists(s.path()))
		s.number--
	}
	return err
}

// renew makes another standby if Badger has taken the last one, or if there is none.
func (s *standby) renew() error {
	if s.number == 0 {
		return nil
	}
	if info, err := os.Stat(s.path()); err == nil && info.Size() == 0 {
		return nil
	}
	return s.next() // Badger has taken it, and may have removed it since
}

// end removes the standby.
func (s *standby) end() error {
	if s.number == 0 {
		return nil
	}
	if info, err := os.Stat(s.path()); err != nil || info.Size() > 0 {
		return nil
	}
	return removeIfExists(s.path())
}

// watchSpace checks the space while nobody writes, because a flush or a compaction may need the
// reserve, and keeps an allocated log ready. It ends when stop is closed.
func (s *Store) watchSpace(stop <-chan struct{}) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if err := s.diskGuard.checkSpace(); err != nil {
				s.options.Logger.Warn("[WRITE] disk space", "error", err)
			}
			if s.diskGuard.writesRefused.Load() {
				continue
			}
			if err := s.standby.renew(); err != nil {
				s.options.Logger.Warn("[WRITE] the blocks of the next log are not allocated", "error", err)
			}
		}
	}
}
