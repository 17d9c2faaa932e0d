package index

// beside is a memory near another in its session, with shareStep^steps and what a question
// lends more: share is lent by it to the other, lends by the other to it.
type beside struct {
	slot         uint32
	share, lends float32
}

// around are the passing memories at most shareSteps away in the session.
func (v *view) around(slot uint32, pass bitmap) (out [2 * shareSteps]beside, n int) {
	col, i := v.columns(slot)
	for _, later := range [...]bool{false, true} {
		share, at := float32(1), slot
		for step := range shareSteps {
			if at = v.neighbour(at, pass, later); at == none {
				break
			}
			share *= shareStep
			out[n] = beside{at, share, share}
			if step == 0 {
				other, j := v.columns(at)
				if later {
					out[n].lends *= answered(col.asks[i], other.asks[j])
				} else {
					out[n].share *= answered(other.asks[j], col.asks[i])
				}
			}
			n++
		}
	}
	return out, n
}

// neighbour is the next passing slot of the session in one direction, or none.
func (v *view) neighbour(slot uint32, pass bitmap, later bool) uint32 {
	for {
		c, i := v.columns(slot)
		if later {
			slot = c.after[i]
		} else {
			slot = c.before[i]
		}
		if slot == none || pass.has(slot) {
			return slot
		}
	}
}

// borrowed is the share that a memory of a length takes of what it is lent.
func borrowed(length float32) float32 { return shareLength / (shareLength + length) }

// answered is how much more a memory that asks lends to the one behind it.
func answered(asks, next float32) float32 { return 1 + shareAnswer*asks*(1-next) }

// lentMost is the most that the shares of all neighbours of a memory add up to.
const lentMost = 2*(shareStep+shareStep*shareStep) + shareAnswer*shareStep // shareSteps to either side

// rounding is what float32 may lose of a score.
const rounding = 1e-5

// worthLooking is how many memories of a partition can be passed on the way along its
// sessions in the time that it takes to look at one and all whom it lends to.
const worthLooking = 64

// briefLooks is how many memories are looked at in brief for each that is wanted. Of texts
// without order that borrow as much as there is, once finds 76 in 100 of the best sixth
// and twice 91; in conversations nothing is lost by either.
const briefLooks = 2

// top are the k best memories that score at least the bar. The k that score highest by
// themselves come, with what is lent them, to a floor for the k-th best. One can be above
// it only if it, or one that lends to it, scores by itself at least 1/(1+lentMost) of the
// floor: its own score and its shares of the others' are at most 1+lentMost times the
// highest of them. Where few do, those are looked at; else all sessions are walked along.
//
// Where brief, only briefLooks·k that score highest by themselves and those that they lend to
// are looked at: what several neighbours together would lift among the best may be missed.
func (r *ranks) top(k int, bar float32, brief bool) *top {
	l := &looking{ranks: r, best: newTop(k, r.view.before), floor: bar * (1 - rounding)}
	most := k
	if brief {
		most *= briefLooks
	}
	for _, q := range r.asked {
		for _, h := range q.highest(most) {
			l.look(h.slot)
			if brief {
				l.beside(h.slot)
			}
		}
	}
	if brief {
		return l.best
	}
	for _, q := range r.asked {
		if q.above(l.floor/(1+lentMost))*worthLooking < r.view.n {
			l.among(q)
		} else {
			l.along(q)
		}
	}
	return l.best
}

// looking is a search for the best memories by words.
type looking struct {
	*ranks
	best  *top
	floor float32 // less than this is not among the best
	row   []held  // of the session at hand
}

// look scores a memory, unless that was done.
func (l *looking) look(slot uint32) {
	if l.ranks.best[slot] > 0 {
		return
	}
	if score := l.of(slot); score > 0 && score >= l.floor {
		l.best.offer(slot, score)
		if l.best.full() {
			l.floor = max(l.floor, l.best.floor()*(1-rounding))
		}
	}
}

// among looks at those that score enough of the floor, and at whom they lend to.
func (l *looking) among(q *scores) {
	for _, s := range q.touched {
		if q.own[s]*(1+lentMost) < l.floor {
			continue
		}
		l.look(s)
		l.beside(s)
	}
}

// beside looks at those that a memory lends to.
func (l *looking) beside(slot uint32) {
	if col, i := l.view.columns(slot); col.session[i] == 0 {
		return
	}
	around, n := l.view.around(slot, l.pass)
	for _, x := range around[:n] {
		l.look(x.slot)
	}
}

// held is a passing memory of a session with its own score.
type held struct {
	seat
	own float32
}

// along walks all sessions, in each from seat to seat, and looks at what reaches the floor
// with what is lent it; then at what reaches it alone.
func (l *looking) along(q *scores) {
	for _, chunk := range l.view.rows {
		for _, row := range chunk {
			l.session(q, row)
		}
	}
	for _, s := range q.touched {
		if q.own[s] >= l.floor {
			l.look(s)
		}
	}
}

// session looks at the memories of one session that reach the floor. None does where the
// highest with the largest share of all the others does not.
func (l *looking) session(q *scores, row []seat) {
	const edge = shareSteps // empty seats at either end
	var highest, sum, asks float32
	for _, s := range row {
		if own := q.own[s.slot]; own > 0 { // it passes
			highest, sum = max(highest, own), sum+own
		}
		asks = max(asks, s.asks)
	}
	if sum == 0 || highest+shareStep*answered(asks, 0)*(sum-highest) < l.floor {
		return
	}
	l.row = append(l.row[:0], make([]held, edge)...)
	for _, s := range row {
		if l.pass.has(s.slot) {
			l.row = append(l.row, held{s, q.own[s.slot]})
		}
	}
	l.row = append(l.row, make([]held, edge)...)
	for i := edge; i < len(l.row)-edge; i++ {
		at, before := &l.row[i], &l.row[i-1]
		lent := shareStep*(before.own*answered(before.asks, at.asks)+l.row[i+1].own) +
			shareStep*shareStep*(l.row[i-2].own+l.row[i+2].own)
		if at.own+lent*at.takes >= l.floor {
			l.look(at.slot)
		}
	}
}

// highest are the k memories that score most by themselves.
func (q *scores) highest(k int) []hit {
	t := newTop(k, bySlot)
	for _, s := range q.touched {
		if !t.full() || q.own[s] > t.floor() {
			t.offer(s, q.own[s])
		}
	}
	return t.hits
}

// above is how many memories score at least the floor by themselves.
func (q *scores) above(floor float32) (n int) {
	for _, s := range q.touched {
		if q.own[s] >= floor {
			n++
		}
	}
	return n
}

// forget drops what was looked at.
func (r *ranks) forget() {
	for _, s := range r.known {
		r.best[s] = 0
	}
	r.known = r.known[:0]
}
