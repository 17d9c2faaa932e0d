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

// journal keeps uses that were acknowledged and are not in Dgraph yet: a directory with
// the name of its writer in "name", and a file a batch, called by its number. A line is a
// call:
//
//	tenant SP milliseconds since 1970 SP ids, comma-separated SP "." LF
//
// It is not synced: what a power cut may take is half a second's. A line without its end
// is of a call that was not acknowledged.
type journal struct {
	dir, name string

	mu    sync.Mutex
	file  *os.File // of the open batch; nil: nothing was counted in it yet
	size  int64    // of what it holds
	open  *batch
	stuck bool // too much waits for Dgraph
}

const batchSuffix = ".uses"

// openJournal opens the journal in a directory, and answers the batches that it holds.
func openJournal(dir string, random io.Reader) (*journal, []*batch, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	name, err := journalName(filepath.Join(dir, "name"), random)
	if err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	var left []*batch
	last := uint64(0)
	for _, e := range entries {
		n, err := strconv.ParseUint(strings.TrimSuffix(e.Name(), batchSuffix), 16, 64)
		if err != nil || number(n)+batchSuffix != e.Name() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
		}
		left, last = append(left, readBatch(n, text)), max(last, n)
	}
	slices.SortFunc(left, func(a, b *batch) int { return strings.Compare(number(a.number), number(b.number)) })
	return &journal{dir: dir, name: name, open: &batch{number: last + 1}}, left, nil
}

// journalName reads the name of the writer, or gives it one.
func journalName(path string, random io.Reader) (string, error) {
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

// readBatch reads what a file holds, up to the first line that is none.
func readBatch(n uint64, text []byte) *batch {
	b := &batch{number: n}
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		words := strings.Split(string(line), " ")
		if !whole || len(words) != 4 || words[3] != "." {
			return b
		}
		ms, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return b
		}
		var ids []graph.ID
		for _, id := range strings.Split(words[2], ",") {
			ids = append(ids, graph.ID(id))
		}
		b.add(graph.Tenant(words[0]), ids, time.UnixMilli(ms))
		text = rest
	}
}

// append writes a call down, and reports whether there is enough for a batch.
func (j *journal) append(tenant graph.Tenant, ids []graph.ID, at time.Time) (full bool, err error) {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %d ", tenant, at.UnixMilli())
	for i, id := range ids {
		if _, err := wire.UUID("ids", id); err != nil {
			return false, err
		}
		if i > 0 {
			line.WriteByte(',')
		}
		line.WriteString(string(id))
	}
	line.WriteString(" .\n")
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stuck {
		return false, fmt.Errorf("%w: too many uses wait for Dgraph", graph.ErrUnavailable)
	}
	if j.file == nil {
		f, err := os.OpenFile(j.path(j.open.number), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return false, fmt.Errorf("dgraphstore: journal of uses: %w", err)
		}
		j.file, j.size = f, 0
	}
	if _, err := j.file.WriteAt([]byte(line.String()), j.size); err != nil {
		return false, fmt.Errorf("dgraphstore: journal of uses: %w", errors.Join(err, j.file.Truncate(j.size)))
	}
	j.size += int64(line.Len())
	j.open.add(tenant, ids, at)
	return j.open.uses >= behindUses, nil
}

func (j *journal) path(n uint64) string { return filepath.Join(j.dir, number(n)+batchSuffix) }

// rotate ends the open batch and answers it; nil where it is empty.
func (j *journal) rotate() (*batch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil, nil
	}
	err := j.file.Close()
	done := j.open
	j.file, j.open = nil, &batch{number: done.number + 1}
	return done, err
}

// begin lets the open batch come behind those that are in Dgraph.
func (j *journal) begin(behind uint64) { j.open.number = max(j.open.number, behind+1) }

// stall refuses what comes, or takes it again.
func (j *journal) stall(stuck bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stuck = stuck
}

// remove forgets a batch that is in Dgraph.
func (j *journal) remove(n uint64) error {
	if err := os.Remove(j.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	return nil
}
