package hashed

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// The shares of the kinds of features, for a word of weight 1.
const (
	stemShare   = 1.0
	ngramShare  = 0.7 // of all n-grams of a word together
	bigramShare = 0.4
	shortest    = 3 // characters of an n-gram
	longest     = 5
)

// The seeds keep kinds of features apart.
const (
	seedStem   = 0x9e3779b97f4a7c15
	seedNgram  = 0xc2b2ae3d27d4eb4f
	seedBigram = 0x165667b19e3779f9
)

// term is a distinct word of a text.
type term struct {
	first  int     // where it stands first in scratch.words
	count  int     // how often
	hash   uint64  // of its stem
	weight float64 // prior
}

// scratch is the memory of one call; nothing of it outlives the call.
type scratch struct {
	bytes  []byte
	words  []word
	terms  []term
	of     []int32 // term of each word
	stem   []byte
	marked []byte
	edges  []int
	table  []int32 // terms by hash, open addressing, -1: free
}

// embed writes the unit vector of text to v, which is all zero.
func (s *scratch) embed(v []float32, text string) {
	s.split(text)
	s.count()
	for _, t := range s.terms {
		w := t.weight * (1 + math.Log(float64(t.count)))
		add(v, t.hash, w*stemShare)
		if word := s.words[t.first]; !word.ideograms {
			s.ngrams(v, s.bytes[word.from:word.to], w)
		}
	}
	s.bigrams(v)
	normalise(v)
}

// count finds the distinct words by their stems.
func (s *scratch) count() {
	s.terms, s.of = s.terms[:0], s.of[:0]
	size := 1 << bits.Len(uint(2*len(s.words)|15))
	if cap(s.table) < size {
		s.table = make([]int32, size)
	}
	s.table = s.table[:size]
	for i := range s.table {
		s.table[i] = -1
	}
	for i, w := range s.words {
		folded := s.bytes[w.from:w.to]
		s.stem = append(s.stem[:0], folded...)
		h := hash(seedStem, stem(s.stem))
		weight := w.prior(folded)
		slot := h & uint64(size-1)
		for s.table[slot] >= 0 && s.terms[s.table[slot]].hash != h {
			slot = (slot + 1) & uint64(size-1)
		}
		if s.table[slot] < 0 {
			s.table[slot] = int32(len(s.terms))
			s.terms = append(s.terms, term{first: i, hash: h})
		}
		t := &s.terms[s.table[slot]]
		t.count++
		t.weight = max(t.weight, weight)
		s.of = append(s.of, s.table[slot])
	}
}

// ngrams adds the n-grams of a folded word, which share w·ngramShare.
func (s *scratch) ngrams(v []float32, folded []byte, w float64) {
	s.marked = append(append(append(s.marked[:0], '<'), folded...), '>')
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

// bigrams adds the pairs of neighbouring content words, function words between them
// skipped.
func (s *scratch) bigrams(v []float32) {
	last := int32(-1)
	for _, i := range s.of {
		t := &s.terms[i]
		if t.weight <= functionWeight {
			continue
		}
		if last >= 0 && last != i {
			b := &s.terms[last]
			add(v, mix(seedBigram^b.hash+bits.RotateLeft64(t.hash, 31)), bigramShare*math.Sqrt(b.weight*t.weight))
		}
		last = i
	}
}

// add puts a feature where its hash says: the high bits choose the dimension, the
// lowest the sign.
func add(v []float32, h uint64, w float64) {
	i, _ := bits.Mul64(h, uint64(len(v)))
	if h&1 == 0 {
		w = -w
	}
	v[i] += float32(w)
}

// hash is FNV-1a with a last step that spreads every bit over the whole word.
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
