package dgraphstore

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// A commit records which rows it touched, for backups: its changes name memories, entities and
// relations, and commit.rows names the rest. Both are found from what a transaction writes, so
// that no write can be forgotten. ADR 97.

// touched lists the rows that the transaction writes or removes and that its changes do not name.
func (r *reader) touched() ([]wire.Row, error) {
	writes := r.writes
	all := map[graph.Row]bool{}
	for _, id := range writes.editOrder {
		record := writes.edits[id].record
		if record == "" {
			record = writes.edits[id].stored.Record
		}
		if writes.dropped[id] && id.kind != memories { // it can't be read for what it is
			continue
		}
		row, ok, err := r.touchedRow(id, record)
		if err != nil {
			return nil, err
		}
		if ok {
			all[row] = true
		}
	}
	for id := range writes.vectors {
		all[graph.Row{Kind: graph.RowMemory, ID: id}] = true
	}
	for id := range writes.usage {
		all[graph.Row{Kind: graph.RowMemory, ID: id}] = true
	}
	for key := range writes.receiptIDs {
		id, err := r.ks.parseID(key)
		if err != nil {
			return nil, err
		}
		all[graph.Row{Kind: graph.RowReceipt, ID: id}] = true
	}
	for _, c := range writes.changes {
		if row, ok := c.Row(); ok {
			delete(all, row)
		}
	}
	rows := make([]wire.Row, 0, len(all))
	for row := range all {
		stored, err := wire.RowOf(row)
		if err != nil {
			return nil, err
		}
		rows = append(rows, stored)
	}
	return rows, nil
}

// touchedRow is the row that a written row belongs to; ok is false if none is. Every write of an
// entity or a relation has a change.
func (r *reader) touchedRow(id rowID, record string) (row graph.Row, ok bool, err error) {
	switch id.kind {
	case memories:
		row.Kind = graph.RowMemory
		row.ID, err = r.ks.parseID(id.key)
	case receipts:
		row.Kind = graph.RowReceipt
		row.ID, err = r.ks.parseID(id.key)
	case settings:
		row.Kind, row.Name = graph.RowSetting, r.writes.settings[id.key]
		return row, row.Name != "", nil
	case edges:
		if record == "" {
			return row, false, nil // removed before it was written
		}
		e, err := decodeEdge(r.ks, id.key, record)
		if err != nil {
			return row, false, err
		}
		row.Kind, row.ID = graph.RowMemory, e.From
	case notes:
		if record == "" {
			return row, false, nil
		}
		n, err := decodeNote(r.ks, id.key, record)
		if err != nil {
			return row, false, err
		}
		row.Kind, row.ID, row.Name = graph.RowNote, n.ID, string(n.Kind)
	default:
		return row, false, nil
	}
	return row, err == nil, err
}

// encodeRows is the sealed text of the rows that a commit touched; empty: none.
func (d *draft) encodeRows(key string) (string, error) {
	if len(d.touched) == 0 {
		return "", nil
	}
	return encode(sealKey("rows", key), d.touched)
}

// Position is that of the last commit which the snapshot shows.
func (r *reader) Position() (graph.Position, error) {
	if err := r.scanRead(); err != nil {
		return graph.Position{}, err
	}
	head, err := r.tenantHead()
	return graph.Position{Commit: head.Commit, Cursor: head.Cursor}, err
}

// Touched calls each for every row that was touched after the position, up to the snapshot.
func (r *reader) Touched(after graph.Position, each func(graph.Row) error) error {
	if err := r.scanRead(); err != nil {
		return err
	}
	head, err := r.tenantHead()
	if err != nil {
		return err
	}
	for from := after.Commit + 1; from <= head.Commit; from += queryChunk {
		to := min(from+queryChunk-1, head.Commit)
		commits, err := r.readCommits(r.ctx, r.ks, from, to)
		if err != nil {
			return err
		}
		if uint64(len(commits)) != to-from+1 {
			return integrityError(r.ks.commitKey(from), "a commit is missing")
		}
		for _, c := range commits {
			if err := c.eachRow(each); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachRow calls each for the rows that a commit touched.
func (c commitRow) eachRow(each func(graph.Row) error) error {
	changes, err := c.decodeChanges()
	if err != nil {
		return err
	}
	for _, change := range changes {
		if row, ok := change.Row(); ok {
			if err := each(row); err != nil {
				return err
			}
		}
	}
	if c.Rows == "" {
		return nil
	}
	var rows []wire.Row
	if err := decode(sealKey("rows", c.Key), c.Rows, &rows); err != nil {
		return err
	}
	for _, row := range rows {
		if err := each(row.Row()); err != nil {
			return err
		}
	}
	return nil
}
