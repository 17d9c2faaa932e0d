package wire

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/models"
)

// ChunkSize is how many texts go into one call. It is the most that a Text Embeddings
// Inference server takes by default.
const ChunkSize = 32

// MaxText is the bytes of a text that are embedded; the rest is left out. Models read
// some hundreds to 8,192 tokens, and some refuse more instead of cutting it.
const MaxText = 16 << 10

// Prefixes stand in front of texts for models that tell queries from passages.
type Prefixes struct{ Query, Passage string }

// Of is the prefix for a kind.
func (p Prefixes) Of(kind models.Kind) string {
	if kind == models.Query {
		return p.Query
	}
	return p.Passage
}

// Chunks embeds texts by calls of at most ChunkSize and puts the vectors in order. A
// blank text is not sent and gets zeros. With dimension 0 any is taken. call answers
// one vector for each of its texts.
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

// Begin is at most the first n bytes of a text, cut at a character's edge, as valid UTF-8.
func Begin(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
