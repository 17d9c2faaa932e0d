package recess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// codebookRow is a codebook as a record of its ledger. Floats are float32 little-endian,
// without compression, since they do not compress.
type codebookRow struct {
	ID        []byte   `cbor:"1,keyasint"`
	Model     string   `cbor:"2,keyasint"`
	Dim       int      `cbor:"3,keyasint"`
	Mean      []byte   `cbor:"4,keyasint"`
	Axes      []byte   `cbor:"5,keyasint,omitempty"` // the kept ones
	Runs      []int    `cbor:"6,keyasint"`           // end of each subspace
	Centroids [][]byte `cbor:"7,keyasint"`
}

// diskSize is the approximate size of the codebook on disk, in each of the two copies.
func (c *codebook) diskSize() int64 {
	n := len(c.mean) + len(c.axes)
	for _, r := range c.subspaces {
		n += len(r.centroids)
	}
	return 4 * int64(n)
}

func (c *codebook) encodeRow() ([]byte, error) {
	row := codebookRow{ID: c.id[:], Model: c.model, Dim: c.dim, Mean: wire.FloatBytes(c.mean), Axes: wire.FloatBytes(c.axes)}
	for _, r := range c.subspaces {
		row.Runs, row.Centroids = append(row.Runs, r.to), append(row.Centroids, wire.FloatBytes(r.centroids))
	}
	return cborEncoder.Marshal(row)
}

func readCodebook(b []byte) (*codebook, error) {
	broken := fmt.Errorf("%w: a codebook", graph.ErrIntegrity)
	var row codebookRow
	if err := cborDecoder.Unmarshal(b, &row); err != nil || len(row.ID) != 16 || row.Dim < 1 || row.Dim > graph.MaxVector ||
		len(row.Mean) != 4*row.Dim || len(row.Runs) == 0 || len(row.Runs) != len(row.Centroids) {
		return nil, broken
	}
	c := &codebook{id: [16]byte(row.ID), model: row.Model, dim: row.Dim, mean: wire.Floats(row.Mean)}
	kept := row.Runs[len(row.Runs)-1]
	if len(row.Axes) > 0 {
		c.axes = wire.Floats(row.Axes)
	}
	if kept < 1 || kept > row.Dim || c.axes != nil && len(row.Axes) != 4*kept*row.Dim {
		return nil, broken
	}
	from := 0
	for i, to := range row.Runs {
		r := subspace{from: from, to: to, centroids: wire.Floats(row.Centroids[i])}
		if to <= from || len(r.centroids) == 0 || len(r.centroids)%(to-from) != 0 || len(r.centroids)/(to-from) > centroidsMax {
			return nil, broken
		}
		c.subspaces, from = append(c.subspaces, r), to
	}
	c.derive()
	return c, nil
}

// maxSample is the maximum number of vectors on which a codebook is trained.
const maxSample = 4096

// trainCodebooks makes a codebook for each space of the items that has none and now has enough
// dense vectors, that is, those that have no sparse code.
func (t *tenant) trainCodebooks(ctx context.Context, items []sealItem) error {
	waiting := map[vectorSpace][]sealItem{}
	for _, it := range items {
		if it.vectorSpace.dim > 0 && t.currentCodebooks[it.vectorSpace] == nil && codeBudget(it.vectorSpace.dim) > 0 {
			waiting[it.vectorSpace] = append(waiting[it.vectorSpace], it)
		}
	}
	for s, list := range waiting {
		if len(list)+t.sealedVectors(s) < t.recess.options.TrainAt {
			continue
		}
		sample, err := t.sampleVectors(ctx, s, list)
		if err != nil {
			return err
		}
		if len(sample) < min(t.recess.options.TrainAt, maxSample) {
			continue
		}
		var id [16]byte
		if _, err := io.ReadFull(t.recess.random, id[:]); err != nil {
			return fmt.Errorf("recess: randomness: %w", err)
		}
		c := trainCodebook(id, s, sample)
		if c == nil {
			continue
		}
		row, err := c.encodeRow()
		if err != nil {
			return err
		}
		if err := t.storeCodebook(row); err != nil {
			return err
		}
		t.mu.Lock()
		t.codebooks[c.id], t.currentCodebooks[s] = c, c
		t.mu.Unlock()
	}
	return nil
}

// storeCodebook writes a codebook, and all of them if an earlier write left the files in an
// unknown state.
func (t *tenant) storeCodebook(row []byte) error {
	if t.codebookLog.broken == nil {
		return t.codebookLog.append(row)
	}
	rows, err := t.codebookRows()
	if err != nil {
		return err
	}
	return t.codebookLog.rewrite(append(rows, row))
}

// sealedVectors counts the vectors of a space that are stored in files as float16: dense
// ones that were sealed before there was a codebook.
func (t *tenant) sealedVectors(s vectorSpace) (n int) {
	for _, f := range t.manifest.files {
		for _, v := range f.sizes.Vectors {
			if v.Model == s.model && v.Dim == s.dim && vectorForm(v.Form) == asFloat16 {
				n += v.Count
			}
		}
	}
	return n
}

// sampleVectors reads dense directions of a space, evenly spread over journal and files, the same
// ones each time. It skips damaged ones.
func (t *tenant) sampleVectors(ctx context.Context, s vectorSpace, list []sealItem) ([][]float32, error) {
	var out [][]float32
	take := func(v *vector) {
		if v.form != asFloat16 || v.vectorSpace() != s {
			return
		}
		if u, err := v.unitVector(nil); err == nil && encodeSparse(u) == nil {
			out = append(out, u)
		}
	}
	files := t.sealedVectors(s)
	step := max(1, (len(list)+files)/maxSample)
	slices.SortFunc(list, func(a, b sealItem) int { return cmp.Compare(a.seq, b.seq) })
	for i := 0; i < len(list) && len(out) < maxSample; i += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rec, err := t.readEntry(list[i].journalEntry)
		if errors.Is(err, graph.ErrIntegrity) {
			continue
		}
		if err != nil {
			return nil, err
		}
		take(&rec.vector)
	}
	if files == 0 {
		return out, nil
	}
	for _, f := range t.manifest.sortedFiles() {
		p, err := t.fileVectors(ctx, f)
		if errors.Is(err, graph.ErrIntegrity) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(p.vectors) && len(out) < maxSample; i += step {
			take(&p.vectors[i])
		}
	}
	return out, nil
}

// quantise converts a vector of the journal to its form in a file: sparse if possible, by the
// codebook of its space if there is one, else unchanged.
func (t *tenant) quantise(v *vector) {
	if v.form != asFloat16 {
		return
	}
	unit, err := v.unitVector(nil)
	if err != nil {
		return
	}
	if code := encodeSparse(unit); code != nil {
		v.form, v.code = sparse, code
		return
	}
	t.mu.RLock()
	c := t.currentCodebooks[v.vectorSpace()]
	t.mu.RUnlock()
	if c != nil {
		v.form, v.code, v.codebookID = quantised, c.encode(unit), c.id
	}
}
