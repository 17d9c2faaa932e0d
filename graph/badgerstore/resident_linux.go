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

// Badger maps its tables. Every page of one that is read, and opening reads them all to check
// them, counts as the memory of this process until the kernel runs short. A store of some
// gigabytes would look as if it needed them. So the mappings are emptied now and then:
// the kernel keeps the pages in its cache as it sees fit, and a page that is read again is
// mapped again.

const (
	lookResident = 5 * time.Second
	mostResident = 192 << 20 // bytes of mapped files; beyond, they are let go of
)

// watchResident lets go of mapped tables until stop is closed.
func (s *Store) watchResident(dir string, stop <-chan struct{}) {
	tick := time.NewTicker(lookResident)
	defer tick.Stop()
	for {
		if mappedResident() > mostResident {
			if _, err := s.letGo(dir); err != nil {
				s.opts.Logger.Warn("badgerstore: cannot let go of mapped tables", "error", err)
			}
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// mappedResident is how much of this process's memory are pages of files; 0 where that is
// not known.
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

// letGo empties the mappings of all tables and answers how many those were. An iterator that
// stands nowhere holds on to every table meanwhile: what is mapped stays mapped, so that
// no address is given to something else.
func (s *Store) letGo(dir string) (tables int, err error) {
	before := s.tableIDs()
	txn := s.db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	hold := txn.NewIterator(badger.IteratorOptions{})
	defer hold.Close()
	held := s.tableIDs()
	for id := range held {
		if !before[id] { // it may have come behind the iterator
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
			return tables, fmt.Errorf("badgerstore: let go of a table: %w", err)
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

// tableMapping reads a line of /proc/self/maps.
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

// emptyMapping takes the pages out of a shared mapping of a file. What was changed through it stays changed.
func emptyMapping(from, to uintptr) error {
	if _, _, errno := unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED); errno != 0 {
		return errno
	}
	return nil
}
