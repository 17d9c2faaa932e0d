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

// opened is what was read of a file. It is thrown away when the blob changes.
type opened struct {
	mu      sync.Mutex
	info    BlobInfo
	chunks  *chunkReader
	parquet *parquet.File // nil: not open
	starts  []int64       // first row of each row group
}

// segmentKey names a decoded segment in the cache.
type segmentKey struct {
	file  [16]byte
	first uint32
}

// errGone says that a file is no longer part of the manifest: look again.
var errGone = errors.New("recess: the file was replaced")

// guarded runs code over bytes that a Parquet reader parses: a panic of it is damage.
func guarded(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged("the Parquet reader gave up: %v", p)
		}
	}()
	return fn()
}

// blobError says what a failure of the storage means: an object that is missing or
// too short is damage, anything else is an outage.
func blobError(err error) error {
	switch {
	case err == nil, errors.Is(err, graph.ErrIntegrity), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, ErrNoBlob):
		return damaged("the file is missing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("the file is cut short")
	}
	return fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
}

// access opens the file if need be and runs fn with it. It notices a blob that
// changed since it was opened. Reads of one file are one at a time.
func (t *tenant) access(ctx context.Context, f *sealedFile, fn func(*opened) error) error {
	o := &f.open
	o.mu.Lock()
	defer o.mu.Unlock()
	info, err := t.r.blob.Stat(ctx, f.name)
	if err != nil {
		o.forget(t.r, f)
		return blobError(err)
	}
	if o.parquet == nil || info != o.info {
		o.forget(t.r, f)
		if err := t.openFile(ctx, f, info); err != nil {
			return err
		}
	}
	o.chunks.from = func(p []byte, offset int64) error { return t.r.blob.ReadRange(ctx, f.name, p, offset) }
	err = guarded(func() error { return fn(o) })
	if hidden := o.chunks.err; hidden != nil {
		o.chunks.err = nil
		err = blobError(hidden)
	}
	if err != nil {
		o.forget(t.r, f)
	}
	return err
}

// forget drops what was read of the file.
func (o *opened) forget(r *Recess, f *sealedFile) {
	o.parquet, o.chunks, o.starts, o.info = nil, nil, nil, BlobInfo{}
	f.search.Store(nil)
	for i := 0; i < f.count(); i++ {
		if e := f.at(i); int(e.first) == i {
			r.cache.Remove(segmentKey{f.id, e.first})
		}
	}
}

// openFile reads header and footer.
func (t *tenant) openFile(ctx context.Context, f *sealedFile, info BlobInfo) error {
	if info.Size != f.size {
		return damaged("the file has %d bytes instead of %d", info.Size, f.size)
	}
	k := t.keys.get(f.key)
	if k == nil {
		return t.keyless(f, "the key of the file is not in the ring")
	}
	size, chunks, err := plainSize(info.Size)
	if err != nil {
		return err
	}
	header := make([]byte, fileHeader)
	if err := t.r.blob.ReadRange(ctx, f.name, header, 0); err != nil {
		return blobError(err)
	}
	if !bytes.Equal(header, fileHead(f.id, f.key)) {
		return damaged("the header of the file")
	}
	r := &chunkReader{aead: k.aead, header: header, chunks: chunks, size: size}
	r.from = func(p []byte, offset int64) error { return t.r.blob.ReadRange(ctx, f.name, p, offset) }
	p, starts, err := openParquet(r, size, f.count())
	if r.err != nil {
		return blobError(r.err)
	}
	if err != nil {
		return err
	}
	f.open.info, f.open.chunks, f.open.parquet, f.open.starts = info, r, p, starts
	return nil
}

// keyless is the error for a key that is not there: the file may be about to go.
func (t *tenant) keyless(f *sealedFile, reason string) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.manifest.files[f.id] != f {
		return errGone
	}
	return damaged("%s", reason)
}

// openParquet reads the footer of a Parquet file of ours with that many rows.
func openParquet(r io.ReaderAt, size int64, rows int) (p *parquet.File, starts []int64, err error) {
	err = guarded(func() error {
		var err error
		if p, err = parquet.OpenFile(r, size, parquet.SkipBloomFilters(false)); err != nil {
			return damaged("the Parquet footer: %v", err)
		}
		if p.NumRows() != int64(rows) || len(p.Root().Columns()) != columns {
			return damaged("the Parquet file holds %d rows instead of %d", p.NumRows(), rows)
		}
		at := int64(0)
		for _, g := range p.RowGroups() {
			if len(g.ColumnChunks()) != columns {
				return damaged("a row group of %d columns", len(g.ColumnChunks()))
			}
			starts, at = append(starts, at), at+g.NumRows()
		}
		return nil
	})
	return p, starts, err
}

// cell is the value of a column in a row.
func (o *opened) cell(row int64, column int) ([]byte, error) {
	for i, g := range o.parquet.RowGroups() {
		if row >= o.starts[i]+g.NumRows() {
			continue
		}
		pages := g.ColumnChunks()[column].Pages()
		b, err := firstValue(pages, row-o.starts[i])
		if err = errors.Join(err, pages.Close()); err != nil {
			return nil, damaged("a page: %v", err)
		}
		return b, nil
	}
	return nil, damaged("there is no row %d", row)
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

// mayHold asks the Bloom filters of the file for an id.
func (o *opened) mayHold(id [16]byte, row int64) (bool, error) {
	for i, g := range o.parquet.RowGroups() {
		if row >= o.starts[i]+g.NumRows() {
			continue
		}
		filter := g.ColumnChunks()[columnID].BloomFilter()
		if filter == nil {
			return false, damaged("a row group without a Bloom filter")
		}
		return filter.Check(parquet.FixedLenByteArrayValue(id[:]))
	}
	return false, damaged("there is no row %d", row)
}

// segmentRows are the engravings of the segment that begins in a row.
func (f *sealedFile) segmentRows(first uint32) []engraving {
	var rows []engraving
	for i := int(first); i < f.count(); i++ {
		e := f.at(i)
		if e.first != first {
			break
		}
		rows = append(rows, e)
	}
	return rows
}

// segment reads the records of a segment, from the cache if the blob is unchanged.
func (t *tenant) segment(ctx context.Context, f *sealedFile, first uint32) ([]*record, error) {
	var records []*record
	err := t.access(ctx, f, func(o *opened) error {
		var cached bool
		if records, cached = t.r.cache.Get(segmentKey{f.id, first}); cached {
			return nil
		}
		rows := f.segmentRows(first)
		k := t.keys.get(f.keys[rows[0].key])
		if k == nil {
			return t.keyless(f, "the data key of the engram is not in the ring")
		}
		for _, e := range rows {
			if there, err := o.mayHold(e.id, int64(first)); err != nil || !there {
				return damaged("the Bloom filter does not know an id of its file")
			}
		}
		head, err := o.cell(int64(first), columnHead)
		if err != nil {
			return err
		}
		body, err := o.cell(int64(first), columnBody)
		if err != nil {
			return err
		}
		if records, err = openSegment(head, body, rows, t.name, k); err != nil {
			return err
		}
		t.r.cache.Add(segmentKey{f.id, first}, records)
		return nil
	})
	return records, err
}

// readPlace reads one engraving of a file, verified.
func (t *tenant) readPlace(ctx context.Context, id [16]byte, p place) (*record, error) {
	e := p.file.at(int(p.row))
	records, err := t.segment(ctx, p.file, e.first)
	if err != nil {
		return nil, err
	}
	if i := int(p.row) - int(e.first); i < len(records) {
		r := records[i]
		if r.memory.ID == graph.IDFromBytes(id) && r.intact() {
			return r, nil
		}
	}
	return nil, damaged("a segment holds other engravings than the manifest says")
}
