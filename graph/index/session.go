package index

import "slices"

// The memories of a session stand in a row, by event time and then id. Each slot
// knows the one before and the one after it.

// link puts a slot, whose columns are filled, into the row of its session.
func (w *writer) link(slot uint32) {
	col, i := w.columns(slot)
	col.before[i], col.after[i] = none, none
	session := col.session[i]
	if session == 0 {
		return
	}
	row := w.sessions[session]
	at, _ := slices.BinarySearchFunc(row, slot, w.inOrder)
	if at > 0 {
		w.join(row[at-1], slot)
	}
	if at < len(row) {
		w.join(slot, row[at])
	}
	w.sessions[session] = slices.Insert(row, at, slot)
}

// unlink takes a slot out of the row of its session.
func (w *writer) unlink(slot uint32) {
	col, i := w.columns(slot)
	session := col.session[i]
	if session == 0 {
		return
	}
	before, after := col.before[i], col.after[i]
	if before != none {
		c, j := w.columns(before)
		c.after[j] = after
	}
	if after != none {
		c, j := w.columns(after)
		c.before[j] = before
	}
	row := w.sessions[session]
	if at, found := slices.BinarySearchFunc(row, slot, w.inOrder); found {
		row = slices.Delete(row, at, at+1)
	}
	if len(row) == 0 {
		delete(w.sessions, session)
		return
	}
	w.sessions[session] = row
}

func (w *writer) join(before, after uint32) {
	c, i := w.columns(before)
	c.after[i] = after
	c, i = w.columns(after)
	c.before[i] = before
}

func (w *writer) inOrder(a, b uint32) int {
	ca, cb := w.chunks[a>>chunkBits], w.chunks[b>>chunkBits]
	i, j := a&chunkMask, b&chunkMask
	if c := compare(ca.col.occurred[i], cb.col.occurred[j]); c != 0 {
		return c
	}
	return compare(ca.docs[i].ID, cb.docs[j].ID)
}
