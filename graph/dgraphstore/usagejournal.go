package dgraphstore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// usageJournal keeps uses that were acknowledged and are not in Dgraph yet: a directory with
// the name of its writer in "name", and one file per batch, named by its number. A line is a
// call:
//
//	tenant SP milliseconds since 1970 SP ids, comma-separated [SP sessions] SP "." LF
//
// It is not synced: a power cut may lose half a second of uses. A line without its end
// belongs to a call that was not acknowledged.
type usageJournal struct {
	dir, writerName string

	mu        sync.Mutex
	openFile  *os.File // of the open batch; nil: the batch is empty
	openSize  int64    // bytes in the file
	openBatch *usageBatch
	stalled   bool // too many batches wait for Dgraph
}

const batchFileSuffix = ".uses"

// openUsageJournal opens the journal in a directory, and returns the batches that it holds.
func openUsageJournal(dir string, random io.Reader) (*usageJournal, []*usageBatch, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	name, err := journalWriterName(filepath.Join(dir, "name"), random)
	if err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	var left []*usageBatch
	last := uint64(0)
	for _, e := range entries {
		n, err := strconv.ParseUint(strings.TrimSuffix(e.Name(), batchFileSuffix), 16, 64)
		if err != nil || batchNumber(n)+batchFileSuffix != e.Name() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
		}
		left, last = append(left, parseBatch(n, text)), max(last, n)
	}
	slices.SortFunc(left, func(a, b *usageBatch) int { return strings.Compare(batchNumber(a.number), batchNumber(b.number)) })
	return &usageJournal{dir: dir, writerName: name, openBatch: &usageBatch{number: last + 1}}, left, nil
}

// journalWriterName reads the name of the writer, or makes one.
func journalWriterName(path string, random io.Reader) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", err
	}
	name := hex.EncodeToString(b[:])
	if err := os.WriteFile(path+".new", []byte(name), 0o600); err != nil {
		return "", err
	}
	return name, os.Rename(path+".new", path)
}

// parseBatch parses a file, up to the first invalid line.
func parseBatch(n uint64, text []byte) *usageBatch {
	b := &usageBatch{number: n}
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		words := strings.Split(string(line), " ")
		if !whole || len(words) < 4 || len(words) > 5 || words[len(words)-1] != "." {
			return b
		}
		ms, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return b
		}
		use := graph.Use{At: time.UnixMilli(ms)}
		if len(words) == 5 {
			if use.Sessions, err = wire.ParseSessions(words[3]); err != nil {
				return b
			}
		}
		var ids []graph.ID
		for _, id := range strings.Split(words[2], ",") {
			ids = append(ids, graph.ID(id))
		}
		b.add(graph.Tenant(words[0]), ids, use)
		text = rest
	}
}

// append writes a call, and reports whether the batch is full.
func (j *usageJournal) append(tenant graph.Tenant, ids []graph.ID, use graph.Use) (full bool, err error) {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %d ", tenant, use.At.UnixMilli())
	for i, id := range ids {
		if _, err := wire.UUID("ids", id); err != nil {
			return false, err
		}
		if i > 0 {
			line.WriteByte(',')
		}
		line.WriteString(string(id))
	}
	if len(use.Sessions) > 0 {
		line.WriteString(" " + wire.SessionsText(use.Sessions))
	}
	line.WriteString(" .\n")
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stalled {
		return false, fmt.Errorf("%w: too many counted uses are not written to Dgraph yet", graph.ErrUnavailable)
	}
	if j.openFile == nil {
		f, err := os.OpenFile(j.batchPath(j.openBatch.number), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return false, fmt.Errorf("dgraphstore: journal of uses: %w", err)
		}
		j.openFile, j.openSize = f, 0
	}
	if _, err := j.openFile.WriteAt([]byte(line.String()), j.openSize); err != nil {
		return false, fmt.Errorf("dgraphstore: journal of uses: %w", errors.Join(err, j.openFile.Truncate(j.openSize)))
	}
	j.openSize += int64(line.Len())
	j.openBatch.add(tenant, ids, use)
	return j.openBatch.total >= usageBatchSize, nil
}

func (j *usageJournal) batchPath(n uint64) string {
	return filepath.Join(j.dir, batchNumber(n)+batchFileSuffix)
}

// rotate ends the open batch and returns it; nil if it is empty.
func (j *usageJournal) rotate() (*usageBatch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.openFile == nil {
		return nil, nil
	}
	err := j.openFile.Close()
	done := j.openBatch
	j.openFile, j.openBatch = nil, &usageBatch{number: done.number + 1}
	return done, err
}

// startAfter makes the number of the open batch greater than that of the last batch in Dgraph.
func (j *usageJournal) startAfter(last uint64) { j.openBatch.number = max(j.openBatch.number, last+1) }

// setStalled makes append fail, or work again.
func (j *usageJournal) setStalled(stuck bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stalled = stuck
}

// removeBatch removes a batch that is in Dgraph.
func (j *usageJournal) removeBatch(n uint64) error {
	if err := os.Remove(j.batchPath(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	return nil
}
