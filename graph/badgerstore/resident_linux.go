package badgerstore

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"golang.org/x/sys/unix"
)

// Badger maps its tables. Every page that is read counts as memory of this process until the
// kernel runs short, and opening reads all pages to check them. A store of some gigabytes
// would seem to need as much memory. So the mappings are emptied from time to time: the
// kernel keeps the pages in its cache, and a page that is read again is mapped again.

const residentCheckEvery = time.Second

// watchResident releases mapped tables until stop is closed.
func (s *Store) watchResident(dir string, stop <-chan struct{}) {
	tick := time.NewTicker(residentCheckEvery)
	defer tick.Stop()
	for {
		if mappedResident() > s.options.Mapped {
			if _, err := s.releaseTables(dir); err != nil {
				s.options.Logger.Warn("badgerstore: can't release mapped tables", "error", err)
			}
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// mappedResident is how many bytes of this process's memory are pages of files; 0 if that is
// unknown.
func mappedResident() int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 3 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// releaseTables empties the mappings of all tables and returns how many those were. An open
// iterator keeps every table mapped meanwhile, so that no address is reused for something
// else.
func (s *Store) releaseTables(dir string) (tables int, err error) {
	defer s.guardReads(&err)
	before := s.tableIDs()
	txn := s.db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	hold := txn.NewIterator(badger.IteratorOptions{})
	defer hold.Close()
	held := s.tableIDs()
	for id := range held {
		if !before[id] { // it may have been added after the iterator
			delete(held, id)
		}
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return 0, fmt.Errorf("badgerstore: read the mappings: %w", err)
	}
	defer maps.Close()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return 0, fmt.Errorf("badgerstore: read the mappings: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, fmt.Errorf("badgerstore: read the mappings: %w", err)
	}
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		from, to, id, isTable := tableMapping(lines.Text(), dir)
		if !isTable || !held[id] {
			continue
		}
		if err := emptyMapping(from, to); err != nil {
			return tables, fmt.Errorf("badgerstore: release a table: %w", err)
		}
		tables++
	}
	return tables, nil
}

func (s *Store) tableIDs() map[uint64]bool {
	ids := map[uint64]bool{}
	for _, t := range s.db.Tables() {
		ids[t.ID] = true
	}
	return ids
}

// tableMapping parses a line of /proc/self/maps.
func tableMapping(line, dir string) (from, to uintptr, id uint64, isTable bool) {
	name := strings.Index(line, dir+"/")
	if name < 0 || !strings.HasSuffix(line, ".sst") {
		return 0, 0, 0, false
	}
	id, err := strconv.ParseUint(strings.TrimSuffix(line[name+len(dir)+1:], ".sst"), 10, 64)
	if err != nil {
		return 0, 0, 0, false
	}
	if n, err := fmt.Sscanf(line, "%x-%x ", &from, &to); n != 2 || err != nil || to <= from {
		return 0, 0, 0, false
	}
	return from, to, id, true
}

// emptyMapping drops the pages of a shared file mapping. Changes made through it are kept.
func emptyMapping(from, to uintptr) error {
	if _, _, errno := unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED); errno != 0 {
		return errno
	}
	return nil
}
