package index

// A common word stands in many memories and tells little: what it adds to a memory has a bound
// that is low beside what the rarer words of a question add to the best. Where it is, its
// memories are not added up. What it adds is looked up in the memories that matter, for each
// knows its words.

// putOff is a common word of a question.
type putOff struct {
	ordinal uint32 // of its list
	items   []posting
	weight  float32 // what a saturated frequency counts
	most    float32 // what it may add at most
}

const (
	// restFrom and restShare say which words are common: that many memories of a partition hold
	// one, and one in so many.
	restFrom, restShare = 32 << 10, 24
	// restLong is how many memories hold a word that is put off where only the best by themselves
	// are looked at: counting fewer takes no time. Without what is put off the order is another,
	// so that restMore are looked at besides.
	restLong, restMore = 2 << 10, 256
	// never puts nothing off.
	never = 1 << 62
	// liftMost is the share of the floor that words which are put off may add with all that is
	// lent. The more, the more memories are looked at that are not among the best.
	liftMost = 0.5
)

// extent bounds what the memories of a partition are like.
type extent struct {
	some  bool
	least float32 // no memory was ever shorter
	asks  float32 // nor asked more
}

func (e *extent) reach(length, asks float32) {
	if !e.some {
		*e = extent{true, length, asks}
	}
	e.least, e.asks = min(e.least, length), max(e.asks, asks)
}

// lent is the most that the shares of all neighbours of a memory add up to.
func (e *extent) lent() float32 {
	return borrowed(e.least) * (2*(shareStep+shareStep*shareStep) + shareAnswer*shareStep*e.asks)
}

// putOff puts a word off whose highest frequency is known.
func (q *scores) putOff(p putOff, highest float32) {
	p.most = p.weight * q.view.saturation(highest, q.view.extent.least)
	at := len(q.rest)
	for at > 0 && q.rest[at-1].most > p.most {
		at--
	}
	q.rest = append(q.rest, putOff{})
	copy(q.rest[at+1:], q.rest[at:])
	q.rest[at] = p
	q.raise()
}

// raise brings lift in step with what is put off.
func (q *scores) raise() {
	q.lift = 0
	for _, p := range q.rest {
		q.lift += p.most
	}
}

// takeUp adds up the word that may add most of those that were put off.
func (q *scores) takeUp(pass bitmap) {
	last := len(q.rest) - 1
	p := q.rest[last]
	q.rest = q.rest[:last]
	q.raise()
	q.view.count(q, p.items, p.weight, pass)
}

// most is what a passing memory scores by itself at most, as far as that is known.
func (q *scores) most(slot uint32) float32 {
	if known := q.whole[slot]; known != 0 {
		return max(0, known)
	}
	return q.own[slot] + q.lift
}

// takeUpFor adds what was put off to the sums of the memories that score most by themselves, of
// those beside them, and of those beside these: all that a look at the first two asks for.
func (r *ranks) takeUpFor(q *scores, hits []hit) {
	if len(q.rest) == 0 {
		return
	}
	r.marked = zeros(r.marked, (q.view.n+63)/64)
	mark := func(slot uint32) {
		if q.whole[slot] == 0 && !r.marked.has(slot) {
			r.marked.add(slot)
			q.whole[slot], q.known = q.own[slot], append(q.known, slot)
		}
	}
	from := len(q.known)
	for _, h := range hits {
		mark(h.slot)
		for _, later := range [...]bool{false, true} {
			at := h.slot
			for range 2 * shareSteps {
				if at = q.view.neighbour(at, r.pass, later); at == none {
					break
				}
				mark(at)
			}
		}
	}
	for _, p := range q.rest {
		for _, it := range p.items {
			if r.marked.has(it.slot) {
				q.whole[it.slot] += p.weight * q.view.saturated(it.slot, it.tf)
			}
		}
	}
	for _, s := range q.known[from:] {
		if q.whole[s] == 0 {
			q.whole[s] = -1
		}
	}
}

// of is what a passing memory scores by itself.
func (q *scores) of(slot uint32) float32 {
	if len(q.rest) == 0 {
		return q.own[slot]
	}
	if known := q.whole[slot]; known != 0 {
		return max(0, known)
	}
	sum := q.own[slot]
	t := q.view.chunks[slot>>chunkBits].text[slot&chunkMask]
	last := uint32(0) // common words have low numbers: they came early
	for i := range q.rest {
		last = max(last, q.rest[i].ordinal)
	}
	t.until(func(ordinal uint32, tf float32, word bool) bool {
		for i := range q.rest {
			if p := &q.rest[i]; p.ordinal == ordinal && word {
				sum += p.weight * q.view.saturated(slot, tf)
			}
		}
		return word && ordinal < last
	})
	q.known = append(q.known, slot)
	if q.whole[slot] = sum; sum == 0 {
		q.whole[slot] = -1
	}
	return sum
}

// zeros is an empty set with room for so many words.
func zeros(have bitmap, words int) bitmap {
	if cap(have) < words {
		return make(bitmap, words+words/8)
	}
	have = have[:cap(have)]
	clear(have)
	return have
}
