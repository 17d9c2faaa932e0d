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
