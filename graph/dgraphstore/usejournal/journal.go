// Package usejournal keeps uses that were acknowledged and are not in Dgraph yet, in a directory of a process's own.
package usejournal

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

// batchSize is how many uses fill a batch.
const batchSize = 2048

// DailyUses is how memories of a tenant were used on a day.
type DailyUses struct {
	Tenant graph.Tenant
	Day    int32
	Uses   map[graph.ID]Count
}

// Count is how often a memory was used, when last, and in which sessions.
type Count struct {
	Count    int
	Last     wire.Stamp
	Sessions string // see wire.SessionsText
}

// addSessions adds sessions to the text of a set.
func addSessions(text string, more graph.Sessions) string {
	have, err := wire.ParseSessions(text)
	if err != nil {
		panic(err) // this package wrote it
	}
	return wire.SessionsText(have.Union(more))
}

// Batch is the content of one file of the journal.
type Batch struct {
	Number uint64
	Days   []*DailyUses
	Total  int
}

// add counts a call. It keeps the number of uses per memory and day, and the last instant.
func (b *Batch) add(tenant graph.Tenant, ids []graph.ID, use graph.Use) {
	stamp, day := wire.StampOf(use.At), graph.Day(use.At)
	i := slices.IndexFunc(b.Days, func(uses *DailyUses) bool { return uses.Tenant == tenant && uses.Day == day })
	if i < 0 {
		i = len(b.Days)
		b.Days = append(b.Days, &DailyUses{Tenant: tenant, Day: day, Uses: map[graph.ID]Count{}})
	}
	uses := b.Days[i]
	for _, id := range ids {
		count := uses.Uses[id]
		uses.Uses[id] = Count{count.Count + 1, max(count.Last, stamp), addSessions(count.Sessions, use.Sessions)}
	}
	b.Total += len(ids)
}

// Number is the fixed-width form of a batch number; it sorts in order.
func Number(n uint64) string { return fmt.Sprintf("%016x", n) }

// Journal keeps uses that were acknowledged and are not in Dgraph yet: a directory with
// the name of its writer in "name", and one file per batch, named by its number. A line is a
// call:
//
//	tenant SP milliseconds since 1970 SP ids, comma-separated [SP sessions] SP "." LF
//
// It is not synced: a power cut may lose half a second of uses. A line without its end
// belongs to a call that was not acknowledged.
type Journal struct {
	dir    string
	Writer string // name of this process in Dgraph

	mu        sync.Mutex
	openFile  *os.File // of the open batch; nil: the batch is empty
	openSize  int64    // bytes in the file
	openBatch *Batch
	stalled   bool // too many batches wait for Dgraph
}

const Suffix = ".uses"

// Open opens the journal in a directory, and returns the batches that it holds.
func Open(dir string, random io.Reader) (*Journal, []*Batch, error) {
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
	var left []*Batch
	last := uint64(0)
	for _, e := range entries {
		n, err := strconv.ParseUint(strings.TrimSuffix(e.Name(), Suffix), 16, 64)
		if err != nil || Number(n)+Suffix != e.Name() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, fmt.Errorf("dgraphstore: journal of uses: %w", err)
		}
		left, last = append(left, parseBatch(n, text)), max(last, n)
	}
	slices.SortFunc(left, func(a, b *Batch) int { return strings.Compare(Number(a.Number), Number(b.Number)) })
	return &Journal{dir: dir, Writer: name, openBatch: &Batch{Number: last + 1}}, left, nil
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
func parseBatch(n uint64, text []byte) *Batch {
	b := &Batch{Number: n}
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

// Append writes a call, and reports whether the batch is full.
func (j *Journal) Append(tenant graph.Tenant, ids []graph.ID, use graph.Use) (full bool, err error) {
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
		f, err := os.OpenFile(j.batchPath(j.openBatch.Number), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
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
	return j.openBatch.Total >= batchSize, nil
}

func (j *Journal) batchPath(n uint64) string {
	return filepath.Join(j.dir, Number(n)+Suffix)
}

// Rotate ends the open batch and returns it; nil if it is empty.
func (j *Journal) Rotate() (*Batch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.openFile == nil {
		return nil, nil
	}
	err := j.openFile.Close()
	done := j.openBatch
	j.openFile, j.openBatch = nil, &Batch{Number: done.Number + 1}
	return done, err
}

// StartAfter makes the number of the open batch greater than that of the last batch in Dgraph.
func (j *Journal) StartAfter(last uint64) { j.openBatch.Number = max(j.openBatch.Number, last+1) }

// SetStalled makes append fail, or work again.
func (j *Journal) SetStalled(stuck bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stalled = stuck
}

// RemoveBatch removes a batch that is in Dgraph.
func (j *Journal) RemoveBatch(n uint64) error {
	if err := os.Remove(j.batchPath(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dgraphstore: journal of uses: %w", err)
	}
	return nil
}

// Waiting is the number of uses in the open batch.
func (j *Journal) Waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.openBatch.Total
}
