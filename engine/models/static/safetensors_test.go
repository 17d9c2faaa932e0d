package static

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestNumbersOfEveryType(t *testing.T) {
	for kind, c := range map[string]struct{ in, want []float64 }{
		"F64":  {[]float64{1.5, -1e-3}, []float64{1.5, -1e-3}},
		"F32":  {[]float64{1.5, -0.25}, []float64{1.5, -0.25}},
		"BF16": {[]float64{1.5, -0.25}, []float64{1.5, -0.25}},
		// 1, −2, the largest, the smallest, the largest subnormal, −0.
		"F16": {[]float64{0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x8000}, []float64{1, -2, 65504, math.Ldexp(1, -24), math.Ldexp(1023, -24), 0}},
		"I8":  {[]float64{127, -128}, []float64{127, -128}},
		"I32": {[]float64{1 << 20, -3}, []float64{1 << 20, -3}},
		"I64": {[]float64{1 << 40, -3}, []float64{1 << 40, -3}},
	} {
		data := made{tensors: []madeTensor{{"x", kind, []int64{int64(len(c.in))}, c.in}}}.bytes(t)
		file, err := openTensors(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(c.in))
		if err := file.each(file.named["x"], func(i int64, v float64) { got[i] = v }); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: number %d is %v, want %v", kind, i, got[i], c.want[i])
			}
		}
	}
}

func TestTableLargerThanBuffer(t *testing.T) {
	rows := make([][]float64, 5000)
	for i := range rows {
		rows[i] = []float64{float64(i), -1, 0.5}
	}
	data := made{tensors: []madeTensor{embeddings("F32", rows...)}}.bytes(t)
	table, err := readTable(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if table.rows[3*i] != float32(i) || table.rows[3*i+2] != 0.5 {
			t.Fatalf("row %d is %v", i, table.rows[3*i:3*i+3])
		}
	}
}

func TestInvalidTablesAreRefused(t *testing.T) {
	row := embeddings("F32", []float64{1, 2}, []float64{3, 4})
	type m = map[string]any
	at := func(kind string, shape, offsets []int64) m {
		return m{"embeddings": m{"dtype": kind, "shape": shape, "data_offsets": offsets}}
	}
	four := make([]byte, 16)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":             {nil, "too short"},
		"a header of 2^63":    {[]byte{0, 0, 0, 0, 0, 0, 0, 0x80}, "header"},
		"a header cut off":    {[]byte{9, 0, 0, 0, 0, 0, 0, 0, '{'}, "header"},
		"a header of letters": {append([]byte{2, 0, 0, 0, 0, 0, 0, 0}, "hi"...), "JSON"},
		"no table":            {made{tensors: []madeTensor{{"other", "F32", []int64{1}, []float64{1}}}}.bytes(t), "embeddings"},
		"another type":        {withHeader(t, at("U4", []int64{2, 2}, []int64{0, 16}), four), `"U4"`},
		"beyond the end":      {withHeader(t, at("F32", []int64{2, 2}, []int64{4, 20}), four), "has the offsets"},
		"before the start":    {withHeader(t, at("F32", []int64{2, 2}, []int64{-16, 0}), four), "has the offsets"},
		"from end to start":   {withHeader(t, at("F32", []int64{0, 2}, []int64{16, 0}), four), "has the offsets"},
		"a shape too large":   {withHeader(t, at("F32", []int64{1 << 40, 1 << 40}, []int64{0, 16}), four), "does not fit"},
		"a shape below 0":     {withHeader(t, at("F32", []int64{-2, -2}, []int64{0, 16}), four), "does not fit"},
		"a list":              {withHeader(t, at("F32", []int64{4}, []int64{0, 16}), four), "shape"},
		"no rows":             {withHeader(t, at("F32", []int64{0, 4}, []int64{0, 0}), four), "shape"},
		"not a number":        {made{tensors: []madeTensor{embeddings("F32", []float64{1, math.NaN()})}}.bytes(t), "finite"},
		"no end":              {made{tensors: []madeTensor{embeddings("F16", []float64{0x3c00, 0xfc00})}}.bytes(t), "finite"},
		"weights too few":     {made{tensors: []madeTensor{row, {"weights", "F32", []int64{1}, []float64{1}}}}.bytes(t), "weights"},
		"a row that is none":  {made{tensors: []madeTensor{row, {"mapping", "I32", []int64{3}, []float64{0, 1, 2}}}}.bytes(t), "token 2"},
		"half a row":          {made{tensors: []madeTensor{row, {"mapping", "F32", []int64{1}, []float64{0.5}}}}.bytes(t), "token 0"},
		"no mapping":          {made{tensors: []madeTensor{row, {"mapping", "I32", []int64{0}, nil}}}.bytes(t), "mapping"},
	} {
		if _, err := readTable(bytes.NewReader(c.data), int64(len(c.data))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

// failing fails after its first bytes.
type failing struct{ good *bytes.Reader }

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at >= f.good.Size() {
		return 0, io.ErrUnexpectedEOF
	}
	return f.good.ReadAt(p, at)
}

func TestTruncatedFileIsRefused(t *testing.T) {
	data := made{tensors: []madeTensor{embeddings("F32", []float64{1, 2})}}.bytes(t)
	short := failing{bytes.NewReader(data[:len(data)-8])}
	if _, err := readTable(short, int64(len(data))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// FuzzTable reads arbitrary data as a table: either it is rejected, or every token has a
// finite row.
func FuzzTable(f *testing.F) {
	f.Add(tiny().bytes(f))
	f.Add(made{tensors: []madeTensor{
		embeddings("I8", []float64{1, 2}), {"mapping", "I64", []int64{2}, []float64{0, 0}}, {"weights", "F16", []int64{2}, []float64{0x3c00, 0x3c00}},
	}}.bytes(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := readTable(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		sum := make([]float64, table.dimension)
		for id := range table.tokens() {
			table.add(sum, int32(id))
		}
		for _, x := range sum {
			if math.IsNaN(x) {
				t.Fatalf("%v", sum)
			}
		}
	})
}
