// Package hashed is the embedding model that is built in: it needs no download, no
// network and no training, and gives the same vector for the same text on every
// machine.
//
// A text becomes a bag of features, each hashed to one dimension and a sign
// (Weinberger et al., "Feature hashing for large scale multitask learning", 2009):
//
//	stems      words after folding and light stemming: what the text is about
//	n-grams    3 or 4 characters inside a word, edges marked: typos, compounds, inflections
//	skeletons  the consonants of a word: slips among the vowels
//	bigrams    pairs of content words in order: phrases and a little word order
//
// A word weighs by how often it stands in the text (1+ln tf) and by a guess at how
// rare it is in the language at large, made from a short list of common words and
// from its shape; there are no statistics of a corpus behind a stored vector. Those of
// the store come in with the question: EmbedWeighted.
package hashed

import (
	"context"
	"math"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
)

// Dimension is the length of the vectors.
const Dimension = 512

// name changes whenever the vectors do.
const name = "hashed-ngram-v1-512"

// Model is the built-in embedder. It is safe for concurrent use.
type Model struct {
	scratch sync.Pool
}

var _ models.Weigher = (*Model)(nil)

// New makes a Model; all of them answer alike.
func New() *Model {
	return &Model{scratch: sync.Pool{New: func() any { return new(scratch) }}}
}

// Name is the name of the recipe, its version and the dimension.
func (*Model) Name() string { return name }

// Dimension is that of the vectors.
func (*Model) Dimension() int { return Dimension }

// Embed makes one vector of unit length for each text; a text without a letter, a
// digit or a sign gives zeros. Queries and passages are treated alike. The only
// error is that of ctx.
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

// EmbedWeighted is Embed for a question whose content words weigh what weight says
// instead of what the recipe guesses. The only error is that of ctx.
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

// normalise brings v to unit length; zeros stay zeros.
func normalise(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x)) // the conversion keeps processors from fusing the two
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
}
