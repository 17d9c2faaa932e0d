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

// line is a row of the Parquet file. The bulky columns are compressed before they
// are encrypted, so Parquet leaves them alone; the others are ZSTD.
type line struct {
	ID       [16]byte `parquet:"id,uuid,zstd"`
	Version  int32    `parquet:"version,zstd"`
	Seq      int64    `parquet:"seq,delta,zstd"`
	Engraved int64    `parquet:"engraved,timestamp(millisecond),zstd"`
	Segment  int32    `parquet:"segment,zstd"` // row where its segment begins
	Key      [16]byte `parquet:"key,uuid,dict,zstd"`
	Head     []byte   `parquet:"head,plain,uncompressed"` // in the first row of a segment
	Body     []byte   `parquet:"body,plain,uncompressed"` // in the first row of a segment
}

// Columns of a line.
const (
	columnID   = 0
	columnHead = 6
	columnBody = 7
	columns    = 8
)

const (
	// bloomBits are the bits a value of the Bloom filter over the ids: false
	// positives stay below 0.05 %.
	bloomBits = 24
	// groupBytes is about what a row group holds in memory before it is written.
	groupBytes = 4 << 20
)

// fileWriter makes one sealed file, in a spool beside the journal and then as a blob.
type fileWriter struct {
	t       *tenant
	f       *sealedFile
	spool   file
	path    string
	chunks  *chunkWriter
	parquet *parquet.GenericWriter[line]
	numbers map[keyID]uint32
	buffer  int // bytes in the row group
}

// newFile begins a file under the key.
func (t *tenant) newFile(k *dataKey, namespace string, day int32) (*fileWriter, error) {
	f := &sealedFile{key: k.id, namespace: namespace, day: day}
	if _, err := io.ReadFull(t.r.random, f.id[:]); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	f.name = blobName(t.name, namespace, day, f.id)
	w := &fileWriter{t: t, f: f, path: filepath.Join(t.dir, "spool"), numbers: map[keyID]uint32{}}
	var err error
	if w.spool, err = t.r.disk.Create(w.path); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	if w.chunks, err = newChunkWriter(w.spool, k.aead, f.id, k.id); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	w.parquet = parquet.NewGenericWriter[line](w.chunks,
		parquet.CreatedBy("somnograph", "1", "recess"),
		parquet.PageBufferSize(64<<10),
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "id")),
		parquet.SkipPageBounds("head"), parquet.SkipPageBounds("body"),
	)
	return w, nil
}

// add writes a segment: records of one key and one form of vector.
func (w *fileWriter) add(k *dataKey, records []*record) error {
	rows := make([]engraving, len(records))
	for i, r := range records {
		id, err := r.memory.ID.Bytes()
		if err != nil {
			return err
		}
		rows[i] = engraving{id: id, seq: r.seq, version: uint32(r.memory.Version)}
	}
	head, body, err := sealSegment(records, rows, w.t.name, k, w.t.r.random)
	if err != nil {
		return err
	}
	first := w.f.count()
	number, known := w.numbers[k.id]
	if !known {
		number = uint32(len(w.f.keys))
		w.numbers[k.id] = number
		w.f.keys = append(w.f.keys, k.id)
	}
	lines := make([]line, len(rows))
	for i, e := range rows {
		e.first, e.key = uint32(first), number
		w.f.rows = e.append(w.f.rows)
		lines[i] = line{
			ID: e.id, Version: int32(e.version), Seq: int64(e.seq), Engraved: records[i].engravedAt.UnixMilli(),
			Segment: int32(first), Key: k.id,
		}
		w.f.sizes.count(records[i])
	}
	w.f.sizes.Heads, w.f.sizes.Bodies = w.f.sizes.Heads+int64(len(head)), w.f.sizes.Bodies+int64(len(body))
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

// finish stores the file as a blob. The manifest must have announced its name.
func (w *fileWriter) finish(ctx context.Context) (*sealedFile, error) {
	err := w.parquet.Close()
	if err == nil {
		err = w.chunks.Close()
	}
	if err == nil {
		w.f.size = w.chunks.at
		copy(w.f.sum[:], w.chunks.sum.Sum(nil))
		err = w.t.r.blob.Put(ctx, w.f.name, w.f.size, io.NewSectionReader(w.spool, 0, w.f.size))
	}
	if err = errors.Join(err, w.abandon()); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	return w.f, nil
}

// abandon closes and removes the spool.
func (w *fileWriter) abandon() error {
	return errors.Join(w.spool.Close(), w.t.r.disk.Remove(w.path))
}
