package static

import (
	"errors"
	"fmt"
	"io"
)

// table holds the token vectors.
type table struct {
	dimension int
	rows      []float32 // row-major
	weights   []float64 // per token; nil: 1
	mapping   []int32   // row of each token; nil: the id
}

// vectorNames are the names of the vector tensor in model2vec and sentence-transformers.
var vectorNames = []string{"embeddings", "embedding.weight"}

// readTable reads the vectors and the optional weights and mapping.
func readTable(r io.ReaderAt, size int64) (*table, error) {
	file, err := openTensors(r, size)
	if err != nil {
		return nil, err
	}
	t := &table{}
	for _, name := range vectorNames {
		if x, there := file.named[name]; there {
			return t, t.read(file, name, x)
		}
	}
	return nil, errors.New(`has no tensor "embeddings"`)
}

func (t *table) read(file *tensors, name string, x tensor) error {
	if len(x.Shape) != 2 || x.Shape[0] < 1 || x.Shape[0] > maxTokens || x.Shape[1] < 1 || x.Shape[1] > maxDimension {
		return fmt.Errorf("tensor %q has shape %v; 1 to %d tokens by 1 to %d dimensions are supported", name, x.Shape, maxTokens, maxDimension)
	}
	t.dimension = int(x.Shape[1])
	t.rows = make([]float32, x.count())
	if err := file.each(x, func(i int64, v float64) { t.rows[i] = float32(v) }); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	if x, there := file.named["mapping"]; there {
		if err := t.readMapping(file, x); err != nil {
			return fmt.Errorf(`tensor "mapping": %w`, err)
		}
	}
	if x, there := file.named["weights"]; there {
		if x.count() != int64(t.tokens()) {
			return fmt.Errorf(`tensor "weights" has %d numbers for %d tokens`, x.count(), t.tokens())
		}
		t.weights = make([]float64, x.count())
		if err := file.each(x, func(i int64, v float64) { t.weights[i] = v }); err != nil {
			return fmt.Errorf(`tensor "weights": %w`, err)
		}
	}
	return nil
}

func (t *table) readMapping(file *tensors, x tensor) error {
	if n := x.count(); n < 1 || n > maxTokens {
		return fmt.Errorf("has %d tokens; 1 to %d are supported", n, maxTokens)
	}
	rows := len(t.rows) / t.dimension
	t.mapping = make([]int32, x.count())
	outside := int64(-1)
	err := file.each(x, func(i int64, v float64) {
		if v < 0 || v >= float64(rows) || v != float64(int32(v)) {
			outside = i
			return
		}
		t.mapping[i] = int32(v)
	})
	if err == nil && outside >= 0 {
		err = fmt.Errorf("token %d has no row among %d", outside, rows)
	}
	return err
}

// tokens returns the number of tokens with a vector.
func (t *table) tokens() int {
	if t.mapping != nil {
		return len(t.mapping)
	}
	return len(t.rows) / t.dimension
}

// add adds the vector of a token to sum.
func (t *table) add(sum []float64, id int32) {
	row := int(id)
	if t.mapping != nil {
		row = int(t.mapping[id])
	}
	v := t.rows[row*t.dimension : (row+1)*t.dimension]
	sum = sum[:len(v)]
	if t.weights == nil {
		for i, x := range v {
			sum[i] += float64(x)
		}
		return
	}
	w := t.weights[id]
	for i, x := range v {
		sum[i] += float64(w * float64(x)) // no fused multiply-add: the same bytes on every machine
	}
}
