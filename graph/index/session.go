package index

import "slices"

// The memories of a session stand in a row, by event time and then id. Each slot
// knows the one before and the one after it; who looks at whole sessions reads the rows.

// seat is a memory in the row of its session, with what lending asks of it.
type seat struct {
	slot  uint32
	asks  float32
	takes float32 // borrowed(its length)
}

// rowChunk holds some rows. Like a chunk, one that was published is never changed; a row
// may only grow behind what a view shows of it.
type rowChunk [1 << rowBits][]seat

const (
	rowBits = 6
	rowMask = 1<<rowBits - 1
)

// sessions are the rows of a partition, numbered.
type sessions struct {
	number map[uint32]int // by ordinal of the session
	free   []int          // numbers of rows that are empty
	rows   []*rowChunk
	own    map[int]bool // chunks that were copied since the last publication
}

func newSessions() *sessions { return &sessions{number: map[uint32]int{}, own: map[int]bool{}} }

// packMost is how many seats of a chunk are brought together at most.
const packMost = 4096

// publish is what readers walk. Rows of a chunk that changed are laid behind one another,
// for that is how they are walked.
func (s *sessions) publish() []*rowChunk {
	for c := range s.own {
		s.rows[c].pack()
	}
	clear(s.own)
	return slices.Clone(s.rows)
}

func (c *rowChunk) pack() {
	n := 0
	for _, row := range c {
		n += len(row)
	}
	if n > packMost {
		return
	}
	all := make([]seat, 0, n)
	for i, row := range c {
		at := len(all)
		all = append(all, row...)
		c[i] = all[at:len(all):len(all)]
	}
}

// row is that of a session.
func (s *sessions) row(session uint32) []seat {
	if n, known := s.number[session]; known {
		return s.rows[n>>rowBits][n&rowMask]
	}
	return nil
}

// put sets the row of a session; an empty one gives its number back.
func (s *sessions) put(session uint32, row []seat) {
	n, known := s.number[session]
	switch {
	case !known && len(s.free) > 0:
		n, s.free = s.free[len(s.free)-1], s.free[:len(s.free)-1]
	case !known:
		n = len(s.number)
	}
	c := n >> rowBits
	if c == len(s.rows) {
		s.rows, s.own[c] = append(s.rows, &rowChunk{}), true
	}
	if !s.own[c] {
		fresh := *s.rows[c]
		s.rows[c], s.own[c] = &fresh, true
	}
	s.rows[c][n&rowMask], s.number[session] = row, n
	if len(row) == 0 {
		s.rows[c][n&rowMask] = nil
		delete(s.number, session)
		s.free = append(s.free, n)
	}
}

// link puts a slot, whose columns are filled, into the row of its session.
func (w *writer) link(slot uint32) {
	col, i := w.columns(slot)
	col.before[i], col.after[i] = none, none
	session := col.session[i]
	if session == 0 {
		return
	}
	row := w.sessions.row(session)
	at, _ := slices.BinarySearchFunc(row, slot, w.inOrder)
	if at > 0 {
		w.join(row[at-1].slot, slot)
	}
	if at < len(row) {
		w.join(slot, row[at].slot)
		row = row[:len(row):len(row)] // readers walk what is behind it
	}
	w.sessions.put(session, slices.Insert(row, at, w.seat(slot)))
}

// linkAll puts all slots, which are new and in no row yet, into the rows of their sessions.
func (w *writer) linkAll() {
	firsts := make([]uint32, len(w.lists.numbered)+1) // by ordinal of the session: where its slots begin
	for slot := range uint32(w.n) {
		firsts[w.chunks[slot>>chunkBits].col.session[slot&chunkMask]+1]++
	}
	for i := range firsts[1:] {
		firsts[i+1] += firsts[i]
	}
	slots, next := make([]uint32, w.n), slices.Clone(firsts)
	for slot := range uint32(w.n) {
		session := w.chunks[slot>>chunkBits].col.session[slot&chunkMask]
		slots[next[session]] = slot
		next[session]++
	}
	for session := uint32(1); int(session) < len(firsts)-1; session++ {
		of := slots[firsts[session]:firsts[session+1]]
		if len(of) == 0 {
			continue
		}
		slices.SortFunc(of, func(a, b uint32) int { return w.inOrder(seat{slot: a}, b) })
		row := make([]seat, len(of))
		for i, slot := range of {
			col, j := w.chunks[slot>>chunkBits].col, slot&chunkMask
			row[i] = seat{slot, col.asks[j], borrowed(col.length[j])}
			if i > 0 {
				col.before[j] = of[i-1]
				w.chunks[of[i-1]>>chunkBits].col.after[of[i-1]&chunkMask] = slot
			}
		}
		w.sessions.put(session, row)
	}
}

// seat is what the columns of a slot say.
func (w *writer) seat(slot uint32) seat {
	col, i := w.columns(slot)
	return seat{slot, col.asks[i], borrowed(col.length[i])}
}

// reseat brings the row of a slot in step with its columns.
func (w *writer) reseat(slot uint32) {
	col, i := w.columns(slot)
	row := w.sessions.row(col.session[i])
	at, found := slices.BinarySearchFunc(row, slot, w.inOrder)
	if fresh := w.seat(slot); found && row[at] != fresh {
		row = slices.Clone(row)
		row[at] = fresh
		w.sessions.put(col.session[i], row)
	}
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
	row := w.sessions.row(session)
	if at, found := slices.BinarySearchFunc(row, slot, w.inOrder); found {
		w.sessions.put(session, slices.Concat(row[:at], row[at+1:]))
	}
}

func (w *writer) join(before, after uint32) {
	c, i := w.columns(before)
	c.after[i] = after
	c, i = w.columns(after)
	c.before[i] = before
}

func (w *writer) inOrder(a seat, slot uint32) int {
	ca, cb := w.chunks[a.slot>>chunkBits], w.chunks[slot>>chunkBits]
	i, j := a.slot&chunkMask, slot&chunkMask
	if c := compare(ca.col.occurred[i], cb.col.occurred[j]); c != 0 {
		return c
	}
	return compare(ca.docs[i].Load().ID, cb.docs[j].Load().ID)
}
