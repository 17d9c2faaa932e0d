package index

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// The memories of a session are ordered by event time, then id. The columns of each slot name
// the slots before and after it in that order.

// Following returns the next memories of the session of a memory by event time, at most n, in any
// status but FORGOTTEN; none if the memory is not in the index or has no session.
func (x *Index) Following(sc graph.Scope, id graph.ID, n int) []*Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	v, slot, d := t.findMemory(sc.Sight, id)
	if d == nil {
		return nil
	}
	if col, i := v.columnsOf(slot); col.session[i] == 0 {
		return nil
	}
	var out []*Doc
	for len(out) < n {
		col, i := v.columnsOf(slot)
		if slot = col.after[i]; slot == slots.None || int(slot) >= v.n {
			break
		}
		if d := v.doc(slot); d != nil && v.shows(slot) {
			out = append(out, d)
		}
	}
	return out
}

// linkSession inserts a slot, whose columns are filled, into the order of its session.
func (w *writer) linkSession(slot uint32) {
	col, i := w.writableColumns(slot)
	col.before[i], col.after[i] = slots.None, slots.None
	session := col.session[i]
	if session == 0 {
		return
	}
	slots := w.sessions[session]
	at, _ := slices.BinarySearchFunc(slots, slot, w.sessionOrder)
	if at > 0 {
		w.joinNeighbours(slots[at-1], slot)
	}
	if at < len(slots) {
		w.joinNeighbours(slot, slots[at])
	}
	w.sessions[session] = slices.Insert(slots, at, slot)
}

// linkAllSessions links all slots of a writer that has no sessions yet.
func (w *writer) linkAllSessions() {
	for slot := range uint32(w.n) {
		if session := w.chunks[slot>>slots.ChunkBits].columns.session[slot&slots.ChunkMask]; session != 0 {
			w.sessions[session] = append(w.sessions[session], slot)
		}
	}
	for _, slots := range w.sessions {
		slices.SortFunc(slots, w.sessionOrder)
		for i, slot := range slots[1:] {
			w.joinNeighbours(slots[i], slot)
		}
	}
}

// unlinkSession removes a slot from the order of its session.
func (w *writer) unlinkSession(slot uint32) {
	col, i := w.writableColumns(slot)
	session := col.session[i]
	if session == 0 {
		return
	}
	before, after := col.before[i], col.after[i]
	if before != slots.None {
		c, j := w.writableColumns(before)
		c.after[j] = after
	}
	if after != slots.None {
		c, j := w.writableColumns(after)
		c.before[j] = before
	}
	slots := w.sessions[session]
	if at, found := slices.BinarySearchFunc(slots, slot, w.sessionOrder); found {
		slots = slices.Delete(slots, at, at+1)
	}
	if w.sessions[session] = slots; len(slots) == 0 {
		delete(w.sessions, session)
	}
}

// joinNeighbours makes two slots of a session neighbours.
func (w *writer) joinNeighbours(before, after uint32) {
	c, i := w.writableColumns(before)
	c.after[i] = after
	c, i = w.writableColumns(after)
	c.before[i] = before
}

// sessionOrder compares two slots by event time, then id.
func (w *writer) sessionOrder(a, b uint32) int {
	ca, cb := w.chunks[a>>slots.ChunkBits], w.chunks[b>>slots.ChunkBits]
	i, j := a&slots.ChunkMask, b&slots.ChunkMask
	if c := cmp.Compare(ca.columns.occurred[i], cb.columns.occurred[j]); c != 0 {
		return c
	}
	return cmp.Compare(ca.docs[i].Load().ID, cb.docs[j].Load().ID)
}
