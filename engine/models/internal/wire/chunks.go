package wire

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/models"
)

// ChunkSize is the number of texts per call: the default maximum of Text Embeddings Inference.
const ChunkSize = 32

// MaxText is the limit of an embedded text in bytes; the rest is cut. Models read some
// hundreds to 8,192 tokens, and some reject longer texts instead of cutting them.
const MaxText = 16 << 10

// Prefixes are prepended to texts for models that distinguish queries from passages.
type Prefixes struct{ Query, Passage string }

// Of returns the prefix of a kind.
func (p Prefixes) Of(kind models.Kind) string {
	if kind == models.Query {
		return p.Query
	}
	return p.Passage
}

// Chunks embeds texts in calls of at most ChunkSize and returns the vectors in order. Blank
// texts are not sent and get zero vectors. Dimension 0 accepts any. call returns one vector
// for each of its texts.
func Chunks(ctx context.Context, texts []string, prefix string, dimension int, call func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	out := make([][]float32, len(texts))
	send, at := make([]string, 0, len(texts)), make([]int, 0, len(texts))
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			out[i] = make([]float32, dimension)
			continue
		}
		send, at = append(send, Begin(prefix+text, MaxText)), append(at, i)
	}
	for from := 0; from < len(send); from += ChunkSize {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		chunk := send[from:min(from+ChunkSize, len(send))]
		vectors, err := call(ctx, chunk)
		if err != nil {
			return nil, err
		}
		want := dimension
		if want == 0 && len(vectors) > 0 {
			want = len(vectors[0])
		}
		if err := models.Unit(vectors, len(chunk), want); err != nil {
			return nil, err
		}
		for i, v := range vectors {
			out[at[from+i]] = v
		}
	}
	return out, nil
}

// Embedder embeds texts with the calls of an adapter, in calls of ChunkSize texts. It is safe for
// concurrent use.
type Embedder struct {
	name      string
	dimension int
	prefixes  Prefixes
	http      *Client
	call      func(context.Context, []string) ([][]float32, error)
}

// NewEmbedder makes an Embedder. With dimension 0 it makes one call to learn the dimension.
func NewEmbedder(ctx context.Context, protocol, model string, dimension int, p Prefixes, http *Client, call func(context.Context, []string) ([][]float32, error)) (*Embedder, error) {
	e := &Embedder{dimension: dimension, prefixes: p, http: http, call: call}
	if dimension == 0 {
		vectors, err := e.Embed(ctx, []string{"dimension"}, models.Passage)
		if err != nil {
			return nil, err
		}
		e.dimension = len(vectors[0])
	}
	e.name = Name(protocol, model, e.dimension, p)
	return e, nil
}

// Name returns the name of the model with the dimension.
func (e *Embedder) Name() string { return e.name }

// Dimension returns the length of the vectors.
func (e *Embedder) Dimension() int { return e.dimension }

// Close closes idle connections.
func (e *Embedder) Close() error {
	e.http.CloseIdle()
	return nil
}

// Embed embeds texts. It cuts texts at MaxText. Blank texts get zero vectors.
func (e *Embedder) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	return Chunks(ctx, texts, e.prefixes.Of(kind), e.dimension, e.call)
}

// Begin returns at most the first n bytes of a text, cut at a character boundary, as valid
// UTF-8.
func Begin(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
