package recess

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/somnograph/somnograph/graph"
)

// openedFile is what was read of a file. It is dropped when the blob changes.
type openedFile struct {
	mu      sync.Mutex
	info    BlobInfo
	chunks  *chunkReader
	parquet *parquet.File // nil: not open
	starts  []int64       // first row of each row group
}

// segmentKey is the key of a decoded segment in the cache.
type segmentKey struct {
	file  [16]byte
	first uint32
}

// errGone is returned if a file is no longer part of the manifest: look the id up again.
var errGone = errors.New("recess: the file was replaced")

// recoverParquet runs code that lets a Parquet reader parse bytes: a panic of it means damage.
func recoverParquet(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damageError("the Parquet reader panicked: %v", p)
		}
	}()
	return fn()
}

// blobError classifies a failure of the storage: a missing or too short object is damage,
// anything else is an outage.
func blobError(err error) error {
	switch {
	case err == nil, errors.Is(err, graph.ErrIntegrity), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, ErrNoBlob):
		return damageError("the file is missing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return damageError("the file is cut short")
	}
	return fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
}

// withFile opens the file if necessary and runs fn with it. It detects a blob that changed
// since it was opened. It serialises reads of one file.
func (t *tenant) withFile(ctx context.Context, f *sealedFile, fn func(*openedFile) error) error {
	o := &f.openedFile
	o.mu.Lock()
	defer o.mu.Unlock()
	info, err := t.recess.blob.Stat(ctx, f.name)
	if err != nil {
		o.reset(t.recess, f)
		return blobError(err)
	}
	if o.parquet == nil || info != o.info {
		o.reset(t.recess, f)
		if err := t.openFile(ctx, f, info); err != nil {
			return err
		}
	}
	o.chunks.from = func(p []byte, offset int64) error { return t.recess.blob.ReadRange(ctx, f.name, p, offset) }
	err = recoverParquet(func() error { return fn(o) })
	if hidden := o.chunks.err; hidden != nil {
		o.chunks.err = nil
		err = blobError(hidden)
	}
	if err != nil {
		o.reset(t.recess, f)
	}
	return err
}

// reset drops what was read of the file.
func (o *openedFile) reset(r *Recess, f *sealedFile) {
	o.parquet, o.chunks, o.starts, o.info = nil, nil, nil, BlobInfo{}
	f.vectors.Store(nil)
	for i := 0; i < f.rowCount(); i++ {
		if e := f.engravingAt(i); int(e.first) == i {
			r.cache.Remove(segmentKey{f.id, e.first})
		}
	}
}

// openFile reads header and footer.
func (t *tenant) openFile(ctx context.Context, f *sealedFile, info BlobInfo) error {
	if info.Size != f.size {
		return damageError("the file has %d bytes instead of %d", info.Size, f.size)
	}
	k := t.keys.get(f.key)
	if k == nil {
		return t.missingKeyError(f, "the key of the file is not in the key ring")
	}
	size, chunks, err := plainSize(info.Size)
	if err != nil {
		return err
	}
	header := make([]byte, fileHeader)
	if err := t.recess.blob.ReadRange(ctx, f.name, header, 0); err != nil {
		return blobError(err)
	}
	if !bytes.Equal(header, fileHead(f.id, f.key)) {
		return damageError("the header of the file")
	}
	r := &chunkReader{aead: k.aead, header: header, chunks: chunks, size: size}
	r.from = func(p []byte, offset int64) error { return t.recess.blob.ReadRange(ctx, f.name, p, offset) }
	p, starts, err := openParquet(r, size, f.rowCount())
	if r.err != nil {
		return blobError(r.err)
	}
	if err != nil {
		return err
	}
	f.openedFile.info, f.openedFile.chunks, f.openedFile.parquet, f.openedFile.starts = info, r, p, starts
	return nil
}

// missingKeyError is the error for a missing key: the file may be about to be removed.
func (t *tenant) missingKeyError(f *sealedFile, reason string) error {
	if !t.hasFile(f) {
		return errGone
	}
	return damageError("%s", reason)
}

// openParquet reads the footer of a Parquet file that must have that many rows.
func openParquet(r io.ReaderAt, size int64, rows int) (p *parquet.File, starts []int64, err error) {
	err = recoverParquet(func() error {
		var err error
		if p, err = parquet.OpenFile(r, size, parquet.SkipBloomFilters(false)); err != nil {
			return damageError("the Parquet footer: %v", err)
		}
		if p.NumRows() != int64(rows) || len(p.Root().Columns()) != columns {
			return damageError("the Parquet file holds %d rows instead of %d", p.NumRows(), rows)
		}
		at := int64(0)
		for _, g := range p.RowGroups() {
			if len(g.ColumnChunks()) != columns {
				return damageError("a row group of %d columns", len(g.ColumnChunks()))
			}
			starts, at = append(starts, at), at+g.NumRows()
		}
		return nil
	})
	return p, starts, err
}

// readCell is the value of a column in a row.
func (o *openedFile) readCell(row int64, column int) ([]byte, error) {
	for i, g := range o.parquet.RowGroups() {
		if row >= o.starts[i]+g.NumRows() {
			continue
		}
		pages := g.ColumnChunks()[column].Pages()
		b, err := firstValue(pages, row-o.starts[i])
		if err = errors.Join(err, pages.Close()); err != nil {
			return nil, damageError("a page: %v", err)
		}
		return b, nil
	}
	return nil, damageError("row %d is missing", row)
}

// firstValue reads one value of pages.
func firstValue(pages parquet.Pages, row int64) ([]byte, error) {
	if err := pages.SeekToRow(row); err != nil {
		return nil, err
	}
	page, err := pages.ReadPage()
	if err != nil {
		return nil, err
	}
	defer parquet.Release(page)
	values := make([]parquet.Value, 1)
	if n, err := page.Values().ReadValues(values); n != 1 {
		return nil, fmt.Errorf("no value: %w", err)
	}
	return bytes.Clone(values[0].ByteArray()), nil
}

// mayContain looks an id up in the Bloom filters of the file.
func (o *openedFile) mayContain(id [16]byte, row int64) (bool, error) {
	for i, g := range o.parquet.RowGroups() {
		if row >= o.starts[i]+g.NumRows() {
			continue
		}
		filter := g.ColumnChunks()[columnID].BloomFilter()
		if filter == nil {
			return false, damageError("a row group without a Bloom filter")
		}
		return filter.Check(parquet.FixedLenByteArrayValue(id[:]))
	}
	return false, damageError("row %d is missing", row)
}

// segmentRows are the engravings of the segment that begins in a row.
func (f *sealedFile) segmentRows(first uint32) []engraving {
	var rows []engraving
	for i := int(first); i < f.rowCount(); i++ {
		e := f.engravingAt(i)
		if e.first != first {
			break
		}
		rows = append(rows, e)
	}
	return rows
}

// readSegment reads the records of a segment, from the cache if the blob is unchanged.
func (t *tenant) readSegment(ctx context.Context, f *sealedFile, first uint32) ([]*record, error) {
	var records []*record
	err := t.withFile(ctx, f, func(o *openedFile) error {
		var cached bool
		if records, cached = t.recess.cache.Get(segmentKey{f.id, first}); cached {
			return nil
		}
		rows := f.segmentRows(first)
		k := t.keys.get(f.keys[rows[0].key])
		if k == nil {
			return t.missingKeyError(f, "the data key of the engram is not in the key ring")
		}
		for _, e := range rows {
			if there, err := o.mayContain(e.id, int64(first)); err != nil || !there {
				return damageError("the Bloom filter lacks an id of its file")
			}
		}
		head, err := o.readCell(int64(first), columnHead)
		if err != nil {
			return err
		}
		body, err := o.readCell(int64(first), columnBody)
		if err != nil {
			return err
		}
		if records, err = openSegment(head, body, rows, t.name, k); err != nil {
			return err
		}
		t.recess.cache.Add(segmentKey{f.id, first}, records)
		return nil
	})
	return records, err
}

// readPlace reads one engraving of a file, verified.
func (t *tenant) readPlace(ctx context.Context, id [16]byte, p place) (*record, error) {
	e := p.file.engravingAt(int(p.row))
	records, err := t.readSegment(ctx, p.file, e.first)
	if err != nil {
		return nil, err
	}
	if i := int(p.row) - int(e.first); i < len(records) {
		r := records[i]
		if r.memory.ID == graph.IDFromBytes(id) && r.checksumMatches() {
			return r, nil
		}
	}
	return nil, damageError("the engravings of a segment differ from those in the manifest")
}
