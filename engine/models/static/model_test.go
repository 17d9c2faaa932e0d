package static

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// made is a model that a test makes.
type made struct {
	tokenizer map[string]any
	tensors   []madeTensor
}

type madeTensor struct {
	name, kind string
	shape      []int64
	values     []float64
}

// words is a WordPiece vocabulary with BERT's normalisation.
func words(tokens ...string) map[string]any {
	vocab := map[string]int{}
	for i, t := range tokens {
		vocab[t] = i
	}
	return map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 20, "vocab": vocab},
	}
}

// scored is a Unigram vocabulary with metaspace.
func scored(unknown int, tokens ...any) map[string]any {
	var vocab [][]any
	for i := 0; i < len(tokens); i += 2 {
		vocab = append(vocab, []any{tokens[i], tokens[i+1]})
	}
	return map[string]any{
		"pre_tokenizer": map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"model":         map[string]any{"type": "Unigram", "unk_id": unknown, "vocab": vocab},
	}
}

// embeddings is a tensor with one row for each token.
func embeddings(kind string, rows ...[]float64) madeTensor {
	t := madeTensor{name: "embeddings", kind: kind, shape: []int64{int64(len(rows)), int64(len(rows[0]))}}
	for _, r := range rows {
		t.values = append(t.values, r...)
	}
	return t
}

// bytes is the safetensors file.
func (m made) bytes(t testing.TB) []byte {
	t.Helper()
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for _, x := range m.tensors {
		from := len(data)
		for _, v := range x.values {
			data = appendNumber(data, x.kind, v)
		}
		header[x.name] = map[string]any{"dtype": x.kind, "shape": x.shape, "data_offsets": []int{from, len(data)}}
	}
	return withHeader(t, header, data)
}

func withHeader(t testing.TB, header any, data []byte) []byte {
	t.Helper()
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}

func appendNumber(b []byte, kind string, v float64) []byte {
	switch kind {
	case "F64":
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case "F32":
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	case "BF16":
		return binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(float32(v))>>16))
	case "F16": // v is the bit pattern
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case "I8":
		return append(b, byte(int8(v)))
	case "I32":
		return binary.LittleEndian.AppendUint32(b, uint32(int32(v)))
	}
	return binary.LittleEndian.AppendUint64(b, uint64(int64(v)))
}

// write puts the model into a directory.
func (m made) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	tokenizer, err := json.Marshal(m.tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{tensorFile: m.bytes(t), tokenizerFile: tokenizer} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (m made) open(t testing.TB) *Model {
	t.Helper()
	model, err := Open(m.write(t))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// tiny is a model of seven words in two dimensions: words about sailing on the first, words
// about growing on the second.
func tiny() made {
	return made{words("[PAD]", "[UNK]", "boat", "sail", "##ing", "garden", "plant"), []madeTensor{
		embeddings("F32", []float64{9, 9}, []float64{9, 9}, []float64{2, 0}, []float64{1, 0}, []float64{0, 0}, []float64{0, 3}, []float64{0, 1}),
	}}
}
