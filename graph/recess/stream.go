package recess

import (
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"github.com/somnograph/somnograph/graph"
)

// A sealed file is a Parquet file in chunks of 64 KiB, each sealed with AES-256-GCM under the
// key of the file, so that any part can be read by itself and is parsed only after its tag is
// verified.
//
//	"SGrc" ∥ layout version 1 (4 bytes) ∥ file id (16) ∥ key id (16) ∥ chunks
//
// Chunk n is sealed with the nonce 0 0 0 ∥ last (1 byte, 1 for the last chunk) ∥ n (8 bytes)
// and the header as additional data. A key seals one file only, so no nonce is used twice; the
// flag shows that no chunk is missing at the end.
const (
	fileMagic  = "SGrc"
	fileHeader = 40
	chunkSize  = 64 << 10
	chunkFull  = chunkSize + tagSize
)

func fileHead(id [16]byte, key keyID) []byte {
	b := append([]byte{}, fileMagic...)
	b = binary.BigEndian.AppendUint32(b, layout)
	b = append(b, id[:]...)
	return append(b, key[:]...)
}

func chunkNonce(n uint64, last bool) []byte {
	b := make([]byte, nonceSize)
	if last {
		b[3] = 1
	}
	binary.BigEndian.PutUint64(b[4:], n)
	return b
}

// chunkWriter seals what is written to it. Close writes the last chunk.
type chunkWriter struct {
	to     file
	aead   cipher.AEAD
	header []byte
	buffer []byte
	n      uint64
	at     int64
	sum    hash.Hash // SHA-256 over everything written
}

func newChunkWriter(to file, a cipher.AEAD, id [16]byte, key keyID) (*chunkWriter, error) {
	w := &chunkWriter{to: to, aead: a, header: fileHead(id, key), buffer: make([]byte, 0, chunkFull), sum: sha256.New()}
	return w, w.writeSealed(w.header)
}

func (w *chunkWriter) writeSealed(b []byte) error {
	if _, err := w.to.WriteAt(b, w.at); err != nil {
		return err
	}
	w.at += int64(len(b))
	_, err := w.sum.Write(b)
	return err
}

func (w *chunkWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if len(w.buffer) == chunkSize {
			// A chunk is written when more follows, so it is not the last one.
			if err := w.flush(false); err != nil {
				return n, err
			}
		}
		k := min(len(p), chunkSize-len(w.buffer))
		w.buffer = append(w.buffer, p[:k]...)
		n, p = n+k, p[k:]
	}
	return n, nil
}

func (w *chunkWriter) flush(last bool) error {
	sealed := w.aead.Seal(w.buffer[:0], chunkNonce(w.n, last), w.buffer, w.header)
	w.buffer, w.n = w.buffer[:0], w.n+1
	return w.writeSealed(sealed)
}

func (w *chunkWriter) Close() error { return w.flush(true) }

// chunkReader reads a sealed file at any offset. It keeps the last chunk that it read. It is
// not safe for concurrent use.
type chunkReader struct {
	from   func(p []byte, offset int64) error // of the blob
	aead   cipher.AEAD
	header []byte
	chunks uint64
	size   int64 // of the plain text
	kept   uint64
	plain  []byte // the kept chunk, if any
	err    error  // why a read failed; a Parquet reader may hide it
}

// plainSize is the length of the plain text of a sealed file of that size.
func plainSize(sealed int64) (size int64, chunks uint64, err error) {
	rest := sealed - fileHeader
	if rest < tagSize {
		return 0, 0, fmt.Errorf("%w: a file is cut short", graph.ErrIntegrity)
	}
	chunks = uint64((rest + chunkFull - 1) / chunkFull)
	if rest-int64(chunks-1)*chunkFull < tagSize {
		return 0, 0, fmt.Errorf("%w: a file is cut short", graph.ErrIntegrity)
	}
	return rest - int64(chunks)*tagSize, chunks, nil
}

func (r *chunkReader) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 || at > r.size {
		return 0, io.EOF
	}
	for len(p) > 0 && at < r.size {
		plain, err := r.readChunk(uint64(at / chunkSize))
		if err != nil {
			r.err = err
			return n, err
		}
		k := copy(p, plain[at%chunkSize:])
		n, at, p = n+k, at+int64(k), p[k:]
	}
	if len(p) > 0 {
		return n, io.EOF
	}
	return n, nil
}

func (r *chunkReader) readChunk(n uint64) ([]byte, error) {
	if r.plain != nil && r.kept == n {
		return r.plain, nil
	}
	last := n == r.chunks-1
	length := int64(chunkSize)
	if last {
		length = r.size - int64(n)*chunkSize
	}
	sealed := make([]byte, length+tagSize)
	if err := r.from(sealed, fileHeader+int64(n)*chunkFull); err != nil {
		return nil, err
	}
	plain, err := r.aead.Open(sealed[:0], chunkNonce(n, last), sealed, r.header)
	if err != nil {
		return nil, fmt.Errorf("%w: chunk %d can't be opened", graph.ErrIntegrity, n)
	}
	r.kept, r.plain = n, plain
	return plain, nil
}
