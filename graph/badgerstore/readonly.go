package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// A store opens for reading alone when its disk is too full to open it for writing: Badger then
// neither creates a log, nor flushes one, nor compacts.

// exists reports whether the directory has a database.
func exists(dir string) bool {
	_, err := os.Stat(filepath.Join(badgerDir(dir), badger.ManifestFilename))
	return err == nil
}

// checkClosed returns an error that wraps graph.ErrUnfinished unless a store was closed: then it has no log, and its manifest is
// whole and names every table.
func checkClosed(dir string) error {
	if runtime.GOOS == "windows" { // Badger can't open for reading alone there
		return fmt.Errorf("badgerstore: %w", graph.ErrUnfinished)
	}
	logs, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.mem"))
	if err != nil {
		return fmt.Errorf("badgerstore: list logs: %w", err)
	}
	m, torn, err := readManifest(badgerDir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		err = graph.ErrUnfinished
	}
	if err != nil {
		return fmt.Errorf("badgerstore: %w", err)
	}
	unnamed, err := unnamedTables(badgerDir(dir), m)
	if err != nil {
		return err
	}
	if torn || len(logs)+len(unnamed) > 0 {
		return fmt.Errorf("badgerstore: %w: it was not closed", graph.ErrUnfinished)
	}
	return nil
}

// errReadOnly is the error of every write to a store that was opened for reading alone.
func (g *diskGuard) errReadOnly() error {
	if g.asked {
		return g.unavailable("the store is open for reading alone")
	}
	return g.unavailable("the disk of the data directory had %d MiB free at the start, and opening for writes takes %d MiB: reads work; free some space and start the server again",
		g.freeAtOpen>>20, g.minOpen>>20)
}

// unfinishedLog matches Badger's refusal of a log that a crash left: the part after the last whole
// entry must be cut off, which opening for writes does too.
var unfinishedLog = regexp.MustCompile(`while opening fid: (\d+)[\s\S]*end offset: (\d+) < size: \d+`)

// openForReading opens Badger for reading alone. It cuts the unused rest off the logs that a crash
// left, at the offset that Badger found.
func openForReading(o badger.Options) (*badger.DB, error) {
	for cut := ""; ; {
		db, err := badger.OpenManaged(o.WithReadOnly(true))
		if err == nil {
			return db, nil
		}
		m := unfinishedLog.FindStringSubmatch(err.Error())
		if m == nil || m[1] == cut {
			return nil, err
		}
		cut = m[1]
		number, numberErr := strconv.Atoi(m[1])
		end, endErr := strconv.ParseInt(m[2], 10, 64)
		if numberErr != nil || endErr != nil {
			return nil, err
		}
		if err := os.Truncate(filepath.Join(o.Dir, fmt.Sprintf("%05d.mem", number)), end); err != nil {
			return nil, fmt.Errorf("badgerstore: cut off the rest of a log: %w", err)
		}
	}
}
