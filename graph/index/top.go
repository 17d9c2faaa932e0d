package index

// order tells which of two slots comes first where their scores are equal.
type order func(a, b uint32) bool

// top keeps the k best hits offered to it: a heap with the worst on top.
type top struct {
	k     int
	hits  []hit
	first order
}

func newTop(k int, first order) *top {
	return &top{k: k, hits: make([]hit, 0, min(k, 256)), first: first}
}

// full reports whether another hit must beat the worst one.
func (t *top) full() bool { return len(t.hits) >= t.k && t.k > 0 }

// floor is the score of the worst hit kept; only meaningful when full.
func (t *top) floor() float32 { return t.hits[0].score }

// bar is what another hit must reach: the score of the worst one where full, else 0.
func (t *top) bar() float32 {
	if t.full() {
		return t.floor()
	}
	return 0
}

// worse reports whether a is a worse hit than b.
func (t *top) worse(a, b hit) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return t.first(b.slot, a.slot)
}

func (t *top) offer(slot uint32, score float32) {
	h := hit{slot, score}
	if len(t.hits) < t.k {
		t.hits = append(t.hits, h)
		for i := len(t.hits) - 1; i > 0; {
			p := (i - 1) / 2
			if !t.worse(t.hits[i], t.hits[p]) {
				break
			}
			t.hits[i], t.hits[p] = t.hits[p], t.hits[i]
			i = p
		}
		return
	}
	if t.k == 0 || !t.worse(t.hits[0], h) {
		return
	}
	t.hits[0] = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(t.hits) {
			return
		}
		if c+1 < len(t.hits) && t.worse(t.hits[c+1], t.hits[c]) {
			c++
		}
		if !t.worse(t.hits[c], t.hits[i]) {
			return
		}
		t.hits[i], t.hits[c] = t.hits[c], t.hits[i]
		i = c
	}
}
