package recess

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/x448/float16"

	"github.com/somnograph/somnograph/graph"
)

// vectorForm is the stored form of a vector.
type vectorForm int

const (
	noVector  vectorForm = 0
	asFloat16 vectorForm = 1 // 2 bytes a dimension, little-endian
	quantised vectorForm = 2 // by a codebook
	sparse    vectorForm = 3 // see encodeSparse; no codebook
)

// vector is a direction of length 1 in a stored form, and its original length.
type vector struct {
	form       vectorForm
	model      string
	dim        int
	codebookID [16]byte // of a quantised one
	code       []byte
	norm       float32
}

// vectorOf converts a given vector. A vector that is empty gives no vector.
func vectorOf(model string, v []float32) (vector, error) {
	if len(v) == 0 {
		return vector{}, nil
	}
	if len(v) > graph.MaxVector {
		return vector{}, graph.FieldError(graph.CodeLimitExceeded, "vector", "has %d dimensions, more than %d", len(v), graph.MaxVector)
	}
	norm := euclideanNorm(v)
	if !allFinite(v) || math.IsInf(float64(norm), 0) {
		return vector{}, graph.FieldError(graph.CodeInvalidRequest, "vector", "must hold finite numbers")
	}
	if norm == 0 {
		return vector{}, graph.FieldError(graph.CodeInvalidRequest, "vector", "must not be all zeros")
	}
	x := vector{form: asFloat16, model: model, dim: len(v), norm: norm, code: make([]byte, 0, 2*len(v))}
	for _, f := range v {
		x.code = binary.LittleEndian.AppendUint16(x.code, float16.Fromfloat32(f/norm).Bits())
	}
	return x, nil
}

func euclideanNorm(v []float32) float32 {
	s := 0.0
	for _, f := range v {
		s += float64(f) * float64(f)
	}
	return float32(math.Sqrt(s))
}

// unitVector is the direction in float32.
func (x *vector) unitVector(c *codebook) ([]float32, error) {
	out := make([]float32, x.dim)
	switch x.form {
	case noVector:
		return nil, nil
	case asFloat16:
		if len(x.code) != 2*x.dim {
			return nil, fmt.Errorf("a vector of %d bytes for %d dimensions", len(x.code), x.dim)
		}
		for i := range out {
			out[i] = float16.Frombits(binary.LittleEndian.Uint16(x.code[2*i:])).Float32()
		}
		return out, nil
	case sparse:
		if !sparseValues(x.code, x.dim, func(i int, f float32) { out[i] = f }) {
			return nil, fmt.Errorf("a sparse vector of the wrong length")
		}
		return out, nil
	case quantised:
		if c == nil || c.id != x.codebookID || c.dim != x.dim || len(x.code) != c.codeSize() {
			return nil, fmt.Errorf("a quantised vector without its codebook")
		}
		c.decode(x.code, out)
		return out, nil
	}
	return nil, fmt.Errorf("a vector of the unknown form %d", x.form)
}

// inverseNorm is one over the length of the stored vector, which turns an inner product with
// it into a cosine; 0 if the vector can't be read.
func (x *vector) inverseNorm(c *codebook) float32 {
	if x.form == quantised {
		if c == nil || c.dim != x.dim || len(x.code) != c.codeSize() {
			return 0
		}
		return c.inverseNorm(x.code)
	}
	v, err := x.unitVector(c)
	if n := euclideanNorm(v); err == nil && n > 0 {
		return 1 / n
	}
	return 0
}

// decode is the original vector, except for the error of the form; nil for none.
func (x *vector) decode(c *codebook) ([]float32, error) {
	v, err := x.unitVector(c)
	for i := range v {
		v[i] *= x.norm
	}
	return v, err
}

// vectorSpace is a set of comparable vectors: one model, one length. Vectors of a space share
// a codebook.
type vectorSpace struct {
	model string
	dim   int
}

func (x *vector) vectorSpace() vectorSpace { return vectorSpace{x.model, x.dim} }

// halves is every float16 as a float32, by its bits.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	var t [1 << 16]float32
	for i := range t {
		t[i] = float16.Frombits(uint16(i)).Float32()
	}
	return &t
})

// dotHalf is the inner product of q and a vector of float16, of the same length.
func dotHalf(q []float32, code []byte) float32 {
	t := halves()
	code = code[:2*len(q)]
	var s0, s1 float32
	i := 0
	for ; i+1 < len(q); i += 2 {
		s0 += q[i] * t[binary.LittleEndian.Uint16(code[2*i:])]
		s1 += q[i+1] * t[binary.LittleEndian.Uint16(code[2*i+2:])]
	}
	if i < len(q) {
		s0 += q[i] * t[binary.LittleEndian.Uint16(code[2*i:])]
	}
	return s0 + s1
}
