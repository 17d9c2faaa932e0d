package transfer

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	batchItems = 32        // lines that are written in one transaction
	batchBytes = 1 << 20   // of them
	maxLine    = 256 << 20 // bytes; a longer line is no line of ours
)

// ErrNotEmpty is returned where the tenant holds something already: two memories are
// not merged.
var ErrNotEmpty = errors.New("the store is not empty: a whole memory moves into an empty one only")

// IsHeader reports whether the first bytes of a file are those of an export.
func IsHeader(first []byte) bool { return bytes.HasPrefix(first, []byte(`{"somnograph":"export",`)) }

// Import reads what Export wrote into an empty tenant. now is the clock of whoever will
// serve it: what was recorded later is refused, since nothing could be recorded behind
// it. Where it fails in the middle the tenant holds a part; it is then to be emptied.
func Import(ctx context.Context, store graph.Store, scope graph.Scope, now time.Time, r io.Reader) (Summary, error) {
	m := &importer{ctx: ctx, store: store, scope: scope, sum: sha256.New()}
	lines := bufio.NewReaderSize(r, 1<<16)
	err := m.begin(lines, now)
	for number := 2; err == nil && !m.ended; number++ {
		var b []byte
		if b, err = readLine(lines); err != nil {
			if errors.Is(err, io.EOF) {
				err = errCut
			}
			break
		}
		if err = m.line(b); err != nil {
			err = fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err != nil {
		return m.done, fmt.Errorf("import: %w", err)
	}
	return m.done, nil
}

// Check reads what Export wrote and says what it holds, or how it is damaged.
func Check(r io.Reader) (Summary, error) {
	m := &importer{sum: sha256.New()}
	lines := bufio.NewReaderSize(r, 1<<16)
	_, err := readHeader(lines)
	for number := 2; err == nil && !m.ended; number++ {
		var b []byte
		var l line
		if b, err = readLine(lines); err != nil {
			break
		}
		if err = json.Unmarshal(b, &l); err != nil {
			return m.done, fmt.Errorf("the export is damaged: line %d: %w", number, err)
		}
		if l.End != nil {
			return m.done, m.compare(l.End)
		}
		_, _ = m.sum.Write(b) // a hash never fails
		m.count(l)
	}
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	return m.done, err
}

// errCut says that the last line is missing.
var errCut = errors.New("the lines end before the last one: the file is cut")

// readLine reads up to a newline, which it keeps.
func readLine(r *bufio.Reader) ([]byte, error) {
	var all []byte
	for {
		part, err := r.ReadSlice('\n')
		all = append(all, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return all, err
		}
		if len(all) > maxLine {
			return nil, fmt.Errorf("a line is longer than %d bytes", maxLine)
		}
	}
}

// importer writes the lines of one export.
type importer struct {
	ctx    context.Context
	store  graph.Store
	scope  graph.Scope
	sum    hash.Hash
	done   Summary
	batch  []line
	bytes  int
	erased []*graph.Memory // stubs, which get their last state at the end
	ended  bool
}

// begin reads the header and makes sure that the tenant is empty.
func (m *importer) begin(lines *bufio.Reader, now time.Time) error {
	h, err := readHeader(lines)
	if err != nil {
		return err
	}
	if h.Recorded.After(now) {
		return fmt.Errorf("it was recorded up to %s, and the clock here stands at %s: serve with --simulated-clock and advance it first",
			h.Recorded.Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return m.store.View(m.ctx, m.scope, func(r graph.Reader) error {
		at, err := r.LastRecorded()
		if err == nil && !at.IsZero() {
			err = ErrNotEmpty
		}
		return err
	})
}

// readHeader reads the first line.
func readHeader(lines *bufio.Reader) (h Header, err error) {
	first, err := readLine(lines)
	if err != nil {
		return h, fmt.Errorf("read the first line: %w", err)
	}
	if err := json.Unmarshal(first, &h); err != nil || h.Somnograph != "export" {
		return h, errors.New("this is no export of Somnograph")
	}
	if h.Version != version {
		return h, fmt.Errorf("the export has version %d, this program reads %d", h.Version, version)
	}
	return h, nil
}

// line takes one line.
func (m *importer) line(b []byte) error {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	if l.End != nil {
		return m.end(l.End)
	}
	_, _ = m.sum.Write(b) // a hash never fails
	m.batch = append(m.batch, l)
	if m.bytes += len(b); len(m.batch) < batchItems && m.bytes < batchBytes {
		return nil
	}
	return m.flush()
}

// flush writes the batch in one transaction, then the uses of its memories.
func (m *importer) flush() error {
	_, err := m.store.Update(m.ctx, m.scope, func(tx graph.Tx) error {
		for _, l := range m.batch {
			if err := put(tx, l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, l := range m.batch {
		m.count(l)
	}
	err = m.use()
	m.batch, m.bytes = nil, 0
	return err
}

func (m *importer) count(l line) {
	switch {
	case l.Entity != nil:
		m.done.Entities++
	case l.Memory != nil && l.Memory.Memory != nil:
		m.done.Memories++
		m.done.Edges += len(l.Memory.Edges)
		if len(l.Memory.History) > 0 && l.Memory.Status() == graph.Forgotten {
			m.erased = append(m.erased, l.Memory.Memory)
		}
	case l.Relation != nil:
		m.done.Relations++
	case l.Note != nil:
		m.done.Notes++
	case l.Setting != nil:
		m.done.Settings++
	}
}

// put writes what one line says.
func put(tx graph.Tx, l line) error {
	switch {
	case l.Entity != nil && l.Entity.Entity != nil:
		l.Entity.Entity.Properties = raw(l.Entity.Properties)
		return tx.PutEntity(l.Entity.Entity)
	case l.Memory != nil && l.Memory.Memory != nil && len(l.Memory.History) > 0:
		return putMemory(tx, l.Memory)
	case l.Relation != nil && l.Relation.Relation != nil:
		return tx.PutRelation(l.Relation.Relation)
	case l.Note != nil && l.Note.Note != nil:
		l.Note.Note.Data = raw(l.Note.Data)
		return tx.PutNote(*l.Note.Note)
	case l.Setting != nil && l.Setting.Value != nil:
		return tx.PutSetting(l.Setting.Name, l.Setting.Value)
	}
	return errors.New("says nothing that is known")
}

func putMemory(tx graph.Tx, l *memoryLine) error {
	m := l.Memory
	m.Meta = raw(l.Meta)
	if m.Status() == graph.Forgotten {
		if len(m.History) < 2 {
			return errors.New("a forgotten memory without a past")
		}
		return tx.PutMemory(place(m), graph.EventCreated)
	}
	if err := tx.PutMemory(m, graph.EventCreated); err != nil {
		return err
	}
	if len(l.Vector) > 0 {
		v, err := vectorOf(l.Vector)
		if err != nil {
			return err
		}
		if err := tx.PutEmbedding(m.ID, v); err != nil {
			return err
		}
	}
	for _, e := range l.Edges {
		if err := tx.PutEdge(e); err != nil {
			return err
		}
	}
	return nil
}

// place is what stands for a FORGOTTEN memory until everything else is there: notes
// name it, and nothing may be hung on a stub. It has the stub's past and says nothing.
func place(m *graph.Memory) *graph.Memory {
	p := *m
	p.History = m.History[: len(m.History)-1 : len(m.History)-1]
	p.Content, p.DeletedAt, p.UpdatedAt, p.EmbeddingModel = "forgotten", time.Time{}, m.RecordedAt, "none"
	p.Type, p.Consent, p.SourceKind = graph.Episodic, graph.ConsentNone, graph.FromSystem
	p.DecayClass, p.Sensitivity = graph.DecayNone, graph.Restricted
	return &p
}

// use counts the uses of the batch's memories again, as many at once as fell on one
// instant. A store is told instants, not sums: a day that is known without its hour
// stands for its midnight, and what is more than the days for the last use.
func (m *importer) use() error {
	at := map[time.Time][]graph.ID{}
	for _, l := range m.batch {
		if l.Memory == nil || l.Memory.Status() == graph.Forgotten {
			continue
		}
		for _, t := range uses(l.Memory.Usage) {
			if !slices.Contains(at[t], l.Memory.ID) {
				at[t] = append(at[t], l.Memory.ID)
				continue
			}
			// A call counts a memory once.
			if err := m.store.CountUses(m.ctx, m.scope, []graph.ID{l.Memory.ID}, t); err != nil {
				return err
			}
		}
	}
	for _, t := range slices.SortedFunc(maps.Keys(at), time.Time.Compare) {
		if err := m.store.CountUses(m.ctx, m.scope, at[t], t); err != nil {
			return err
		}
	}
	return graph.FlushUses(m.ctx, m.store)
}

// uses are instants that add up to a usage.
func uses(u graph.Usage) []time.Time {
	var all []time.Time
	for _, d := range u.Days {
		if d != graph.Day(u.Last) {
			all = append(all, time.Unix(int64(d)*86400, 0).UTC())
		}
	}
	for len(all) < u.Count {
		all = append(all, u.Last)
	}
	return all
}

// end writes what waits, makes stubs of what was forgotten, and compares what was read
// with what was written.
func (m *importer) end(e *end) error {
	if len(m.batch) > 0 {
		if err := m.flush(); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(m.erased, batchItems) {
		_, err := m.store.Update(m.ctx, m.scope, func(tx graph.Tx) error {
			for _, s := range some {
				if err := tx.Erase(s.ID, s.DeletedAt); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	m.ended = true
	return m.compare(e)
}

// compare answers an error where what was read is not what was written.
func (m *importer) compare(e *end) error {
	if got := digest(m.sum); got != e.SHA256 || m.done != e.Summary {
		return fmt.Errorf("the file is damaged: it has %s with the sum %s, and says %s with the sum %s", m.done, got, e.Summary, e.SHA256)
	}
	return nil
}
