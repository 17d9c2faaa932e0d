package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Limits of a safetensors file. The file consists of the header's length (8 bytes,
// little-endian), the header (JSON: name of each tensor to type, shape and offsets), and the
// tensors' data (little-endian, row-major) (https://github.com/huggingface/safetensors,
// "Format").
const (
	maxHeader    = 1 << 20 // bytes
	maxTokens    = 4 << 20
	maxDimension = 4096 // limit of the stores
)

// tensor is the header entry of one tensor.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // in the data section, end exclusive
}

// sizes are the bytes per number of each supported type.
var sizes = map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I32": 4, "I64": 8}

// tensors is an open file.
type tensors struct {
	r     io.ReaderAt
	from  int64 // offset of the data section
	named map[string]tensor
}

// openTensors reads the header. It returns an error unless every tensor lies inside the file
// and has the length of its shape.
func openTensors(r io.ReaderAt, size int64) (*tensors, error) {
	var head [8]byte
	if size < int64(len(head)) {
		return nil, errors.New("is too short for a header")
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(head[:])
	if length > maxHeader || int64(length) > size-int64(len(head)) {
		return nil, fmt.Errorf("its header would have %d bytes", length)
	}
	header := make([]byte, length)
	if _, err := r.ReadAt(header, int64(len(head))); err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("its header is not a JSON object: %w", err)
	}
	t := &tensors{r: r, from: int64(len(head)) + int64(length), named: map[string]tensor{}}
	for name, data := range raw {
		if name == "__metadata__" {
			continue
		}
		var x tensor
		if err := json.Unmarshal(data, &x); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if err := x.check(size - t.from); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		t.named[name] = x
	}
	return t, nil
}

// check validates type, shape and offsets. data is the length of the data section in bytes.
func (x tensor) check(data int64) error {
	n, known := sizes[x.Type]
	if !known {
		return fmt.Errorf("has numbers of type %q; F64, F32, F16, BF16, I8, I32 and I64 are supported", x.Type)
	}
	for _, d := range x.Shape {
		if d < 0 || d > 0 && n > data/d {
			return fmt.Errorf("its shape %v does not fit into %d bytes", x.Shape, data)
		}
		n *= d
	}
	if x.Offsets[0] < 0 || x.Offsets[1] > data || x.Offsets[1]-x.Offsets[0] != n {
		return fmt.Errorf("has the offsets %v, but must have %d bytes within %d", x.Offsets, n, data)
	}
	return nil
}

// count returns the number of elements.
func (x tensor) count() int64 { return (x.Offsets[1] - x.Offsets[0]) / sizes[x.Type] }

// each calls put with the elements of a tensor in order. It reads the file in small blocks and
// returns an error for a number that is not finite.
func (t *tensors) each(x tensor, put func(i int64, v float64)) error {
	width := sizes[x.Type]
	buffer := make([]byte, 8<<10*width)
	i := int64(0)
	for at := x.Offsets[0]; at < x.Offsets[1]; at += int64(len(buffer)) {
		buffer = buffer[:min(int64(len(buffer)), x.Offsets[1]-at)]
		if _, err := t.r.ReadAt(buffer, t.from+at); err != nil {
			return err
		}
		for b := buffer; len(b) > 0; b = b[width:] {
			v := number(x.Type, b)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("number %d is not finite", i)
			}
			put(i, v)
			i++
		}
	}
	return nil
}

// number decodes one element.
func number(kind string, b []byte) float64 {
	switch kind {
	case "F64":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "F32":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "BF16": // the upper half of a float32
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "F16":
		return half(binary.LittleEndian.Uint16(b))
	case "I8":
		return float64(int8(b[0]))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	}
	return float64(int64(binary.LittleEndian.Uint64(b)))
}

// half decodes an IEEE 754-2008 binary16 number.
func half(h uint16) float64 {
	sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&0x1f), float64(h&0x3ff)
	switch exponent {
	case 0: // subnormal
		return sign * math.Ldexp(fraction, -24)
	case 0x1f:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(fraction+1024, exponent-25)
}
