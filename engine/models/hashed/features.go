package hashed

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// Shares of the kinds of features, for a word of weight 1.
const (
	stemShare     = 1.0
	ngramShare    = 0.7 // all n-grams of a word together
	bigramShare   = 0.4
	shortest      = 3 // minimum characters of an n-gram
	longest       = 4
	skeletonShare = 0.4
	leastSkeleton = 3 // minimum letters of a skeleton
)

// Hash seeds, one per kind of feature.
const (
	seedStem     = 0x9e3779b97f4a7c15
	seedNgram    = 0xc2b2ae3d27d4eb4f
	seedBigram   = 0x165667b19e3779f9
	seedSkeleton = 0x27d4eb2f165667c5
)

// scratch holds the reusable buffers of one call.
type scratch struct {
	bytes  []byte // the folded words
	words  []word
	terms  tally   // words by stem
	pairs  tally   // pairs of adjacent words
	of     []int32 // term index of each word
	stem   []byte
	marked []byte
	edges  []int
	weight func(word string) (float64, bool) // weight of a content word; nil: the prior
}

// embed writes the unit vector of text to v, which must be zero.
func (s *scratch) embed(v []float32, text string) {
	s.split(text)
	s.count()
	for _, t := range s.terms.items {
		w := t.total()
		add(v, t.hash, w*stemShare)
		if word := s.words[t.first]; !word.ideograms && t.weight > functionWeight {
			s.ngrams(v, s.bytes[word.from:word.to], w)
			s.skeleton(v, s.bytes[word.from:word.to], w)
		}
	}
	for _, p := range s.pairs.items {
		add(v, p.hash, p.total())
	}
	normalise(v)
}

// count collects the distinct words by stem, and the distinct pairs of adjacent content words.
// Function words between them are skipped.
func (s *scratch) count() {
	s.of = s.of[:0]
	s.terms.reset(len(s.words))
	for i, w := range s.words {
		folded := s.bytes[w.from:w.to]
		s.stem = append(s.stem[:0], folded...)
		s.of = append(s.of, s.terms.add(hash(seedStem, stem(s.stem)), i, s.weigh(w, folded)))
	}
	s.pairs.reset(len(s.words))
	last := int32(-1)
	for i, this := range s.of {
		t := &s.terms.items[this]
		if t.weight <= functionWeight {
			continue
		}
		if last >= 0 && last != this {
			before := &s.terms.items[last]
			h := mix(seedBigram ^ before.hash + bits.RotateLeft64(t.hash, 31))
			s.pairs.add(h, i, bigramShare*math.Sqrt(before.weight*t.weight))
		}
		last = this
	}
}

// weigh returns the weight of a word. Function words always keep their prior.
func (s *scratch) weigh(w word, folded []byte) float64 {
	prior := w.prior(folded)
	if s.weight == nil || prior <= functionWeight {
		return prior
	}
	if told, known := s.weight(string(folded)); known {
		return told
	}
	return prior
}

// skeleton adds the consonants of a folded word, with runs of one letter collapsed. Typos in
// the vowels do not change it.
func (s *scratch) skeleton(v []float32, folded []byte, w float64) {
	s.marked = s.marked[:0]
	for i, c := range folded {
		if n := len(s.marked); i > 0 && vowel(c) || n > 0 && s.marked[n-1] == c {
			continue
		}
		s.marked = append(s.marked, c)
	}
	if len(s.marked) >= leastSkeleton {
		add(v, hash(seedSkeleton, s.marked), w*skeletonShare)
	}
}

// ngrams adds the n-grams of a folded word with a total weight of w·ngramShare. Double letters
// count as one, because doubling is the most frequent spelling error.
func (s *scratch) ngrams(v []float32, folded []byte, w float64) {
	s.marked = append(s.marked[:0], '<')
	for _, c := range folded {
		if c != s.marked[len(s.marked)-1] || c < 'a' || c > 'z' {
			s.marked = append(s.marked, c)
		}
	}
	s.marked = append(s.marked, '>')
	s.edges = s.edges[:0]
	for i := 0; i < len(s.marked); {
		s.edges = append(s.edges, i)
		_, size := utf8.DecodeRune(s.marked[i:])
		i += size
	}
	s.edges = append(s.edges, len(s.marked))
	chars, n := len(s.edges)-1, 0
	for size := shortest; size <= longest && size <= chars; size++ {
		n += chars - size + 1
	}
	if n == 0 {
		return
	}
	share := w * ngramShare / math.Sqrt(float64(n))
	for size := shortest; size <= longest && size <= chars; size++ {
		for i := 0; i+size <= chars; i++ {
			add(v, hash(seedNgram, s.marked[s.edges[i]:s.edges[i+size]]), share)
		}
	}
}

// add adds a feature at the position of its hash: the high bits select the dimension, the
// lowest bit the sign.
func add(v []float32, h uint64, w float64) {
	i, _ := bits.Mul64(h, uint64(len(v)))
	if h&1 == 0 {
		w = -w
	}
	v[i] += float32(w)
}

// hash is FNV-1a with a finaliser for the distribution of the bits.
func hash(seed uint64, b []byte) uint64 {
	h := seed
	for _, c := range b {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return mix(h)
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
