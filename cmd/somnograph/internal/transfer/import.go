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
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	batchItems = 32      // lines per transaction
	batchBytes = 1 << 20 // bytes per transaction
	maxHeader  = 4 << 10 // longest first line in bytes
	maxLine    = 1 << 20 // longest line in bytes
)

// ErrNotEmpty is returned if the tenant has data already: two memories are not merged.
var ErrNotEmpty = errors.New("the store is not empty: an export can be imported into an empty store only")

// IsHeader reports whether the first bytes of a file are those of an export.
func IsHeader(first []byte) bool { return bytes.HasPrefix(first, []byte(`{"somnograph":"export",`)) }

// Import reads an export into an empty tenant. It reads it twice: first it checks all of it, and
// writes nothing if anything is wrong. now is the clock of the server: an export that was recorded
// later is refused, because nothing could be recorded after it. If writing fails or is cut off, the
// tenant has a part of the export, health says so, and an import of the same export goes on.
//
// Memories that erasures names are written without content and recorded there. The engine then
// erases them with those derived from them. erasures may be nil.
func Import(ctx context.Context, store graph.Store, scope graph.Scope, now time.Time, erasures Erasures, r io.ReadSeeker) (Summary, error) {
	m := &importer{ctx: ctx, store: store, scope: scope, now: now, erasures: erasures, grant: 1}
	return m.checked(r, func() (io.Reader, error) { _, err := r.Seek(0, io.SeekStart); return r, err })
}

// checked reads an export to its end and checks it, and then reads it again and writes it.
func (m *importer) checked(first io.Reader, again func() (io.Reader, error)) (Summary, error) {
	check := *m
	check.sum = sha256.New()
	begin := func(h Header) error { return m.begin(h, m.now) }
	err := check.read(first, begin, func(l line, _ int) error { check.count(l); return nil }, check.compare)
	if err == nil { // a body checks the credential of its request at its end
		if _, err = io.CopyN(io.Discard, first, 1); errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err == nil {
		m.digest = digest(check.sum)
		err = m.resume()
	}
	if err == nil && m.admit != nil && m.before.Written == 0 {
		err = ofServer(m.admit(m.ctx, check.live, check.content))
	}
	if err == nil {
		var r io.Reader
		m.sum = sha256.New()
		if r, err = again(); err == nil {
			err = m.read(r, begin, m.line, m.end)
		}
		err = ofServer(err) // the file was checked
	}
	if err != nil {
		return m.done, fmt.Errorf("import: %w", err)
	}
	return m.done, nil
}

// serverError is an error of the server that has no code: not of the file that is imported.
type serverError struct{ error }

func (e serverError) Unwrap() error { return e.error }

// ofServer marks an error without a code as one of the server.
func ofServer(err error) error {
	if err == nil || graph.CodeOf(err) != graph.CodeInternal || errors.Is(err, ErrNotEmpty) {
		return err
	}
	return serverError{err}
}

// Check reads an export and returns its summary, or an error if it is damaged or inconsistent.
func Check(r io.Reader) (Summary, error) {
	m := &importer{sum: sha256.New()}
	err := m.read(r, func(Header) error { return nil }, func(l line, _ int) error { m.count(l); return nil }, m.compare)
	return m.done, err
}

// read reads an export and calls a function for the header, for each line with its length, and
// for the last line.
func (m *importer) read(r io.Reader, header func(Header) error, each func(line, int) error, last func(*end) error) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	h, err := readHeader(lines)
	check := newChecker(h)
	check.model = m.model
	if errors.Is(err, io.EOF) {
		return errIncomplete
	}
	if err == nil {
		err = header(h)
	}
	if err != nil {
		return err
	}
	var b []byte
	for number := 2; ; number++ {
		b, err = readLine(lines, maxLine, b[:0]) // what is decoded of a line does not share its bytes
		if errors.Is(err, io.EOF) {
			return errIncomplete
		}
		if err != nil {
			return err
		}
		if err := graph.CheckJSON("the text", b); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		var l line
		switch err = json.Unmarshal(b, &l); {
		case err != nil:
			err = fmt.Errorf("the export is damaged: %w", err)
		case l.End != nil:
			if err := check.end(); err != nil {
				return fmt.Errorf("the export is damaged: %w", err)
			}
			return last(l.End)
		default:
			_, _ = m.sum.Write(b) // a hash never fails
			if err = check.line(l); err == nil {
				err = each(l, len(b))
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// errIncomplete is returned if the last line is missing.
var errIncomplete = errors.New("the last line is missing: the file is incomplete")

// readLine appends a line with its newline, of at most longest bytes, to all, which is empty.
func readLine(r *bufio.Reader, longest int, all []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(all)+len(part) > longest {
			return nil, fmt.Errorf("a line is longer than %d bytes", longest)
		}
		all = append(all, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return all, err
		}
	}
}

// importer writes the lines of one export.
type importer struct {
	model string // of the server; empty: any
	// admit returns an error if the tenant may not have that many memories and bytes; nil: any.
	admit         func(ctx context.Context, memories, bytes int64) error
	grant         float64 // the highest authority of a memory; more is lowered to it
	lowered       int
	withheld      int   // memories whose content was left out, because they were erased
	live, content int64 // memories that are not forgotten, and the bytes of their content
	ctx           context.Context
	store         graph.Store
	scope         graph.Scope
	sum           hash.Hash
	done          Summary
	batch         []line
	bytes         int
	erased        []*graph.Memory // stubs, which are erased at the end
	digest        string          // of all lines, as the check found
	before        progress        // of an import that was cut off
	seen          int             // lines that are written

	now          time.Time
	erasures     Erasures // nil: none
	erasedBefore func(graph.ID) bool
	erasedOwner  func(owner, namespace string, at time.Time) bool // nil: none
}

// begin checks the header, and that the tenant is empty or has a part of an export.
func (m *importer) begin(h Header, now time.Time) error {
	if h.Recorded.After(now) {
		return fmt.Errorf("the export was recorded up to %s, and the clock of this server is at %s: use --simulated-clock and advance it first",
			h.Recorded.Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	m.erasedBefore = func(graph.ID) bool { return false }
	if m.erasures != nil {
		var err error
		if m.erasedBefore, err = m.erasures.ErasedFrom(h.Store); err != nil {
			return ofServer(err)
		}
		if m.erasedOwner, err = m.erasures.ErasedOwnersFrom(h.Store, graph.Tenant(h.Tenant)); err != nil {
			return ofServer(err)
		}
	}
	_, err := importProgress(m.ctx, m.store, m.scope)
	return err
}

// readHeader reads the first line.
func readHeader(lines *bufio.Reader) (h Header, err error) {
	first, err := readLine(lines, maxHeader, nil)
	if err != nil {
		return h, fmt.Errorf("read the first line: %w", err)
	}
	if err := json.Unmarshal(first, &h); err != nil || h.Somnograph != "export" {
		return h, errors.New("this is not an export of Somnograph")
	}
	if h.Version != version {
		return h, fmt.Errorf("the export has version %d, and this program reads version %d", h.Version, version)
	}
	return h, nil
}

// line adds a line of n bytes to the batch.
func (m *importer) line(l line, n int) error {
	if m.seen < m.before.Written {
		return m.known(l)
	}
	m.batch = append(m.batch, l)
	if m.bytes += n; len(m.batch) < batchItems && m.bytes < batchBytes {
		return nil
	}
	return m.flush()
}

// flush writes the batch in one transaction, then counts the uses of its memories.
func (m *importer) flush() error {
	if err := m.withhold(); err != nil {
		return err
	}
	for _, l := range m.batch {
		if l.Memory != nil && l.Memory.Memory != nil && l.Memory.Authority > m.grant {
			l.Memory.Authority = m.grant
			m.lowered++
		}
	}
	_, err := m.store.Update(m.ctx, m.scope, func(tx graph.Tx) error {
		if err := graph.RefuseClosed(tx); err != nil {
			return err
		}
		for _, l := range m.batch {
			if m.erasedNote(l) {
				continue
			}
			if err := put(tx, l); err != nil {
				return err
			}
		}
		if err := m.putOwners(tx); err != nil {
			return err
		}
		return m.putProgress(tx)
	})
	if err != nil {
		return err
	}
	for _, l := range m.batch {
		m.count(l)
	}
	m.seen += len(m.batch)
	err = m.countUses()
	m.batch, m.bytes = nil, 0
	return err
}

// putOwners records that what is imported was compared with the erased owners: the engine does not compare it again, without the origin.
func (m *importer) putOwners(tx graph.Tx) error {
	if m.erasures == nil {
		return nil
	}
	setting, state := m.erasures.OwnersState(m.scope)
	if state == "" {
		return nil
	}
	return tx.PutSetting(setting, []byte(state))
}

// isErased reports whether a memory was erased, or belonged to somebody of whom everything was erased since.
func (m *importer) isErased(x *graph.Memory) bool {
	at := x.RecordedAt
	if x.CreatedAt.After(at) {
		at = x.CreatedAt
	}
	return m.erasedBefore(x.ID) || m.erasedOwner != nil && m.erasedOwner(x.User, x.Namespace, at.Add(time.Millisecond))
}

// withhold removes the content of the memories of the batch that were erased before, and records
// them in the ledger of this store before they are written.
func (m *importer) withhold() error {
	var ids []graph.ID
	for _, l := range m.batch {
		if l.Memory == nil || l.Memory.Memory == nil || len(l.Memory.History) == 0 || l.Memory.Status() == graph.Forgotten || !m.isErased(l.Memory.Memory) {
			continue
		}
		ids = append(ids, l.Memory.ID)
		l.Memory.Memory, l.Memory.Vector, l.Memory.Meta = withoutContent(l.Memory.Memory), nil, nil
	}
	if len(ids) == 0 {
		return nil
	}
	if err := m.erasures.Append(m.scope, "", m.now, ids); err != nil {
		return err
	}
	m.withheld += len(ids)
	return nil
}

// erasedNote reports a record that was erased since, or whose owner was wholly. It is left out.
func (m *importer) erasedNote(l line) bool {
	if l.Note == nil || l.Note.Note == nil || !l.Note.Kind.OfOwner() {
		return false
	}
	if l.Note.Kind == graph.NoteDecision && m.erasedBefore(l.Note.ID) {
		return true
	}
	if m.erasedOwner == nil {
		return false
	}
	owner, known := (&graph.Note{Data: l.Note.Data}).Owner() // the line has the Data
	return known && m.erasedOwner(owner, l.Note.Namespace, l.Note.At)
}

// withoutContent returns a memory with the states, entities and session of m, which its erasure needs,
// and nothing that m says.
func withoutContent(m *graph.Memory) *graph.Memory {
	return &graph.Memory{
		ID: m.ID, Chain: m.Chain, Version: m.Version, Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Consolidated: m.Consolidated, Namespace: m.Namespace, User: m.User, Session: m.Session,
		Type: m.Type, Content: "forgotten", Entities: m.Entities, DecayClass: m.DecayClass, Sensitivity: graph.Restricted,
		Consent: graph.ConsentNone, SourceKind: graph.FromSystem, EmbeddingModel: graph.NoModel, History: m.History,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom, AnchorAt: m.AnchorAt,
	}
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
		} else {
			m.live, m.content = m.live+1, m.content+int64(len(l.Memory.Content))
		}
	case l.Relation != nil:
		m.done.Relations++
	case l.Note != nil:
		m.done.Notes++
	case l.Setting != nil:
		m.done.Settings++
	}
}

// put writes a line.
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
	return errUnknown
}

var errForgotten = errors.New("a forgotten memory without earlier states")

func putMemory(tx graph.Tx, l *memoryLine) error {
	m := l.Memory
	m.Meta = raw(l.Meta)
	if m.Status() == graph.Forgotten {
		if len(m.History) < 2 {
			return errForgotten
		}
		return tx.PutMemory(placeholder(m), graph.EventCreated)
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

// placeholder takes the place of a FORGOTTEN memory until everything else is written, because
// notes refer to it and nothing can refer to a stub. It has the states of the stub before the
// last one, and no content.
func placeholder(m *graph.Memory) *graph.Memory {
	p := *m
	p.History = m.History[: len(m.History)-1 : len(m.History)-1]
	p.Content, p.DeletedAt, p.UpdatedAt, p.EmbeddingModel = "forgotten", time.Time{}, m.RecordedAt, graph.NoModel
	p.Type, p.Consent, p.SourceKind = graph.Episodic, graph.ConsentNone, graph.FromSystem
	p.DecayClass, p.Sensitivity = graph.DecayNone, graph.Restricted
	return &p
}

// countUses counts the uses of the memories of the batch, one call per instant. Stores count
// instants, not sums: a day is counted at midnight, further uses at the last use.
func (m *importer) countUses() error {
	lines := make([]Line, len(m.batch))
	for i, l := range m.batch {
		lines[i].line = l
	}
	err := Uses(lines, func(ids []graph.ID, use graph.Use) error { return m.store.CountUses(m.ctx, m.scope, ids, use) })
	if err != nil {
		return err
	}
	return graph.FlushUses(m.ctx, m.store)
}

// usesOf are uses that add up to a usage. The first one of the day Since has all sessions.
func usesOf(u graph.Usage) []graph.Use {
	var all []graph.Use
	for _, d := range u.Days {
		if d != graph.Day(u.Last) {
			all = append(all, graph.Use{At: time.Unix(int64(d)*86400, 0).UTC()})
		}
	}
	for len(all) < u.Count {
		all = append(all, graph.Use{At: u.Last})
	}
	if i := slices.IndexFunc(all, func(use graph.Use) bool { return graph.Day(use.At) == u.Since }); i >= 0 {
		all[i].Sessions = u.Sessions
	}
	return all
}

// end writes the last batch, erases forgotten memories, and compares the summary and the digest
// with those of the last line.
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
	if err := m.compare(e); err != nil {
		return err
	}
	// The engine looks again for memories whose claims were not read.
	_, err := m.store.Update(m.ctx, m.scope, func(tx graph.Tx) error {
		return errors.Join(tx.PutSetting(claimsSetting, nil), tx.PutSetting(importSetting, nil))
	})
	return err
}

// compare returns an error if the lines are not those that were written.
func (m *importer) compare(e *end) error {
	if got := digest(m.sum); got != e.SHA256 || m.done != e.Summary {
		return fmt.Errorf("the file is damaged: it has %s with digest %s, and its last line says %s with digest %s", m.done, got, e.Summary, e.SHA256)
	}
	return nil
}
