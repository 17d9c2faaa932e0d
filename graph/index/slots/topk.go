package slots

// Hit is a slot with its score in a channel.
type Hit struct {
	Slot  uint32
	Score float32
}

// Order reports whether slot a comes before slot b if their scores are equal.
type Order func(a, b uint32) bool

// ByNumber orders slots by their numbers.
func ByNumber(a, b uint32) bool { return a < b }

// TopK keeps the k best offered hits, as a heap with the worst at the root.
type TopK struct {
	k     int
	Hits  []Hit
	order Order
}

// NewTopK keeps the k best hits; first orders equal scores.
func NewTopK(k int, first Order) *TopK {
	return &TopK{k: k, Hits: make([]Hit, 0, min(k, 256)), order: first}
}

// Full reports whether k hits are kept, so that another hit must beat the worst one.
func (t *TopK) Full() bool { return len(t.Hits) >= t.k && t.k > 0 }

// Lowest returns the score of the worst kept hit. It is meaningful only if Full.
func (t *TopK) Lowest() float32 { return t.Hits[0].Score }

// Threshold returns the score that another hit must reach: the lowest if Full, else 0.
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

// Offer adds a hit, if it is among the k best.
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
