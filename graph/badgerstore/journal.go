package badgerstore

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// A commit records which rows it touched, for backups: its changes name memories, entities and
// relations, and journal rows name the rest. Both are found from the keys that a transaction
// writes, so that no write can be forgotten. ADR 97.

// journalChunk is how many touched rows a journal row names, so that it stays below maxValue.
const journalChunk = 2000

// noteKindNames are the kinds of notes by their form in keys.
var noteKindNames = func() map[[16]byte]string {
	names := map[[16]byte]string{}
	for _, k := range graph.NoteKinds {
		names[nameHash(string(k))] = string(k)
	}
	return names
}()

// touched lists the rows that a transaction writes or removes and that its changes do not name,
// by tenant.
func (w *txWriter) touched() (map[graph.Tenant]map[graph.Row]bool, error) {
	all := map[graph.Tenant]map[graph.Row]bool{}
	for k := range w.written.entries {
		at := strings.IndexByte(k, 0)
		if at <= 0 || at+1 == len(k) {
			continue // a row of the store
		}
		row, ok, err := w.touchedRow(k[at+1], []byte(k[at+2:]))
		if err != nil {
			return nil, integrityError(key(k), err.Error())
		}
		if !ok {
			continue
		}
		t := graph.Tenant(k[:at])
		if all[t] == nil {
			all[t] = map[graph.Row]bool{}
		}
		all[t][row] = true
	}
	for _, c := range w.changes {
		if row, ok := c.Row(); ok {
			delete(all[c.tenant], row)
		}
	}
	return all, nil
}

// touchedRow is the row that a key of a kind with a tail belongs to; ok is false if none is. Every
// write of an entity or a relation has a change.
func (w *txWriter) touchedRow(kind byte, tail []byte) (row graph.Row, ok bool, err error) {
	if len(tail) < 16 {
		return row, false, nil // no such row has a shorter key
	}
	id := func(from int) (graph.ID, error) { return lastID(tail[from:min(from+16, len(tail))]) }
	switch kind {
	case rowMemory, rowEmbedding, rowUsage, rowEdgeOut:
		row.Kind = graph.RowMemory
		row.ID, err = id(0)
	case rowReceipt, rowErased:
		row.Kind = graph.RowReceipt
		row.ID, err = id(0)
	case rowNote:
		row.Kind = graph.RowNote
		if row.ID, err = id(16); err == nil {
			row.Name = noteKindNames[[16]byte(tail)]
			return row, row.Name != "", nil // tests have kinds of their own
		}
	case rowSetting, rowSettingKeyed:
		// A setting that is only sealed anew keeps its value, and its name is not known here; nor is one
		// that a journal does not name.
		row.Kind, row.Name = graph.RowSetting, w.settings[[16]byte(tail)]
		return row, row.Name != "", nil
	default:
		return row, false, nil
	}
	return row, true, err
}

// writeJournal writes the rows that the members of a commit touched.
func (g *groupCommit) writeJournal() error {
	all := map[graph.Tenant][]wire.Row{}
	for _, t := range g.members {
		for tenant, rows := range t.writes.journal {
			all[tenant] = append(all[tenant], rows...)
		}
	}
	for tenant, rows := range all {
		part := 0
		for some := range slices.Chunk(rows, journalChunk) {
			k := newKeyspace(tenant).rowKey(rowJournal, be64(g.number), binary.BigEndian.AppendUint16(nil, uint16(part)))
			payload, err := encode(some)
			if err != nil {
				return err
			}
			if err := g.setRow(k, rowWrite{value: seal(k, formWhole, payload)}); err != nil {
				return err
			}
			part++
		}
	}
	return nil
}

// fillJournal lists what the transaction touched, when it has made all its writes.
func (w *txWriter) fillJournal() error {
	if w.sameRows {
		return nil
	}
	all, err := w.touched()
	if err != nil {
		return err
	}
	for t, rows := range all {
		for row := range rows {
			stored, err := wire.RowOf(row)
			if err != nil {
				return err
			}
			if w.journal == nil {
				w.journal = map[graph.Tenant][]wire.Row{}
			}
			w.journal[t] = append(w.journal[t], stored)
			w.size.bytes += int64(32 + len(row.Name))
		}
		if len(rows) > 0 {
			w.size.add(txSize{bytes: 64, entries: int64(1 + len(rows)/journalChunk)})
		}
	}
	return nil
}

// Position is that of the last commit which the snapshot shows.
func (r *reader) Position() (p graph.Position, err error) {
	if err := r.usable(); err != nil {
		return p, err
	}
	prefix := r.ks.rowKey(rowChange)
	err = r.scanRows(prefix, append(slices.Clip(prefix), 0xff), true, func(k key, _ []byte) (bool, error) {
		var err error
		p.Cursor, err = cursorOf(k)
		return false, err
	})
	if err != nil {
		return p, err
	}
	prefix = r.ks.rowKey(rowJournal)
	return p, r.scanRows(prefix, append(slices.Clip(prefix), bytes.Repeat([]byte{0xff}, 11)...), true, func(k key, _ []byte) (bool, error) {
		var err error
		p.Commit, err = journalCommit(k)
		return false, err
	})
}

// Touched calls each for every row that was touched after the position, up to the snapshot.
func (r *reader) Touched(after graph.Position, each func(graph.Row) error) error {
	if err := r.usable(); err != nil {
		return err
	}
	if after.Cursor < ^graph.Cursor(0) {
		prefix := r.ks.rowKey(rowChange)
		err := r.scanRows(prefix, r.ks.rowKey(rowChange, be64(uint64(after.Cursor)+1)), false, func(k key, payload []byte) (bool, error) {
			var c wire.Change
			if err := decode(k, payload, &c); err != nil {
				return false, err
			}
			if row, ok := c.Change(0).Row(); ok {
				return true, each(row)
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	prefix := r.ks.rowKey(rowJournal)
	return r.scanRows(prefix, r.ks.rowKey(rowJournal, be64(after.Commit+1)), false, func(k key, payload []byte) (bool, error) {
		var rows []wire.Row
		if err := decode(k, payload, &rows); err != nil {
			return false, err
		}
		for _, row := range rows {
			if err := each(row.Row()); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// journalCommit is the number of the commit in the key of a journal row.
func journalCommit(k key) (uint64, error) {
	if len(k) < 10 {
		return 0, integrityError(k, "not the key of a journal row")
	}
	return binary.BigEndian.Uint64(k[len(k)-10 : len(k)-2]), nil
}
