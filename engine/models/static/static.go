package static

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
)

// File names and limits.
const (
	tensorFile    = "model.safetensors"
	tokenizerFile = "tokenizer.json"
	maxTokenizer  = 256 << 20 // bytes of tokenizer.json
)

// Model is a static embedding model in memory. It is safe for concurrent use.
type Model struct {
	name    string
	table   *table
	tokens  *tokenizer
	scratch sync.Pool // *scratch
}

// scratch holds the reusable buffers of one call.
type scratch struct {
	ids []int32
	sum []float64
}

var _ models.Embedder = (*Model)(nil)

// Open reads the model in a directory. The error names the invalid file and the reason.
func Open(dir string) (*Model, error) {
	sum := sha256.New()
	var t *table
	err := open(filepath.Join(dir, tensorFile), func(f *os.File, size int64) (err error) {
		if t, err = readTable(f, size); err != nil {
			return err
		}
		_, err = io.Copy(sum, io.NewSectionReader(f, 0, size))
		return err
	})
	if err != nil {
		return nil, err
	}
	var tk *tokenizer
	err = open(filepath.Join(dir, tokenizerFile), func(f *os.File, size int64) error {
		if size > maxTokenizer {
			return fmt.Errorf("has %d bytes, more than %d", size, maxTokenizer)
		}
		data, err := io.ReadAll(io.LimitReader(f, maxTokenizer))
		if err != nil {
			return err
		}
		sum.Write(data)
		tk, err = readTokenizer(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if tk.highest >= t.tokens() {
		return nil, fmt.Errorf("models: the vocabulary of %s goes up to %d, but %s holds %d tokens", tokenizerFile, tk.highest, tensorFile, t.tokens())
	}
	name := fmt.Sprintf("static-%d-%s", t.dimension, hex.EncodeToString(sum.Sum(nil)[:6]))
	return &Model{name: name, table: t, tokens: tk, scratch: sync.Pool{New: func() any {
		return &scratch{sum: make([]float64, t.dimension)}
	}}}, nil
}

// open passes a regular file to read and prefixes errors with its path.
func open(path string, read func(f *os.File, size int64) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("models: the static model can't be opened: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("is not a file")
	}
	if err == nil {
		err = read(f, info.Size())
	}
	if err != nil {
		return fmt.Errorf("models: %s: %w", path, err)
	}
	return nil
}

// Name consists of the dimension and a digest of the files. A changed model has another name;
// its directory does not matter.
func (m *Model) Name() string { return m.name }

// Dimension returns the length of the vectors.
func (m *Model) Dimension() int { return m.table.dimension }

// Embed returns the mean of each text's token vectors, scaled to unit length. Tokens outside
// the vocabulary are ignored; a text without known tokens gives a zero vector. Texts are read
// in full, and queries and passages are embedded the same way. The only error is that of ctx.
func (m *Model) Embed(ctx context.Context, texts []string, _ models.Kind) ([][]float32, error) {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	out := make([][]float32, len(texts))
	all := make([]float32, len(texts)*m.table.dimension)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := m.table.dimension
		out[i] = all[i*d : (i+1)*d : (i+1)*d]
		m.embed(s, out[i], text)
	}
	return out, nil
}

// embed writes the unit vector of a text to v, which must be zero.
func (m *Model) embed(s *scratch, v []float32, text string) {
	s.ids = m.tokens.encode(s.ids[:0], text)
	clear(s.sum)
	for _, id := range s.ids {
		m.table.add(s.sum, id)
	}
	square := 0.0
	for _, x := range s.sum {
		square += float64(x * x) // the conversion prevents fused multiply-add
	}
	if square == 0 {
		return
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range s.sum {
		v[i] = float32(x * scale)
	}
}
