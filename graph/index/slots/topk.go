package slots

// Hit is a slot with its score in a channel.
type Hit struct {
	Slot  uint32
	Score float32
}

// order tells which of two slots comes first where their scores are equal.
type Order func(a, b uint32) bool

// ByNumber orders slots by their numbers.
func ByNumber(a, b uint32) bool { return a < b }

// top keeps the k best hits offered to it: a heap with the worst on top.
type TopK struct {
	k     int
	Hits  []Hit
	order Order
}

func NewTopK(k int, first Order) *TopK {
	return &TopK{k: k, Hits: make([]Hit, 0, min(k, 256)), order: first}
}

// full reports whether another hit must beat the worst one.
func (t *TopK) Full() bool { return len(t.Hits) >= t.k && t.k > 0 }

// floor is the score of the worst hit kept; only meaningful when full.
func (t *TopK) Lowest() float32 { return t.Hits[0].Score }

// bar is what another hit must reach: the score of the worst one where full, else 0.
func (t *TopK) Threshold() float32 {
	if t.Full() {
		return t.Lowest()
	}
	return 0
}

// worse reports whether a is a worse hit than b.
func (t *TopK) worse(a, b Hit) bool {
	if a.Score != b.Score {
		return a.Score < b.Score
	}
	return t.order(b.Slot, a.Slot)
}

func (t *TopK) Offer(slot uint32, score float32) {
	h := Hit{slot, score}
	if len(t.Hits) < t.k {
		t.Hits = append(t.Hits, h)
		for i := len(t.Hits) - 1; i > 0; {
			p := (i - 1) / 2
			if !t.worse(t.Hits[i], t.Hits[p]) {
				break
			}
			t.Hits[i], t.Hits[p] = t.Hits[p], t.Hits[i]
			i = p
		}
		return
	}
	if t.k == 0 || !t.worse(t.Hits[0], h) {
		return
	}
	t.Hits[0] = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(t.Hits) {
			return
		}
		if c+1 < len(t.Hits) && t.worse(t.Hits[c+1], t.Hits[c]) {
			c++
		}
		if !t.worse(t.Hits[c], t.Hits[i]) {
			return
		}
		t.Hits[i], t.Hits[c] = t.Hits[c], t.Hits[i]
		i = c
	}
}
