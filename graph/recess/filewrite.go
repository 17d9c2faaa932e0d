package recess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/somnograph/somnograph/graph"
)

// parquetRow is a row of the Parquet file. The large columns are compressed before they are
// encrypted, so Parquet does not compress them; the others use ZSTD.
type parquetRow struct {
	ID       [16]byte `parquet:"id,uuid,zstd"`
	Version  int32    `parquet:"version,zstd"`
	Seq      int64    `parquet:"seq,delta,zstd"`
	Engraved int64    `parquet:"engraved,timestamp(millisecond),zstd"`
	Segment  int32    `parquet:"segment,zstd"` // first row of its segment
	Key      [16]byte `parquet:"key,uuid,dict,zstd"`
	Head     []byte   `parquet:"head,plain,uncompressed"` // in the first row of a segment
	Body     []byte   `parquet:"body,plain,uncompressed"` // in the first row of a segment
}

// Columns of a parquetRow.
const (
	columnID   = 0
	columnHead = 6
	columnBody = 7
	columns    = 8
)

const (
	// bloomBits is the bits per value of the Bloom filter over the ids: false positives stay
	// below 0.05 %.
	bloomBits = 24
	// groupBytes is the approximate size of a row group in memory before it is written.
	groupBytes = 4 << 20
)

// fileWriter makes one sealed file, first in a spool next to the journal, then as a blob.
type fileWriter struct {
	tenant  *tenant
	file    *sealedFile
	spool   file
	path    string
	chunks  *chunkWriter
	parquet *parquet.GenericWriter[parquetRow]
	numbers map[keyID]uint32
	buffer  int // bytes in the row group
}

// newFile begins a file under the key.
func (t *tenant) newFile(k *dataKey, namespace string, day int32) (*fileWriter, error) {
	f := &sealedFile{key: k.id, namespace: namespace, day: day}
	if _, err := io.ReadFull(t.recess.random, f.id[:]); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	f.name = blobName(t.name, namespace, day, f.id)
	w := &fileWriter{tenant: t, file: f, path: filepath.Join(t.dir, "spool"), numbers: map[keyID]uint32{}}
	var err error
	if w.spool, err = t.recess.disk.Create(w.path); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	if w.chunks, err = newChunkWriter(w.spool, k.aead, f.id, k.id); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	w.parquet = parquet.NewGenericWriter[parquetRow](w.chunks,
		parquet.CreatedBy("somnograph", "1", "recess"),
		parquet.PageBufferSize(64<<10),
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "id")),
		parquet.SkipPageBounds("head"), parquet.SkipPageBounds("body"),
	)
	return w, nil
}

// addSegment writes a segment: records of one key and one form of vector.
func (w *fileWriter) addSegment(k *dataKey, records []*record) error {
	rows := make([]engraving, len(records))
	for i, r := range records {
		id, err := r.memory.ID.Bytes()
		if err != nil {
			return err
		}
		rows[i] = engraving{id: id, seq: r.seq, version: uint32(r.memory.Version)}
	}
	head, body, err := sealSegment(records, rows, w.tenant.name, k, w.tenant.recess.random)
	if err != nil {
		return err
	}
	first := w.file.rowCount()
	number, known := w.numbers[k.id]
	if !known {
		number = uint32(len(w.file.keys))
		w.numbers[k.id] = number
		w.file.keys = append(w.file.keys, k.id)
	}
	lines := make([]parquetRow, len(rows))
	for i, e := range rows {
		e.first, e.key = uint32(first), number
		w.file.rows = e.append(w.file.rows)
		lines[i] = parquetRow{
			ID: e.id, Version: int32(e.version), Seq: int64(e.seq), Engraved: records[i].engravedAt.UnixMilli(),
			Segment: int32(first), Key: k.id,
		}
		w.file.sizes.addRecord(records[i])
	}
	w.file.sizes.Heads, w.file.sizes.Bodies = w.file.sizes.Heads+int64(len(head)), w.file.sizes.Bodies+int64(len(body))
	lines[0].Head, lines[0].Body = head, body
	if _, err := w.parquet.Write(lines); err != nil {
		return err
	}
	if w.buffer += len(head) + len(body); w.buffer > groupBytes {
		w.buffer = 0
		return w.parquet.Flush()
	}
	return nil
}

// finish stores the file as a blob. The manifest must already contain its name.
func (w *fileWriter) finish(ctx context.Context) (*sealedFile, error) {
	err := w.parquet.Close()
	if err == nil {
		err = w.chunks.Close()
	}
	if err == nil {
		w.file.size = w.chunks.at
		copy(w.file.sum[:], w.chunks.sum.Sum(nil))
		err = w.tenant.recess.blob.Put(ctx, w.file.name, w.file.size, io.NewSectionReader(w.spool, 0, w.file.size))
	}
	if err = errors.Join(err, w.abandon()); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	return w.file, nil
}

// abandon closes and removes the spool.
func (w *fileWriter) abandon() error {
	return errors.Join(w.spool.Close(), w.tenant.recess.disk.Remove(w.path))
}
