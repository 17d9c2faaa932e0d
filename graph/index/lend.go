package index

import "slices"

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

// rounding is what float32 may lose of a score.
const rounding = 1e-5

// worthLooking is how many memories of a partition can be passed on the way along its
// sessions in the time that it takes to look at one and all whom it lends to.
const worthLooking = 64

// briefLooks is how many memories are looked at in brief for each that is wanted. Of texts
// without order that borrow as much as there is, once finds 76 in 100 of the best sixth
// and twice 91; in conversations nothing is lost by either.
const briefLooks = 2

// Among wideFrom memories wideLooks are looked at for each that is wanted: walking along the sessions of
// all of them takes longer than all else of a search together. Who is thorough walks. Two who have time
// share the namespaces; each looks at so many of its own.
const wideFrom, wideLooks, wideChains = 1 << 19, 8, 2

// top are the k best memories that score at least the bar. The k that score highest by
// themselves come, with what is lent them, to a floor for the k-th best. One can be above
// it only if it, or one that lends to it, scores by itself at least 1/(1+lent) of the
// floor: its own score and its shares of the others' are at most 1+lent times the
// highest of them (extent.lent). Where few do, those are looked at; else what sessions score is
// added up, or where most score anything, all sessions are walked along.
//
// Words that were put off may add at most lift to a memory, with what is lent. They are taken up
// again, the one that adds most first, while that is more than liftMost of the floor; else lift
// is added to every bound.
//
// The bar is that of the partitions before.
func (r *ranks) top(k int, bar float32) *top {
	l := &looking{ranks: r, best: newTop(k, r.view.before), floor: bar * (1 - rounding)}
	for _, q := range r.asked {
		for _, h := range q.highest(k, 0) {
			l.look(h.slot)
		}
	}
	for _, q := range r.asked {
		l.through(q, k)
	}
	return l.best
}

// brief is top where only those that score highest by themselves and those that they lend to are
// looked at, so many of the first: what several neighbours together would lift among the best may
// be missed. Where words were put off, what scores highest is told without them, and some more are looked at.
// alone are the highest of the partitions before, by question; those of this one join them.
func (r *ranks) brief(looks, k int, bar float32, alone []*top) *top {
	l := &looking{ranks: r, best: newTop(k, r.view.before), floor: bar * (1 - rounding)}
	for i, q := range r.asked {
		before, more := alone[i].bar(), 0
		if len(q.rest) > 0 {
			more = restMore
		}
		hits := q.highest(looks+more, max(0, (before-q.lift)*(1-rounding)))
		r.takeUpFor(q, hits)
		for _, h := range slices.Backward(hits) { // the best stand behind
			own := q.of(h.slot)
			if own <= before {
				continue
			}
			l.look(h.slot)
			l.beside(h.slot)
			alone[i].offer(h.slot, own)
		}
	}
	return l.best
}

// tops are n empty tops of k.
func tops(n, k int) []*top {
	out := make([]*top, n)
	for i := range out {
		out[i] = newTop(k, bySlot)
	}
	return out
}

// through looks at what of one question may be among the best.
func (l *looking) through(q *scores, k int) {
	all := 1 + l.view.extent.lent()
	for len(q.rest) > 0 && q.lift*all > l.floor*liftMost {
		q.takeUp(l.pass)
		for _, h := range q.highest(k, 0) {
			l.look(h.slot)
		}
	}
	l.lift = q.lift * all
	switch few := q.above(l.floor/all) * worthLooking; {
	case few < l.view.n && l.lift == 0: // else a look takes a look for what was put off
		l.among(q, l.floor/all)
	case len(q.touched)*sparseSessions < l.view.n:
		l.sessions(q)
	default:
		l.along(q)
	}
}

// sparseSessions is of how many memories one at most scores anything where sessions are added up.
const sparseSessions = 3

// looking is a search for the best memories by words.
type looking struct {
	*ranks
	best  *top
	floor float32 // less than this is not among the best
	lift  float32 // what may come on top of every sum
	row   []held  // of the session at hand
	seats []seat
}

// look scores a memory, unless that was done.
func (l *looking) look(slot uint32) {
	if l.ranks.best[slot] > 0 {
		return
	}
	if score := l.reaching(slot, l.floor); score > 0 && score >= l.floor {
		l.best.offer(slot, score)
		if l.best.full() {
			l.floor = max(l.floor, l.best.floor()*(1-rounding))
		}
	}
}

// among looks at those that score enough, and at whom they lend to.
func (l *looking) among(q *scores, enough float32) {
	for _, s := range q.touched {
		if q.own[s] < enough {
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
		if q.own[s]+l.lift >= l.floor {
			l.look(s)
		}
	}
}

// sessions adds up what the memories of each session score, and walks those where that may be
// enough for one of them.
func (l *looking) sessions(q *scores) {
	r, asks := l.ranks, l.view.extent.asks
	n := l.view.lists.ordinals()
	if r.sums = atLeast(r.sums, n); len(r.member) < n {
		r.member = make([]uint32, len(r.sums))
	}
	var scoring []uint32
	for _, s := range q.touched {
		col, i := l.view.columns(s)
		session := col.session[i]
		if session == 0 {
			if q.own[s]+l.lift >= l.floor {
				l.look(s)
			}
			continue
		}
		if r.sums[session] == 0 {
			scoring, r.member[session] = append(scoring, session), s
		}
		r.sums[session] += q.own[s]
	}
	share := max(1, shareStep*answered(asks, 0)) // no memory has more of another's score
	for _, session := range scoring {
		if r.sums[session]*share*(1+rounding)+l.lift >= l.floor {
			l.session(q, l.members(r.member[session]))
		}
		r.sums[session] = 0
	}
}

// members is the row of the session of a slot.
func (l *looking) members(slot uint32) []seat {
	for {
		col, i := l.view.columns(slot)
		if col.before[i] == none {
			break
		}
		slot = col.before[i]
	}
	l.seats = l.seats[:0]
	for slot != none {
		col, i := l.view.columns(slot)
		l.seats = append(l.seats, seat{slot, col.asks[i], borrowed(col.length[i])})
		slot = col.after[i]
	}
	return l.seats
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
	if sum == 0 || highest+shareStep*answered(asks, 0)*(sum-highest)+l.lift < l.floor {
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
		if at.own+lent*at.takes+l.lift >= l.floor {
			l.look(at.slot)
		}
	}
}

// highest are the k memories that score most by themselves, of those above the bar.
func (q *scores) highest(k int, bar float32) []hit {
	t := newTop(k, bySlot)
	for _, s := range q.touched {
		if own := q.own[s]; own > bar {
			if t.offer(s, own); t.full() {
				bar = t.floor()
			}
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
