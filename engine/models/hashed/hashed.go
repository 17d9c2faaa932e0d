// Package hashed is the built-in embedding model. It needs no download, no network and no
// training, and returns the same vector for the same text on every machine.
//
// A text is a bag of features. Each feature is hashed to a dimension and a sign (Weinberger et
// al., "Feature hashing for large scale multitask learning", 2009):
//
//	stems      words after folding and light stemming: the subject of the text
//	n-grams    3 or 4 characters inside a word, edges marked: typos, compounds, inflections
//	skeletons  the consonants of a word: typos in the vowels
//	bigrams    pairs of content words in order: phrases and some word order
//
// The weight of a word is its term frequency (1+ln tf) times a prior for its rarity in the
// language. The prior comes from a short list of common words and from the word's shape.
// Stored vectors use no corpus statistics; EmbedWeighted applies those of the store to the
// query.
package hashed

import (
	"context"
	"math"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
)

// Dimension is the length of the vectors.
const Dimension = 512

// name must change with every change of the vectors.
const name = "hashed-ngram-v1-512"

// Model is the built-in embedder. It is safe for concurrent use.
type Model struct {
	scratch sync.Pool
}

var _ models.Weigher = (*Model)(nil)

// New makes a Model. All Models return the same vectors.
func New() *Model {
	return &Model{scratch: sync.Pool{New: func() any { return new(scratch) }}}
}

// Name returns the model's name, version and dimension.
func (*Model) Name() string { return name }

// Dimension returns the length of the vectors.
func (*Model) Dimension() int { return Dimension }

// Embed returns a unit vector for each text. A text without a letter, a digit or a symbol gets
// a zero vector. Queries and passages are embedded the same way. The only error is that of
// ctx.
func (m *Model) Embed(ctx context.Context, texts []string, _ models.Kind) ([][]float32, error) {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	out := make([][]float32, len(texts))
	all := make([]float32, len(texts)*Dimension)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := all[i*Dimension : (i+1)*Dimension : (i+1)*Dimension]
		s.embed(v, text)
		out[i] = v
	}
	return out, nil
}

// EmbedWeighted is Embed for a query, with weight instead of the prior for its content words.
// The only error is that of ctx.
func (m *Model) EmbedWeighted(ctx context.Context, text string, weight func(word string) (float64, bool)) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.weight = weight
	defer func() { s.weight = nil }()
	v := make([]float32, Dimension)
	s.embed(v, text)
	return v, nil
}

// normalise scales v to unit length. A zero vector stays zero.
func normalise(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x)) // the conversion prevents fused multiply-add
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
}
